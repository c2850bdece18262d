import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core'
import { IconCircleCheck, IconDownload, IconListSearch } from '@tabler/icons-react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { csvText, saveText } from '#ui/table/csv.ts'
import { Pager } from '#ui/table/pager.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { FilterChip } from '../lists/filter-chip.tsx'
import { discrepancyCells, discrepancyHeads, filterDiscrepancies } from './discrepancy-order.ts'
import { DiscrepancyTable } from './discrepancy-table.tsx'
import styles from './tax-audit.module.css'
import type { ChangeSearch, TaxAuditSearch } from './tax-audit-search.ts'

const PAGE = 5
const severities = [
  { value: '', label: 'All severities' },
  { value: 'significant', label: 'Significant' },
  { value: 'warning', label: 'Warning' },
]

interface Props {
  result: AuditResult
  search: TaxAuditSearch
  onChange: ChangeSearch
}

const clean = (
  <EmptyState icon={IconCircleCheck} title="No discrepancies">
    All recorded taxes match the tax tables.
  </EmptyState>
)
const filtered = (
  <EmptyState icon={IconListSearch} title="No discrepancies found">
    Clear a filter to see more.
  </EmptyState>
)

/** Entries whose recorded tax differs from the calculated tax, five per page. */
export function Discrepancies({ result, search, onChange }: Props) {
  const { page, sort, setPage, setSort } = useTableState('payroll.audit', { limit: PAGE, sort: '-date' })
  const rows = filterDiscrepancies(result, search, sort)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE))
  const at = Math.min(page, pages)
  const shown = rows.slice((at - 1) * PAGE, at * PAGE)
  const filter = (part: Partial<TaxAuditSearch>) => onChange({ ...part, entry: 0, ...({ page: undefined } as object) })
  const save = () =>
    saveText(
      `tax-audit-${result.period_start}-${result.period_end}.csv`,
      csvText([discrepancyHeads, ...rows.map(discrepancyCells)]),
    )
  const actions = (
    <>
      <NativeSelect
        aria-label="Severity"
        classNames={{ input: styles.select ?? '' }}
        data={severities}
        value={search.severity}
        onChange={(event) => filter({ severity: event.currentTarget.value as TaxAuditSearch['severity'] })}
      />
      <Tooltip label="Export CSV">
        <ActionIcon size={28} aria-label="Export discrepancies as CSV" disabled={rows.length === 0} onClick={save}>
          <Icon of={IconDownload} />
        </ActionIcon>
      </Tooltip>
    </>
  )
  const foot = rows.length > 0 && (
    <>
      <span role="status" className={styles.count}>
        {formatInteger((at - 1) * PAGE + 1)} to {formatInteger((at - 1) * PAGE + shown.length)} of{' '}
        {formatInteger(rows.length)}
      </span>
      <span className={styles.push} />
      <Pager label="Discrepancy pages" page={at} pages={pages} onPage={setPage} />
    </>
  )
  const earner = search.earner > 0 && (
    <FilterChip onClear={() => filter({ earner: 0 })}>
      {result.earner_summary[search.earner]?.name ?? `Earner ${search.earner}`}
    </FilterChip>
  )
  return (
    <SectionCard
      title="Discrepancies"
      beside={
        <>
          <span className={styles.beside}>recorded minus calculated, USD</span>
          {earner}
        </>
      }
      isFlush
      actions={actions}
      foot={foot}
    >
      {rows.length === 0 ? (
        result.total_discrepancies === 0 ? (
          clean
        ) : (
          filtered
        )
      ) : (
        <DiscrepancyTable
          rows={shown}
          sort={sort}
          onSort={setSort}
          open={search.entry}
          onOpen={(entry) => onChange({ entry })}
        />
      )}
    </SectionCard>
  )
}
