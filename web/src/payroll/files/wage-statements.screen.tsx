import { exportWageStatements, type WageStatement } from '@limber/contract/payroll/files/wage-statement.ts'
import { NativeSelect } from '@mantine/core'
import { IconFileDollar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { FilterRow } from '#ui/table/filter-row.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { TaxNotice } from '../audit/tax-notice.tsx'
import { Difference, Dollars } from '../dollars.tsx'
import { today } from '../labels.ts'
import styles from '../lists/lists.module.css'
import { payrollKey } from '../payroll.api.ts'
import { wageStatementsQuery } from './wage-statement.api.ts'

const WageStatementDialog = lazy(() => import('./wage-statement-dialog.tsx'))

/** The URL parameters of the W-2 preview. */
export const WageStatementSearch = z.object({
  year: z.coerce.number().int().min(2000).max(2100).catch(0),
  q: z.string().max(100).catch(''),
  earner: z.coerce.number().int().min(0).catch(0),
})

const YEARS = 2

const money = (key: keyof WageStatement & string, title: string): Column<WageStatement> => ({
  key,
  title,
  isRight: true,
  cell: (row) => <Dollars of={row[key] as number} />,
})

const columns: Column<WageStatement>[] = [
  { key: 'name', title: 'Earner', isTitle: true, cell: ({ earner_name }) => earner_name },
  money('box1', '1 Wages'),
  money('box2', '2 Federal tax'),
  money('box3', '3 SS wages'),
  money('box4', '4 SS tax'),
  money('box5', '5 Medicare wages'),
  money('box6', '6 Medicare tax'),
  money('box16', '16 State wages'),
  money('box17', '17 State tax'),
  money('sdi', 'CA SDI'),
  {
    key: 'difference',
    title: 'Difference',
    isRight: true,
    cell: ({ difference }) => <Difference of={difference} />,
  },
]

/** The figures for Form W-2 of a year, by earner. */
export default function WageStatements() {
  useLiveRefresh('payroll', payrollKey)
  const [search, change] = useSearchState(WageStatementSearch)
  const state = useTableState('payroll.wage-statements', { limit: 25 })
  const newest = Number(today().slice(0, 4))
  const year = search.year || newest
  const filters = { year: String(year), ...(search.q && { search: search.q }) }
  const query = useQuery(wageStatementsQuery({ ...filters, page: String(state.page), limit: String(state.limit) }))
  const filter = (part: Partial<z.output<typeof WageStatementSearch>>) =>
    change({ ...part, ...({ page: undefined } as object) }, { replace: true })
  return (
    <>
      <PageHead
        title="W-2 preview"
        actions={
          <>
            <ExportButton call={exportWageStatements} query={filters} total={query.data?.totalItems} />
            <NativeSelect
              aria-label="Year"
              data={Array.from({ length: YEARS }, (_, back) => String(newest - back))}
              value={String(year)}
              onChange={(event) => filter({ year: Number(event.currentTarget.value) })}
            />
          </>
        }
        isOneLine
      >
        Figures for Form W-2 from the paid entries of a year. Difference is recorded minus calculated. Open an earner to
        see the steps of each box.
      </PageHead>
      <div className={styles.page}>
        <SectionCard isFlush>
          <FilterRow>
            <SearchField label="Find earners" placeholder="Name" value={search.q} onFind={(q) => filter({ q })} />
          </FilterRow>
          <DataTable
            label={`W-2 figures of ${year} by earner`}
            query={query}
            columns={columns}
            keyOf={({ earner_id }) => earner_id}
            state={state}
            onOpen={({ earner_id }) => change({ earner: earner_id })}
            openKey={search.earner || null}
            failure="Couldn't load the W-2 figures"
            empty={
              <EmptyState icon={IconFileDollar} title={search.q ? 'No earners found' : `No pay in ${year}`}>
                {search.q ? 'Change the search.' : 'Earners appear here after their first pay date of the year.'}
              </EmptyState>
            }
          />
        </SectionCard>
        <TaxNotice />
      </div>
      <Suspense>
        {search.earner > 0 && (
          <WageStatementDialog
            key={`${search.earner}-${year}`}
            earner={search.earner}
            year={year}
            onClose={() => change({ earner: 0 })}
          />
        )}
      </Suspense>
    </>
  )
}
