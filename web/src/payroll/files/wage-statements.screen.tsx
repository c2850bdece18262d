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

type Box = 'box1' | 'box2' | 'box3' | 'box4' | 'box5' | 'box6' | 'box16' | 'box17'

/** Wages, and the tax on them below. */
const pair = (title: string, wages: Box, tax: Box): Column<WageStatement> => ({
  key: wages,
  title,
  isRight: true,
  cell: (row) => (
    <span className={styles.pair}>
      <Dollars of={row[wages]} />
      <span>
        <Dollars of={row[tax]} />
      </span>
    </span>
  ),
})

const columns: Column<WageStatement>[] = [
  { key: 'name', title: 'Earner', isTitle: true, cell: ({ earner_name }) => earner_name },
  pair('1 Wages, 2 federal tax', 'box1', 'box2'),
  pair('3 SS wages, 4 SS tax', 'box3', 'box4'),
  pair('5 Medicare wages, 6 tax', 'box5', 'box6'),
  pair('16 State wages, 17 tax', 'box16', 'box17'),
  { key: 'sdi', title: 'CA SDI', isRight: true, cell: ({ sdi }) => <Dollars of={sdi} /> },
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
            density="two-line"
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
