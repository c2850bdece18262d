import { stringifyMoney } from '@limber/contract/kit/money.ts'
import type { ProfileBody } from '@limber/contract/payroll/earners/earner.ts'
import { readDollars, wageTypes } from '@limber/contract/payroll/values.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { earnerName, type ProfileRow } from '../audit/audit.queries.ts'

const wages = sql.join(wageTypes.map((type) => sql.lit(type)))

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

/** Earners with paid entries in a year, by name, and their number. */
export async function findEarnersPaidIn(
  db: Db,
  year: number,
  pattern: string | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  const found = pattern === undefined ? sql`true` : sql`lower(name) like lower(${pattern})`
  const { rows } = await sql<{ total: number } & (EarnerRow | { id: null })>`
    with matches as materialized (
      select * from (${named}) n where ${found} and exists (
        select from payroll_entries p where p.earner_id = n.id and p.status = 'paid'
          and p.pay_date between ${`${year}-01-01`} and ${`${year}-12-31`}))
    select t.total, m.* from (select count(*) as total from matches) t
    left join (select * from matches order by lower(name), id limit ${limit} offset ${offset}) m on true
    order by lower(m.name), m.id`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & EarnerRow => row.id !== null),
  }
}

export async function findEarner(db: Db, id: number): Promise<EarnerRow | undefined> {
  const { rows } = await sql<EarnerRow>`${named} where e.id = ${id}`.execute(db)
  return rows[0]
}

export interface CandidateRow {
  kind: 'stretcher' | 'worker'
  person_id: number
  name: string
  email: string
}

/** Stretchers and workers who are not earners, by name. */
export async function findCandidates(db: Db, pattern: string | undefined, limit: number): Promise<CandidateRow[]> {
  const found =
    pattern === undefined ? sql`true` : sql`(lower(name) like lower(${pattern}) or email like lower(${pattern}))`
  const { rows } = await sql<CandidateRow>`
    select * from (
      select 'stretcher' as kind, s.id as person_id, s.first_name || ' ' || s.last_name as name, s.email from stretchers s
      where not exists (select from earners e where e.stretcher_id = s.id)
      union all
      select 'worker', w.id, w.name, w.email from workers w
      where not exists (select from earners e where e.worker_id = w.id)) people
    where ${found} order by lower(name), kind, person_id limit ${limit}`.execute(db)
  return rows
}

type Person = { stretcher_id: number } | { worker_id: number }

/** The name of a stretcher or worker, with their earner if they have one. */
export async function findPerson(
  db: Db,
  person: Person,
): Promise<{ name: string; earner_id: number | null } | undefined> {
  const { rows } = await sql<{ name: string; earner_id: number | null }>`
    ${
      'stretcher_id' in person
        ? sql`select p.first_name || ' ' || p.last_name as name, e.id as earner_id from stretchers p
            left join earners e on e.stretcher_id = p.id where p.id = ${person.stretcher_id}`
        : sql`select p.name, e.id as earner_id from workers p
            left join earners e on e.worker_id = p.id where p.id = ${person.worker_id}`
    }`.execute(db)
  return rows[0]
}

export const insertEarner = (db: Db, person: Person, now: Date) =>
  db
    .insertInto('earners')
    .values({ stretcher_id: null, worker_id: null, ...person, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()

export interface YearSums {
  wages: string
  reimbursements: string
  withheld: string
  employer_tax: string
}

/** What somebody else paid to an earner in a year. */
export async function sumHistory(db: Db, earnerId: number, year: number): Promise<YearSums> {
  const { rows } = await sql<YearSums>`
    select coalesce(sum(amount) filter (where type in (${wages})), 0) as wages,
      coalesce(sum(amount) filter (where type not in (${wages})), 0) as reimbursements,
      coalesce(sum(withheld), 0) as withheld, coalesce(sum(employer_tax), 0) as employer_tax
    from payroll_history where earner_id = ${earnerId} and voided_at is null
      and pay_date between ${`${year}-01-01`} and ${`${year}-12-31`}`.execute(db)
  return rows[0] ?? { wages: '0', reimbursements: '0', withheld: '0', employer_tax: '0' }
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
