import {
  type Certification,
  type CertificationFilter,
  exportCertifications,
} from '@limber/contract/certifications/certification.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconCertificate, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { CustomerLink } from '#support/public.tsx'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { SearchField } from '#ui/form/search-field.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { DetailColumns } from '#ui/layout/detail-pane.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { FilterRow } from '#ui/table/filter-row.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { certificationsQuery, typesQuery, useDelete } from './certification.api.ts'
import type { CertificationSearch, ChangeSearch } from './certification-search.ts'
import styles from './certifications.module.css'
import { Decisions } from './decisions.tsx'
import { deleteQuestion, expirationText, statusLabels, statusMeaning } from './labels.ts'
import { TypeSummary } from './type-summary.tsx'

interface Props {
  search: CertificationSearch
  change: ChangeSearch
}

const SORTS = ['issued', 'until', 'user', 'type'] as const

const columns = (actions: (row: Certification) => ReactNode): Column<Certification>[] => [
  {
    key: 'shortId',
    title: 'Short ID',
    isTitle: true,
    cell: ({ shortId }) => <code className={styles.code}>{shortId}</code>,
  },
  {
    key: 'user',
    title: 'User',
    sort: 'user',
    wraps: true,
    leads: true,
    cell: ({ userName, userId }) => (
      <>
        <CustomerLink id={userId}>{userName}</CustomerLink> <span className={styles.meta}>{userId}</span>
      </>
    ),
  },
  { key: 'type', title: 'Type', sort: 'type', wraps: true, cell: ({ certificationName }) => certificationName },
  { key: 'name', title: 'Name', wraps: true, cell: ({ name }) => name },
  { key: 'instructor', title: 'Instructor', wraps: true, cell: ({ instructor }) => instructor },
  {
    key: 'until',
    title: 'Valid until',
    sort: 'until',
    isDownFirst: true,
    cell: (row) => expirationText(row.validUntil),
  },
  {
    key: 'status',
    title: 'Status',
    // Most are valid, so only the others get a color.
    cell: ({ status }) => (
      <StatusDot meaning={status === 'valid' ? 'plain' : statusMeaning[status]}>{statusLabels[status]}</StatusDot>
    ),
  },
  { key: 'actions', title: 'Actions', isRight: true, cell: actions },
]

function Filters({ search, change }: Props) {
  const types = useQuery(typesQuery)
  const options = [
    { value: '0', label: types.isError ? 'Error: Failed to fetch certification types' : 'Any type' },
    ...(types.data?.types.map(({ id, certificationName }) => ({ value: String(id), label: certificationName })) ?? []),
  ]
  return (
    <FilterRow hasLine>
      <SearchField
        label="Search certifications"
        placeholder="Name, email, instructor or short ID"
        value={search.q}
        onFind={(q) => change({ q, page: 1 }, { replace: true })}
      />
      <NativeSelect
        aria-label="Type"
        data={options}
        value={String(search.type)}
        onChange={(event) => change({ type: Number(event.currentTarget.value), page: 1 }, { replace: true })}
      />
      {search.user > 0 && (
        <Button variant="default" onClick={() => change({ user: 0, page: 1 })}>
          Clear user filter ({search.user})
        </Button>
      )}
    </FilterRow>
  )
}

export function CertificationList({ search, change }: Props) {
  const table = useTableState('certifications', { limit: 25, sort: '-issued' })
  const remove = useDelete()
  const filters = {
    status: search.status,
    sort: SORTS.find((one) => one === table.sort?.by) ?? 'issued',
    order: table.sort?.isDown ? ('desc' as const) : ('asc' as const),
    ...(search.q ? { search: search.q } : {}),
    ...(search.type ? { type: String(search.type) } : {}),
    ...(search.user ? { user: String(search.user) } : {}),
  }
  const options = certificationsQuery({ page: String(table.page), limit: String(table.limit), ...filters })
  const counts = useQuery(options).data?.counts
  const query = useQuery({
    ...options,
    select: ({ certifications, pagination }): TablePage<Certification> => ({
      rows: certifications,
      totalItems: pagination.totalItems,
    }),
  })
  const confirmDelete = async (row: Certification) => {
    if (!(await confirm(deleteQuestion(row)))) return
    void remove.mutateAsync(row.id).then(
      ({ outcome }) => toast(outcome === 'deleted' ? 'Certification deleted.' : 'Certification revoked.'),
      (error: unknown) => toastFailure(messageOf(error), error),
    )
  }
  const actions = (row: Certification) => (
    <span className={cx(styles.actions, styles.actionColumns)}>
      <Button size="xs" variant="subtle" onClick={() => change({ certification: row.id })}>
        View
      </Button>
      {row.status === 'revoked' ? (
        <span />
      ) : (
        <Button size="xs" variant="subtle" onClick={() => change({ certification: row.id, view: 'edit' })}>
          Edit
        </Button>
      )}
      {row.status === 'revoked' && row.openedAt ? (
        <span />
      ) : (
        <Button size="xs" variant="subtle" color="red" onClick={() => void confirmDelete(row)}>
          Delete
        </Button>
      )}
    </span>
  )
  const isFiltered = search.q !== '' || search.status !== 'all' || search.type > 0 || search.user > 0
  const add = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => change({ view: 'create' })}>
      Add New Certification
    </Button>
  )
  return (
    <>
      <PageHead
        title="Certifications"
        actions={
          <>
            <ExportButton call={exportCertifications} query={filters} total={query.data?.totalItems} />
            <Button variant="default" onClick={() => change({ view: 'types' })}>
              Types
            </Button>
            {add}
          </>
        }
      >
        Each has a public page where anyone can verify it.
      </PageHead>
      <div className={styles.page}>
        <StatStrip
          label="Certifications by status"
          stats={[
            { id: 'valid', label: 'Valid', value: counts?.valid ?? '--' },
            { id: 'expiring', label: 'Expiring within 30 days', value: counts?.expiring ?? '--' },
            { id: 'expired', label: 'Expired', value: counts?.expired ?? '--' },
            { id: 'revoked', label: 'Revoked', value: counts?.revoked ?? '--' },
          ]}
          chosen={search.status === 'all' ? null : search.status}
          onChoose={(id) => change({ status: (id ?? 'all') as CertificationFilter, page: 1 }, { replace: true })}
        />
        {counts && Object.values(counts).some((count) => count > 0) && (
          <DetailColumns kind="aside">
            <Decisions change={change} />
            <TypeSummary change={change} />
          </DetailColumns>
        )}
        <SectionCard isFlush>
          <Filters search={search} change={change} />
          <DataTable
            label="Certifications"
            query={query}
            columns={columns(actions)}
            keyOf={({ id }) => id}
            state={table}
            onOpen={({ id }) => change({ certification: id })}
            isStacking
            failure="Error: Failed to fetch certifications"
            empty={
              <EmptyState
                icon={IconCertificate}
                title={isFiltered ? 'No certifications found' : 'No certifications yet'}
                action={isFiltered ? undefined : add}
              >
                {isFiltered ? 'Try another search, type or status.' : 'Certifications you issue appear here.'}
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
    </>
  )
}
