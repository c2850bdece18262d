import { EntryType } from '@limber/contract/payroll/values.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { readAmount } from '../tax/amount.rules.ts'
import type { EarnerPay } from './pay-period-file.rules.ts'

interface PayRow {
  earner_id: number
  first_name: string
  last_name: string
  type: EntryType
  amount: string
  withheld: string
  employer_tax: string
}

/** Who is paid what in a pay period, without canceled and voided entries. Taxes include adjustments. */
export async function findPayOfPeriod(db: Db, periodId: number): Promise<EarnerPay[]> {
  const { rows } = await sql<PayRow>`
    select e.earner_id, e.type,
      coalesce(s.first_name, regexp_replace(w.name, '\\s+\\S+$', '')) as first_name,
      coalesce(s.last_name, substring(w.name from '\\s(\\S+)$'), '') as last_name,
      sum(e.amount) as amount, sum(e.withheld + coalesce(a.employee, 0)) as withheld,
      sum(e.employer_tax + coalesce(a.employer, 0)) as employer_tax
    from payroll_entries e join earners n on n.id = e.earner_id
    left join stretchers s on s.id = n.stretcher_id left join workers w on w.id = n.worker_id
    left join lateral (
      select sum(a.difference) filter (where a.side = 'employee') as employee,
        sum(a.difference) filter (where a.side = 'employer') as employer
      from payroll_adjustments a where a.payroll_id = e.id
        and not exists (select from payroll_undos u where u.operation_id = a.operation_id)) a on true
    where e.pay_period_id = ${periodId} and e.status <> 'cancelled'
      and not exists (select from payroll_voids v where v.payroll_id = e.id)
    group by 1, 2, 3, 4 order by 4, 3, 1, 2`.execute(db)
  return [...Map.groupBy(rows, ({ earner_id }) => earner_id).values()].map(toPay)
}

function toPay(rows: readonly PayRow[]): EarnerPay {
  const [first] = rows
  if (!first) throw new Error('An earner without entries')
  const sum = (amounts: readonly string[]) => amounts.reduce((all, text) => all + readAmount(text), 0n)
  const amounts = Object.fromEntries(
    EntryType.options.map((type) => [type, sum(rows.filter((row) => row.type === type).map(({ amount }) => amount))]),
  ) as Record<EntryType, bigint>
  return {
    earner_id: first.earner_id,
    first_name: first.first_name,
    last_name: first.last_name,
    amounts,
    withheld: sum(rows.map(({ withheld }) => withheld)),
    employer_tax: sum(rows.map(({ employer_tax }) => employer_tax)),
  }
}
