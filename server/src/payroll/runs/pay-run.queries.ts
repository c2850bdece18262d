import { parseMoney, stringifyMoney } from '@limber/contract/kit/money.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { Due, PaidGroup, Payment } from './pay-run.rules.ts'

interface PaidRow extends Omit<PaidGroup, 'net' | 'taxes'> {
  entries: number
  net: string
  taxes: string
}

/** Marks due entries as paid and returns sums by earner, period and kind. */
export async function payEntriesDue(db: Db, today: string, now: Date): Promise<{ paid: number; groups: PaidGroup[] }> {
  const { rows } = await sql<PaidRow>`
    with paid as (
      update payroll_entries set status = 'paid', paid_at = ${now} where status = 'pending' and pay_date <= ${today}
      returning earner_id, pay_period_id, pay_date, type, net_pay, withheld + employer_tax as taxes
    )
    select earner_id, pay_period_id, case when type in ('mileage', 'expense_reimbursement') then 'reimbursement' else 'net_pay' end as kind,
      max(pay_date)::text as pay_date, count(*) as entries, sum(net_pay) as net, sum(taxes) as taxes
    from paid group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return {
    paid: rows.reduce((sum, { entries }) => sum + entries, 0),
    groups: rows.map(({ entries: _, net, taxes, ...group }) => ({
      ...group,
      net: parseMoney(net),
      taxes: parseMoney(taxes),
    })),
  }
}

/** Open dues, oldest first. */
export async function findOpenDues(db: Db): Promise<Due[]> {
  const { rows } = await sql<{ id: number; earner_id: number | null; remaining: string }>`
    select id, earner_id, remaining from payroll_dues where remaining <> 0 order by id`.execute(db)
  return rows.map((row) => ({ ...row, remaining: parseMoney(row.remaining) }))
}

/** Inserts transactions and their settlements. A deposit is pending until someone records its outcome. */
export async function insertPayments(db: Db, payments: readonly Payment[], now: Date) {
  if (payments.length === 0) return
  const { rows: ids } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('payroll_transactions', 'id')) as id
    from generate_series(1, ${payments.length})`.execute(db)
  const numbered = payments.map((payment, index) => ({ ...payment, id: Number(ids[index]?.id) }))
  const transactions = numbered.map(({ lines: _, amount, ...payment }) => ({
    ...payment,
    amount: stringifyMoney(amount),
    status: payment.transaction_type === 'tax_deposit' && amount > 0n ? 'pending' : 'completed',
  }))
  await sql`
    insert into payroll_transactions (id, transaction_type, amount, status, earner_id, pay_period_id, created_at)
    select r.id, r.transaction_type, r.amount, r.status, r.earner_id, r.pay_period_id, ${now}
    from jsonb_to_recordset(${JSON.stringify(transactions)}::jsonb)
      as r(id bigint, transaction_type text, amount numeric, status text, earner_id bigint, pay_period_id bigint)`.execute(
    db,
  )
  const lines = numbered.flatMap(({ id, lines: own }) =>
    own.map(({ due_id, amount }) => ({ transaction_id: id, due_id, amount: stringifyMoney(amount) })),
  )
  if (lines.length === 0) return
  await sql`
    with line as (
      insert into payroll_settlements (due_id, transaction_id, amount)
      select r.due_id, r.transaction_id, r.amount
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r(due_id bigint, transaction_id bigint, amount numeric)
      returning due_id, amount
    )
    update payroll_dues d set settled = d.settled + l.amount
    from (select due_id, sum(amount) as amount from line group by 1) l where d.id = l.due_id`.execute(db)
}
