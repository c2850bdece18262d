import { codeOf } from '@limber/contract/access/permissions.ts'
import { sql } from 'kysely'
import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { MAX_IDLE_TIME, MAX_SESSION_AGE } from '../sessions/session.queries.ts'

const person = ['id', 'email', 'name'] as const

/** The recipient of an email. */
export const findPerson = (db: Db, workerId: number) =>
  db.selectFrom('workers').select(person).where('id', '=', workerId).executeTakeFirst()

export const findActiveByEmail = (db: Db, email: string) =>
  db.selectFrom('workers').select(person).where('email', '=', email).where('status', '=', 'active').executeTakeFirst()

/** Everyone else who manages access, to be notified. */
export const listAccessManagers = (db: Db, exceptId: number) =>
  db
    .selectFrom('workers')
    .select(person)
    .where('status', '=', 'active')
    .where('id', '!=', exceptId)
    .where(sql<boolean>`permissions @> array[${codeOf('access.manage')}]::text[]`)
    .orderBy('id')
    .limit(50)
    .execute()

/** The sign-in credentials of an active worker. The only read of the two-factor secret. */
export const findProofs = (db: Db, workerId: number | null) =>
  db
    .selectFrom('workers')
    .select(['id', 'email', 'name', 'handle', 'totp_secret', 'totp_confirmed_at'])
    .where('id', '=', workerId)
    .where('status', '=', 'active')
    .executeTakeFirst()
export type Proofs = NonNullable<Awaited<ReturnType<typeof findProofs>>>

/** Serializes changes to a worker's sessions and links. */
export const lockWorker = (db: Db, workerId: number) =>
  db.selectFrom('workers').select(['id', 'status']).where('id', '=', workerId).forUpdate().executeTakeFirst()

export interface WorkerRecord {
  id: number
  name: string
  email: string
  role: string | null
  status: 'invited' | 'active' | 'disabled'
  permissions: string[]
  created_at: Date
  version: number
  has_two_factor: boolean
  multi_device_at: Date | null
  last_seen_at: Date | null
  open_sessions: number
  link: 'none' | 'open' | 'expired' | 'used' | 'revoked'
  link_expires_at: Date | null
  is_last_owner: boolean
}

const isOwner = (alias: string) => sql.raw(`${alias}.role is not distinct from 'Owner' and ${alias}.status = 'active'`)

const record = (now: Date) => sql`
  w.id, w.name, w.email, w.role, w.status, w.permissions, w.created_at, w.version, w.multi_device_at,
  w.totp_confirmed_at is not null as has_two_factor,
  (select max(s.last_seen_at) from sessions s where s.worker_id = w.id) as last_seen_at,
  (select count(*) from sessions s where s.worker_id = w.id and s.ended_at is null
    and s.last_seen_at > ${shift(now, -MAX_IDLE_TIME)} and s.created_at > ${shift(now, -MAX_SESSION_AGE)}) as open_sessions,
  coalesce(case when l.used_at is not null then 'used' when l.revoked_at is not null then 'revoked'
    when l.expires_at <= ${now} then 'expired' when l.id is not null then 'open' end, 'none') as link,
  case when l.used_at is null and l.revoked_at is null then l.expires_at end as link_expires_at,
  (${isOwner('w')}) and not exists (select 1 from workers o where o.id <> w.id and ${isOwner('o')}) as is_last_owner
  from workers w left join lateral (
    select * from onboarding_links l where l.worker_id = w.id order by l.id desc limit 1) l on true`

export async function findWorker(db: Db, id: number, now: Date): Promise<WorkerRecord | undefined> {
  const { rows } = await sql<WorkerRecord>`select ${record(now)} where w.id = ${id}`.execute(db)
  return rows[0]
}

export interface WorkerFilter {
  search: string | undefined
  status: string | undefined
  role?: string | undefined
}

const matches = ({ search, status, role }: WorkerFilter) => sql`
  (${search ?? null}::text is null or (w.name || ' ' || w.email) ilike ${containing(search ?? '')})
  and (${status ?? null}::text is null or w.status = ${status ?? null})
  and (${role ?? null}::text is null or w.role = ${role ?? null})`

export async function listWorkerRecords(db: Db, filter: WorkerFilter, limit: number, offset: number, now: Date) {
  const { rows } = await sql<WorkerRecord>`
    select ${record(now)} where ${matches(filter)} order by w.name, w.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countWorkers(db: Db, filter: WorkerFilter): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from workers w where ${matches(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}
