import { Readable } from 'node:stream'
import { BYTE_ORDER_MARK } from '@limber/contract/kit/csv.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { downloadPayPeriod } from '@limber/contract/payroll/files/pay-period-file.ts'
import {
  listWageStatements,
  readWageStatement,
  type WageStatementDetail,
  wageBoxes,
} from '@limber/contract/payroll/files/wage-statement.ts'
import { TAX_NOTICE, writeDollars } from '@limber/contract/payroll/values.ts'
import { containing } from '#platform/db/like.ts'
import { downloadCsv, recordExport } from '#platform/exports/export.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findEarner, findEarnersPaidIn } from '../earners/earner.queries.ts'
import { findPeriod } from '../entries/period.queries.ts'
import { taxYears } from '../tax/tables.rules.ts'
import { findWageStatements, presentStatement } from './find-wage-statements.ts'
import { findPayOfPeriod } from './pay-period-file.queries.ts'
import { linesOf } from './pay-period-file.rules.ts'

export const payrollFileRoutes = [
  serve(downloadPayPeriod, async (context) => {
    const { params, db, reply } = context
    const period = await findPeriod(db, params.id)
    if (!period) throw refuse(downloadPayPeriod, 'unknown')
    const lines = [...linesOf(params.format, period, await findPayOfPeriod(db, params.id))]
    await recordExport(downloadPayPeriod, context, `${params.format}-${period.id}`, lines.length - 1)
    downloadCsv(reply, `payroll-${params.format}-${period.starts_on}-to-${period.ends_on}`)
    // Gusto and QuickBooks read the first column title as it is.
    return Readable.from([params.format === 'register' ? BYTE_ORDER_MARK : '', ...lines].join(''))
  }),

  serve(listWageStatements, async ({ query: { year, search, page, limit }, db }) => {
    if (!taxYears.includes(year)) throw refuse(listWageStatements, 'no_tables')
    const pattern = search === '' ? undefined : containing(search)
    const { total, rows } = await findEarnersPaidIn(db, year, pattern, { limit, offset: (page - 1) * limit })
    const statements = await findWageStatements(db, year, rows)
    return {
      year,
      statements: statements.map(presentStatement),
      pagination: paginate(page, limit, total),
      notice: TAX_NOTICE,
    }
  }),

  serve(readWageStatement, async ({ params, query: { year }, db }): Promise<WageStatementDetail> => {
    if (!taxYears.includes(year)) throw refuse(readWageStatement, 'no_tables')
    const earner = await findEarner(db, params.earner)
    const [found] = earner ? await findWageStatements(db, year, [earner]) : []
    if (!found) throw refuse(readWageStatement, 'unknown')
    const steps = Object.fromEntries(
      wageBoxes.map((box) => [
        box,
        found.steps[box].map(({ label, payDate, amount }) => ({
          label,
          pay_date: payDate,
          amount: writeDollars(amount),
        })),
      ]),
    ) as WageStatementDetail['steps']
    return { statement: presentStatement(found), steps, notice: TAX_NOTICE }
  }),
]
