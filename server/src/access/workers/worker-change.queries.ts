import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { findWorker, type WorkerRecord } from './worker.queries.ts'

const OWNERS_LOCK = 7_214_010

export interface WorkerDraft {
  email: string
  name: string
  role: string | null
  permissions: readonly string[]
}

/** Creates an invited worker, unless the email is taken. */
export const insertWorker = (db: Db, draft: WorkerDraft, now: Date) =>
  db
    .insertInto('workers')
    .values({
      email: draft.email,
      name: draft.name,
      role: draft.role,
      permissions: [...draft.permissions],
      handle: randomBytes(32),
      status: 'invited',
      totp_secret: null,
      totp_confirmed_at: null,
      multi_device_at: null,
      onboarded_at: null,
      disabled_at: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(['id', 'email', 'name'])
    .executeTakeFirst()

// Two changes that each leave another Owner could together leave none, so they are serialized.
export const lockOwners = (db: Db) => sql`select pg_advisory_xact_lock(${OWNERS_LOCK})`.execute(db)

const anotherOwner = sql<boolean>`(w.role is distinct from 'Owner' or w.status <> 'active' or exists (
  select 1 from workers o where o.id <> w.id and o.role = 'Owner' and o.status = 'active'))`

export interface PermissionChange {
  role: string | null
  permissions: readonly string[]
}

/** Loads a worker with a row lock. */
export async function lockWorker(db: Db, id: number, now: Date): Promise<WorkerRecord | undefined> {
  await sql`select from workers where id = ${id} for no key update`.execute(db)
  return findWorker(db, id, now)
}

/** Changes role and permissions unless the company would have no Owner left. */
export async function updatePermissions(db: Db, workerId: number, change: PermissionChange): Promise<boolean> {
  await lockOwners(db)
  const { rows } = await sql`
    update workers w set role = ${change.role}, permissions = ${change.permissions}::text[], version = w.version + 1
    where w.id = ${workerId} and (${change.role}::text = 'Owner' or ${anotherOwner})
    returning w.id`.execute(db)
  return rows.length === 1
}

/** Changes name and email if the version still matches. */
export async function updatePerson(
  db: Db,
  workerId: number,
  { name, email, version }: { name: string; email: string; version: number },
): Promise<boolean> {
  const saved = await db
    .updateTable('workers')
    .set({ name, email, version: sql`version + 1` })
    .where('id', '=', workerId)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
}

/** Disables a worker and ends sessions, browsers and links, unless it is the last Owner. */
export async function disableAccount(db: Db, workerId: number, now: Date): Promise<boolean> {
  await lockOwners(db)
  const { rows } = await sql`
    with worker as (
      update workers w set status = 'disabled', disabled_at = ${now}, version = w.version + 1
      where w.id = ${workerId} and ${anotherOwner} returning w.id),
    ended as (
      update sessions s set ended_at = ${now}, ended_reason = 'worker disabled' from worker
      where s.worker_id = worker.id and s.ended_at is null),
    browsers as (
      update devices d set revoked_at = ${now} from worker where d.worker_id = worker.id and d.revoked_at is null),
    links as (
      update onboarding_links l set revoked_at = ${now}, totp_secret = null from worker
      where l.worker_id = worker.id and l.used_at is null and l.revoked_at is null)
    select id from worker`.execute(db)
  return rows.length === 1
}

/** Enables a disabled worker: active if onboarding was completed before, else invited. */
export const enableAccount = (db: Db, workerId: number) =>
  db
    .updateTable('workers')
    .set({
      status: sql<'active' | 'invited'>`case when onboarded_at is null then 'invited' else 'active' end`,
      disabled_at: null,
      version: sql`version + 1`,
    })
    .where('id', '=', workerId)
    .where('status', '=', 'disabled')
    .returning('id')
    .executeTakeFirst()

export const findInvited = (db: Db, email: string) =>
  db
    .selectFrom('workers')
    .select(['id', 'email', 'name'])
    .where('email', '=', email)
    .where('status', '=', 'invited')
    .executeTakeFirst()

/** The first invited Owner. */
export const findInvitedOwner = (db: Db) =>
  db
    .selectFrom('workers')
    .select(['id', 'email', 'name', 'version'])
    .where('role', '=', 'Owner')
    .where('status', '=', 'invited')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Whether anyone has onboarded. */
export const hasOnboarded = async (db: Db) =>
  (await db
    .selectFrom('workers')
    .select('id')
    .where((eb) => eb.or([eb('onboarded_at', 'is not', null), eb('status', '=', 'active')]))
    .limit(1)
    .executeTakeFirst()) !== undefined
