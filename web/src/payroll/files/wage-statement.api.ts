import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  listWageStatements,
  readWageStatement,
  type WageStatement,
  type WageStatementList,
} from '@limber/contract/payroll/files/wage-statement.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import type { TablePage } from '#ui/table/data-table.tsx'
import { payrollKey } from '../payroll.api.ts'

const pageOf = ({ statements, pagination }: WageStatementList): TablePage<WageStatement> => ({
  rows: statements,
  totalItems: pagination.totalItems,
})

export const wageStatementsQuery = (query: NonNullable<InputOf<typeof listWageStatements>['query']>) =>
  queryOptions({
    queryKey: [...payrollKey, 'wage-statements', query],
    queryFn: ({ signal }) => send(listWageStatements, { query }, { signal }),
    select: pageOf,
    placeholderData: keepPreviousData,
  })

export const wageStatementQuery = (earner: number, year: number) =>
  queryOptions({
    queryKey: [...payrollKey, 'wage-statement', earner, year],
    queryFn: ({ signal }) =>
      send(readWageStatement, { params: { earner: String(earner) }, query: { year: String(year) } }, { signal }),
  })
