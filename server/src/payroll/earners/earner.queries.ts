import { stringifyMoney } from '@limber/contract/kit/money.ts'
import type { ProfileBody } from '@limber/contract/payroll/earners/earner.ts'
import { readDollars } from '@limber/contract/payroll/values.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { earnerName, type ProfileRow } from '../audit/audit.queries.ts'

export interface EarnerRow {
  id: number
  name: string
  kind: 'stretcher' | 'worker'
  person_id: number
}
export type NamedProfileRow = ProfileRow & { worker_name: string | null }

const named = sql`select e.id, ${earnerName} as name, case when e.stretcher_id is null then 'worker' else 'stretcher' end as kind,
  coalesce(e.stretcher_id, e.worker_id) as person_id
  from earners e left join stretchers s on s.id = e.stretcher_id left join workers w on w.id = e.worker_id`

export async function findEarnerPage(db: Db, pattern: string | undefined, limit: number, offset: number) {
  const found = pattern === undefined ? sql`true` : sql`lower(name) like lower(${pattern})`
  const { rows } = await sql<EarnerRow>`
    select * from (${named}) n where ${found} order by lower(name), id limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from (${named}) n where ${found}`.execute(db)
  return { total: counted.rows[0]?.total ?? 0, rows }
}

export async function findEarner(db: Db, id: number): Promise<EarnerRow | undefined> {
  const { rows } = await sql<EarnerRow>`${named} where e.id = ${id}`.execute(db)
  return rows[0]
}

/** Tax profiles in order of effective date. */
export async function findNamedProfiles(db: Db, earnerIds: readonly number[]): Promise<NamedProfileRow[]> {
  const { rows } = await sql<NamedProfileRow>`
    select p.*, w.name as worker_name from earner_tax_profiles p left join workers w on w.id = p.worker_id
    where p.earner_id = any(${earnerIds}) order by p.earner_id, p.effective_from, p.id`.execute(db)
  return rows
}

const amount = (value: number) => stringifyMoney(readDollars(value))

export const insertProfile = (db: Db, earnerId: number, body: ProfileBody, workerId: number, now: Date) =>
  db
    .insertInto('earner_tax_profiles')
    .values({
      ...body,
      step3_credits: amount(body.step3_credits),
      step4a_income: amount(body.step4a_income),
      step4b_deductions: amount(body.step4b_deductions),
      step4c_extra: amount(body.step4c_extra),
      earner_id: earnerId,
      recorded_at: now,
      worker_id: workerId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
