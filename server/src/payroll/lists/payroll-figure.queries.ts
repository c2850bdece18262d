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

interface Amount {
  ofEntry: Sql
  /** Adjustments on these sides are added to the entry, or taken from it. */
  sides: readonly string[]
  sign?: 1 | -1
}

const earnings: Amount = { ofEntry: sql`e.amount`, sides: [] }
const taxes: Amount = { ofEntry: sql`e.withheld + e.employer_tax`, sides: ['employee', 'employer'] }

const netPay: Amount = { ofEntry: sql`e.amount - e.withheld`, sides: ['employee'], sign: -1 }
const employeeTaxes: Amount = { ofEntry: sql`e.withheld`, sides: ['employee'] }
const employerTaxes: Amount = { ofEntry: sql`e.employer_tax`, sides: ['employer'] }

const amounts: Record<PayrollFigure, Amount> = {
  totalEarnings: earnings,
  totalTaxes: taxes,
  netPay,
  employeeTaxes,
  employerTaxes,
  pending: earnings,
  periodEarnings: earnings,
  periodTaxes: taxes,
  periodWithheld: employeeTaxes,
  periodEmployerTaxes: employerTaxes,
  periodNetPay: netPay,
}

const isCounted = (figure: PayrollFigure, { periodId, ...dates }: Scope): Sql => {
  if (figure === 'pending') return sql`e.status = 'pending' ${within('e.pay_date', dates)}`
  const isKept = sql`not exists (select from payroll_voids v where v.payroll_id = e.id)`
  if (figure.startsWith('period'))
    return sql`e.status <> 'cancelled' and e.pay_period_id = ${periodId ?? 0} and ${isKept}`
  return sql`e.status = 'paid' and ${isKept} ${within('e.pay_date', dates)}`
}

// From the few adjustments to their entries: looking for adjustments of each entry takes seconds for a million entries.
const adjusted = ({ sides, sign = 1 }: Amount, counted: Sql) => sql`
  select e.earner_id, 0 as entries, null::date as day, ${sign}::integer * sum(a.difference) as amount
  from payroll_adjustments a join payroll_entries e on e.id = a.payroll_id
  where a.side = any(${sides}) and not exists (select from payroll_undos u where u.operation_id = a.operation_id) and ${counted}
  group by 1`

/** The earners behind a figure, with their part of it. */
export const payrollSource = (figure: PayrollFigure, scope: Scope): FigureSource => {
  const amount = amounts[figure]
  const counted = isCounted(figure, scope)
  return {
    rows: sql`
    select n.id, ${earnerName} as name, t.entries || case when t.entries = 1 then ' entry' else ' entries' end as detail, t.day, t.amount,
      null::bigint as user_id
    from (select earner_id, sum(entries) as entries, max(day) as day, sum(amount) as amount from (
      select e.earner_id, count(*) as entries, max(e.pay_date) as day, sum(${amount.ofEntry}) as amount
      from payroll_entries e where ${counted} group by 1
      union all ${adjusted(amount, counted)}) parts group by 1) t
    join earners n on n.id = t.earner_id left join stretchers s on s.id = n.stretcher_id left join workers w on w.id = n.worker_id`,
    value: 'sum',
  }
}
