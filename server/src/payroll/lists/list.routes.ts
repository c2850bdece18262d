import { paginate } from '@limber/contract/kit/page.ts'
import { listDetails, readDetail } from '@limber/contract/payroll/lists/detail.ts'
import { listPayrollFigure } from '@limber/contract/payroll/lists/payroll-figure.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { listTransactions, settleDeposit } from '@limber/contract/payroll/lists/transaction.ts'
import { findFigurePage } from '#platform/figures/figure.queries.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { dayOf } from '../entries/period.rules.ts'
import { findSettlements, findUnsettled } from '../runs/settlement.queries.ts'
import { findCustomerOf, findDetail, findDetails } from './detail.queries.ts'
import { presentDetail, presentSummary, presentTotals, presentTransaction } from './list.present.ts'
import { payrollSource } from './payroll-figure.queries.ts'
import { findNextPayDate, findPeriodSums, findTotals } from './summary.queries.ts'
import { findTransaction, findTransactions, markDeposit } from './transaction.queries.ts'

type Ranged = typeof listDetails | typeof listTransactions | typeof readSummary | typeof listPayrollFigure

export function checkRange(call: Ranged, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  if (from !== undefined && to !== undefined && from > to) throw refuse(call, 'start_after_end')
}

export const listRoutes = [
  serve(readSummary, async ({ query, db, now }) => {
    checkRange(readSummary, query)
    const [totals, periods, nextPayDate, unsettled] = await Promise.all([
      findTotals(db, query),
      findPeriodSums(db, 8),
      findNextPayDate(db, dayOf(now)),
      findUnsettled(db),
    ])
    return presentSummary(totals, periods, nextPayDate, unsettled)
  }),

  serve(listPayrollFigure, ({ params: { figure }, query: { page, limit, search, ...scope }, db }) => {
    checkRange(listPayrollFigure, scope)
    return findFigurePage(db, payrollSource(figure, scope), { page, limit, search })
  }),

  serve(listDetails, async ({ query, db }) => {
    checkRange(listDetails, query)
    const { total, sums, rows } = await findDetails(db, query)
    return {
      details: rows.map(presentDetail),
      totals: presentTotals(sums),
      pagination: paginate(query.page, query.limit, total),
    }
  }),

  serve(readDetail, async ({ params: { id }, db }) => {
    const row = await findDetail(db, id)
    if (!row) throw refuse(readDetail, 'unknown')
    return { ...presentDetail(row), customer_id: await findCustomerOf(db, row.booking_id) }
  }),

  serve(listTransactions, async ({ query, db }) => {
    checkRange(listTransactions, query)
    const { total, rows } = await findTransactions(db, query)
    const settlements = await findSettlements(db, { transactions: rows.map(({ id }) => id) })
    return {
      transactions: rows.map((row) => presentTransaction(row, settlements)),
      pagination: paginate(query.page, query.limit, total),
    }
  }),

  serve(settleDeposit, async ({ params: { id }, body: { status, note }, db, audit, publish }) => {
    const before = await findTransaction(db, id)
    if (!before) throw refuse(settleDeposit, 'unknown')
    if (before.transaction_type !== 'tax_deposit') throw refuse(settleDeposit, 'no_deposit')
    if (!(await markDeposit(db, id, status))) throw refuse(settleDeposit, 'settled')
    audit({
      action: `payroll.deposit_${status}`,
      subject: 'payroll_transaction',
      subjectId: id,
      before: { status: before.status },
      after: { status },
      ...(note && { reason: note }),
    })
    publish('payroll')
    const settlements = await findSettlements(db, { transactions: [id] })
    return { transaction: presentTransaction({ ...before, status }, settlements) }
  }),
]
