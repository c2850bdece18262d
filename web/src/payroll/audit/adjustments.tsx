import { type Adjustment, exportAdjustments } from '@limber/contract/payroll/audit/audit.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconArrowBackUp, IconFileDiff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { Difference, Dollars } from '../dollars.tsx'
import { useUndoFix } from '../fixes/use-undo-fix.ts'
import { labelOf, sideLabels } from '../labels.ts'
import { FilterChip } from '../lists/filter-chip.tsx'
import { EarnerLink, EntryLink } from '../lists/record-links.tsx'
import { adjustmentsQuery } from './audit.api.ts'
import styles from './tax-audit.module.css'
import type { ChangeSearch, TaxAuditSearch } from './tax-audit-search.ts'

const sides = [
  { value: '', label: 'Both sides' },
  { value: 'employee', label: 'Employee' },
  { value: 'employer', label: 'Employer' },
]
const statuses = [
  { value: '', label: 'Any status' },
  { value: 'applied', label: 'Applied' },
  { value: 'undone', label: 'Undone' },
]

const columns: Column<Adjustment>[] = [
  { key: 'date', title: 'Date', sort: 'date', isDownFirst: true, cell: ({ date }) => <Moment at={date} /> },
  { key: 'payroll', title: 'Payroll', isTitle: true, cell: ({ payroll_id }) => <EntryLink id={payroll_id} /> },
  {
    key: 'earner',
    title: 'Earner',
    wraps: true,
    cell: ({ earner_id, earner_name }) => <EarnerLink id={earner_id} name={earner_name} />,
  },
  { key: 'side', title: 'Side', cell: ({ side }) => sideLabels[side] },
  { key: 'before', title: 'Before', isRight: true, cell: ({ before }) => <Dollars of={before} /> },
  { key: 'after', title: 'After', isRight: true, cell: ({ after }) => <Dollars of={after} /> },
  {
    key: 'difference',
    title: 'Difference',
    isRight: true,
    cell: ({ difference }) => <Difference of={difference} />,
  },
  {
    key: 'reason',
    title: 'Reason',
    wraps: true,
    cell: ({ reason }) => <span className={styles.reason}>{reason}</span>,
  },
  { key: 'by', title: 'By', wraps: true, cell: ({ by }) => by ?? '--' },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => <StatusDot meaning={status === 'undone' ? 'amber' : 'plain'}>{labelOf(status)}</StatusDot>,
  },
]

interface Props {
  search: TaxAuditSearch
  onChange: ChangeSearch
}

/** Every adjustment, newest first. A fix can only be undone as a whole. */
export default function Adjustments({ search, onChange }: Props) {
  const state = useTableState('payroll.adjustments', { sort: '-date' })
  const undo = useUndoFix()
  const query = useQuery(
    adjustmentsQuery({
      page: String(state.page),
      limit: String(state.limit),
      order: state.sort?.isDown === false ? 'asc' : 'desc',
      ...(search.side ? { side: search.side } : {}),
      ...(search.status ? { status: search.status } : {}),
      ...(search.earner > 0 ? { earner_id: String(search.earner) } : {}),
    }),
  )
  const rows = query.data?.rows ?? []
  // A fix is undone as a whole, so only its first row on the page has the button.
  const firsts = new Set(rows.filter((row, at) => rows[at - 1]?.operation_id !== row.operation_id).map(({ id }) => id))
  const action: Column<Adjustment> = {
    key: 'undo',
    title: 'Undo',
    hidesHead: true,
    isRight: true,
    cell: ({ id, operation_id, can_undo }) =>
      can_undo &&
      firsts.has(id) && (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon of={IconArrowBackUp} size={14} />}
          onClick={() => undo(operation_id)}
        >
          Undo fix {operation_id}
        </Button>
      ),
  }
  const filter = (part: Partial<TaxAuditSearch>) => onChange({ ...part, ...({ page: undefined } as object) })
  const isFiltered = search.side !== '' || search.status !== '' || search.earner > 0
  const actions = (
    <>
      {search.earner > 0 && (
        <FilterChip onClear={() => filter({ earner: 0 })}>
          {rows[0]?.earner_name ?? `Earner ${search.earner}`}
        </FilterChip>
      )}
      <NativeSelect
        aria-label="Side"
        classNames={{ input: styles.select ?? '' }}
        data={sides}
        value={search.side}
        onChange={(event) => filter({ side: event.currentTarget.value as TaxAuditSearch['side'] })}
      />
      <NativeSelect
        aria-label="Status"
        classNames={{ input: styles.select ?? '' }}
        data={statuses}
        value={search.status}
        onChange={(event) => filter({ status: event.currentTarget.value as TaxAuditSearch['status'] })}
      />
      <ExportButton
        call={exportAdjustments}
        query={{ side: search.side, status: search.status, ...(search.earner > 0 && { earner_id: search.earner }) }}
        total={query.data?.totalItems}
      />
    </>
  )
  return (
    <SectionCard title="Adjustments" isFlush actions={actions}>
      <DataTable
        label="Adjustments, newest first"
        query={query}
        columns={[...columns, action]}
        keyOf={({ id }) => id}
        state={state}
        density="two-line"
        failure="Failed to fetch adjustments."
        empty={
          <EmptyState icon={IconFileDiff} title={isFiltered ? 'No adjustments found' : 'No adjustments yet'}>
            {isFiltered
              ? 'Clear a filter to see more.'
              : 'Adjustments appear here when you fix discrepancies, with the amounts before and after.'}
          </EmptyState>
        }
      />
    </SectionCard>
  )
}
