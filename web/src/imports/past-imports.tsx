import { exportImports, type Import } from '@limber/contract/imports/import.ts'
import { importKinds } from '@limber/contract/imports/import-kinds.ts'
import { ImportState, importStates } from '@limber/contract/imports/import-values.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useLiveRefresh } from '#platform/live/live.ts'
import { linkTo } from '#platform/routing/links.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { FilterRow } from '#ui/table/filter-row.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { importListQuery, importsKey, isRunning } from './import.api.ts'
import { percentOf, stateLabels, stateMeaning } from './import-labels.ts'
import { linkToImport } from './import-link.ts'
import { ImportHomeSearch } from './import-search.ts'

const count = (key: string, title: string, value: (one: Import) => number): Column<Import> => ({
  key,
  title,
  isRight: true,
  cell: (one) => formatInteger(value(one)),
})

const columns: Column<Import>[] = [
  { key: 'file', title: 'File', isTitle: true, cell: ({ file }) => file.name },
  { key: 'kind', title: 'Contains', cell: ({ resource }) => importKinds[resource].label },
  {
    key: 'state',
    title: 'State',
    cell: (one) => (
      <StatusDot meaning={stateMeaning[one.state]}>
        {stateLabels[one.state]}
        {isRunning(one) && ` ${percentOf(one)}%`}
      </StatusDot>
    ),
  },
  { key: 'created_at', title: 'Uploaded', cell: ({ created_at }) => <Moment at={created_at} /> },
  { key: 'by', title: 'By', cell: ({ created_by }) => created_by ?? '--' },
  count('rows', 'Rows', ({ file }) => file.rows),
  count('created', 'Created', ({ counts }) => counts.created),
  count('updated', 'Updated', ({ counts }) => counts.updated),
  count('rejected', 'Rejected', ({ counts }) => counts.rejected),
  {
    key: 'undo',
    title: 'Undo until',
    cell: ({ undo_until }) => <Moment at={undo_until} />,
  },
]

const NewImport = ({ variant = 'filled' }: { variant?: 'filled' | 'default' }) => (
  <Button
    variant={variant}
    leftSection={<Icon of={IconPlus} />}
    renderRoot={(props) => <Link {...props} {...linkTo('/worker/import')} />}
  >
    New import
  </Button>
)

/** Imports of the kinds that the worker may import, newest first, with their state. */
export default function PastImports() {
  useLiveRefresh('imports', importsKey)
  const [search, change] = useSearchState(ImportHomeSearch)
  const table = useTableState('imports', { limit: 25 })
  const navigate = useNavigate()
  const state = ImportState.safeParse(search.state).data
  const query = useQuery({
    ...importListQuery({ ...(state && { state }), page: String(table.page), limit: String(table.limit) }),
    select: ({ imports, pagination }) => ({ rows: imports, totalItems: pagination.totalItems }),
  })
  return (
    <>
      <PageHead
        title="Past imports"
        actions={
          <>
            <ExportButton call={exportImports} query={{ state }} total={query.data?.totalItems} />
            <NewImport />
          </>
        }
      >
        An import can be undone for seven days. Then its file and rows are deleted.
      </PageHead>
      <SectionCard isFlush>
        <FilterRow>
          <NativeSelect
            aria-label="State"
            data={[
              { value: '', label: 'Any state' },
              ...importStates.map((value) => ({ value, label: stateLabels[value] })),
            ]}
            value={state ?? ''}
            onChange={(event) =>
              change({ state: event.currentTarget.value, ...({ page: undefined } as object) }, { replace: true })
            }
          />
        </FilterRow>
        <DataTable
          label="Past imports"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          state={table}
          onOpen={({ id }) => void navigate(linkToImport(id))}
          failure="Couldn't load the imports"
          empty={
            <EmptyState
              icon={IconFileImport}
              title={state ? 'No imports in this state' : 'No imports yet'}
              {...(!state && { action: <NewImport variant="default" /> })}
            >
              {state
                ? 'Choose another state.'
                : 'Customers, bookings, leads and more can be brought in from CSV files. Each import appears here.'}
            </EmptyState>
          }
        />
      </SectionCard>
    </>
  )
}
