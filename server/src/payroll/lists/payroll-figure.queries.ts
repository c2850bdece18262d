import type { PayrollFigure } from '@limber/contract/payroll/lists/payroll-figure.ts'
import { type RawBuilder, sql } from 'kysely'
import type { FigureSource } from '#platform/figures/figure.queries.ts'
import { earnerName } from '../audit/audit.queries.ts'
import { within } from './summary.queries.ts'

interface Scope {
  from?: string | undefined
  to?: string | undefined
  periodId?: number | undefined
}

type Sql = RawBuilder<unknown>

const adjusted = (sides: readonly string[]) => sql`coalesce((
  select sum(a.difference) from payroll_adjustments a
  where a.payroll_id = e.id and a.side = any(${sides})
    and not exists (select from payroll_undos u where u.operation_id = a.operation_id)), 0)`

const withheld = sql`e.withheld + ${adjusted(['employee'])}`
const employer = sql`e.employer_tax + ${adjusted(['employer'])}`
const taxes = sql`e.withheld + e.employer_tax + ${adjusted(['employee', 'employer'])}`

const amounts: Record<PayrollFigure, Sql> = {
  totalEarnings: sql`e.amount`,
  totalTaxes: taxes,
  netPay: sql`e.amount - (${withheld})`,
  employeeTaxes: withheld,
  employerTaxes: employer,
  pending: sql`e.amount`,
  periodEarnings: sql`e.amount`,
  periodTaxes: taxes,
}

const isCounted = (figure: PayrollFigure, { periodId, ...dates }: Scope): Sql => {
  if (figure === 'pending') return sql`e.status = 'pending' ${within('e.pay_date', dates)}`
  const isKept = sql`not exists (select from payroll_voids v where v.payroll_id = e.id)`
  if (figure === 'periodEarnings' || figure === 'periodTaxes')
    return sql`e.status <> 'cancelled' and e.pay_period_id = ${periodId ?? 0} and ${isKept}`
  return sql`e.status = 'paid' and ${isKept} ${within('e.pay_date', dates)}`
}

/** The earners behind a figure, with their part of it. */
export const payrollSource = (figure: PayrollFigure, scope: Scope): FigureSource => ({
  rows: sql`
    select n.id, ${earnerName} as name, t.entries || case when t.entries = 1 then ' entry' else ' entries' end as detail, t.day, t.amount,
      null::bigint as user_id
    from (select e.earner_id, count(*) as entries, max(e.pay_date) as day, sum(${amounts[figure]}) as amount
      from payroll_entries e where ${isCounted(figure, scope)} group by 1) t
    join earners n on n.id = t.earner_id left join stretchers s on s.id = n.stretcher_id left join workers w on w.id = n.worker_id`,
  value: 'sum',
})
