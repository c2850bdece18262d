import { sql } from 'kysely'
import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { delayAfter, FAILURE_MEMORY, MAX_SENDS, MAX_STARTS, MAX_TRIES, type Stage } from './attempt.rules.ts'

/** Looks up an email in one statement that takes the same time for every email. */
export async function findForSignIn(db: Db, email: string, deviceHash: Buffer | null, now: Date) {
  const { rows } = await sql<{
    worker_id: number | null
    email: string | null
    device_id: number | null
    has_passkey: boolean
  }>`
    select w.id as worker_id, w.email, d.id as device_id,
      exists (select 1 from passkeys p where p.worker_id = w.id and p.confirmed_at is not null and p.revoked_at is null) as has_passkey
    from (select ${email}::text as email) asked
    left join workers w on w.email = asked.email and w.status = 'active'
    left join devices d on d.worker_id = w.id and d.token_hash = ${deviceHash}::bytea
      and d.revoked_at is null and d.expires_at > ${now}`.execute(db)
  return rows[0]
}

/** A passkey registered in a sign-in attempt. It is stored with the attempt until the sign-in completes. */
export interface PendingPasskey {
  credentialId: string
  publicKey: string
  counter: number
  transports: string[]
  isBackupEligible: boolean
  isBackedUp: boolean
  aaguid: string
  name: string
}

declare module '#platform/db/column-types.ts' {
  interface JsonColumns {
    'sign_in_attempts.pending_passkey': PendingPasskey
  }
}

export interface AttemptDraft {
  workerId: number | null
  email: string
  userKey: string
  deviceKey: string
  deviceId: number | null
  flowHash: Buffer
  tokenHash: Buffer
  codeMac: string | null
  now: Date
  expiresAt: Date
}

/** Starts an attempt. A known device skips the code. */
export const insertAttempt = (db: Db, draft: AttemptDraft) =>
  db
    .insertInto('sign_in_attempts')
    .values({
      worker_id: draft.workerId,
      email: draft.email,
      user_key: draft.userKey,
      device_key: draft.deviceKey,
      device_id: draft.deviceId,
      flow_hash: draft.flowHash,
      token_hash: draft.tokenHash,
      stage: draft.deviceId === null ? 'code_sent' : 'device_ok',
      device_ok_at: draft.deviceId === null ? null : draft.now,
      code_mac: draft.codeMac,
      pending_passkey: null,
      passkey_id: null,
      passkey_counter: null,
      passkey_backed_up: null,
      passkey_ok_at: null,
      totp_ok_at: null,
      consumed_at: null,
      dead_reason: null,
      created_at: draft.now,
      expires_at: draft.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

const columns = [
  'id',
  'worker_id',
  'email',
  'user_key',
  'device_key',
  'device_id',
  'token_hash',
  'stage',
  'code_mac',
  'sends',
  'tries',
  'pending_passkey',
  'expires_at',
] as const

const open = (db: Db, flowHash: Buffer, tokenHash: Buffer, stages: readonly Stage[], now: Date) =>
  db
    .updateTable('sign_in_attempts')
    .where('flow_hash', '=', flowHash)
    .where('token_hash', '=', tokenHash)
    .where('stage', 'in', stages)
    .where('expires_at', '>', now)
    .where('consumed_at', 'is', null)
    .returning(columns)

/** Counts a try and returns the attempt, locked for the transaction, so that parallel tries are counted in order. */
export const claimTry = (db: Db, flowHash: Buffer, tokenHash: Buffer, stages: readonly Stage[], now: Date) =>
  open(db, flowHash, tokenHash, stages, now)
    .set({ tries: sql`tries + 1` })
    .where('tries', '<', MAX_TRIES)
    .executeTakeFirst()

/** The same for a request of a challenge, which has its own limit. */
export const claimStart = (db: Db, flowHash: Buffer, tokenHash: Buffer, stages: readonly Stage[], now: Date) =>
  open(db, flowHash, tokenHash, stages, now)
    .set({ starts: sql`starts + 1` })
    .where('starts', '<', MAX_STARTS)
    .where('tries', '<', MAX_TRIES)
    .executeTakeFirst()

/** The same for resending the code. The tries stay counted. */
export const claimResend = (db: Db, flowHash: Buffer, tokenHash: Buffer, now: Date) =>
  open(db, flowHash, tokenHash, ['code_sent'], now)
    .set({ sends: sql`sends + 1` })
    .where('sends', '<', MAX_SENDS)
    .where('tries', '<', MAX_TRIES)
    .executeTakeFirst()

export type Attempt = NonNullable<Awaited<ReturnType<typeof claimTry>>>

export const findAttempt = (db: Db, flowHash: Buffer) =>
  db
    .selectFrom('sign_in_attempts')
    .select([...columns, 'consumed_at'])
    .where('flow_hash', '=', flowHash)
    .forUpdate()
    .executeTakeFirst()

interface Progress {
  token_hash: Buffer
  stage: Stage
  code_mac?: string | null
  tries?: number
  device_ok_at?: Date
  passkey_ok_at?: Date
  pending_passkey?: string
  passkey_id?: number | null
  passkey_counter?: number
  passkey_backed_up?: boolean
}

/** Advances an attempt if it did not change and its worker is active. */
export const advance = (db: Db, attempt: Attempt, progress: Progress, now: Date) =>
  db
    .updateTable('sign_in_attempts')
    .set({ tries: 0, ...progress })
    .where('id', '=', attempt.id)
    .where('token_hash', '=', attempt.token_hash)
    .where('stage', '=', attempt.stage)
    .where('expires_at', '>', now)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('workers as w')
          .select('w.id')
          .whereRef('w.id', '=', 'sign_in_attempts.worker_id')
          .where('w.status', '=', 'active'),
      ),
    )
    .returning('id')
    .executeTakeFirst()

interface NewCode {
  codeMac: string | null
  tokenHash: Buffer
  expiresAt: Date
}

/** Replaces the code and restarts the lifetime. A decoy gets no code but behaves the same. */
export const replaceCode = (db: Db, attemptId: number, { codeMac, tokenHash, expiresAt }: NewCode) =>
  db
    .updateTable('sign_in_attempts')
    .set({ code_mac: codeMac, token_hash: tokenHash, expires_at: expiresAt })
    .where('id', '=', attemptId)
    .execute()

export const killAttempt = (db: Db, attemptId: number, reason: string) =>
  db
    .updateTable('sign_in_attempts')
    .set({ stage: 'dead', dead_reason: reason })
    .where('id', '=', attemptId)
    .where('stage', '!=', 'consumed')
    .execute()

/** Ends all open attempts of a worker. */
export const killAttemptsOf = (db: Db, workerId: number, reason: string) =>
  db
    .updateTable('sign_in_attempts')
    .set({ stage: 'dead', dead_reason: reason })
    .where('worker_id', '=', workerId)
    .where('stage', 'not in', ['consumed', 'dead'])
    .execute()

/** Undoes the count of a try that was not checked. */
export const undoTry = (db: Db, attemptId: number) =>
  db.updateTable('sign_in_attempts').set({ tries: sql`greatest(tries - 1, 0)` }).where('id', '=', attemptId).execute()

/** The failures of a key, locked for the transaction, so that parallel guesses are counted in order. */
export async function lockFailures(db: Db, key: string, now: Date) {
  const { rows } = await sql<{ failures: number; blocked_until: Date | null }>`
    insert into sign_in_failures (key, failures, last_failed_at) values (${key}, 0, ${now})
    on conflict (key) do update set key = excluded.key
    returning failures, blocked_until`.execute(db)
  return rows[0] ?? { failures: 0, blocked_until: null }
}

/** Counts a failure and returns the total. The count resets after a quiet period. */
export async function countFailure(db: Db, key: string, now: Date): Promise<number> {
  const quietSince = shift(now, -FAILURE_MEMORY)
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures (key, failures, last_failed_at) values (${key}, 1, ${now})
    on conflict (key) do update set last_failed_at = ${now}, failures = case
      when greatest(sign_in_failures.last_failed_at, coalesce(sign_in_failures.blocked_until, '-infinity')) < ${quietSince} then 1
      else sign_in_failures.failures + 1 end
    returning failures`.execute(db)
  const failures = rows[0]?.failures ?? 1
  const delay = delayAfter(failures)
  if (delay > 0)
    await db
      .updateTable('sign_in_failures')
      .set({ blocked_until: shift(now, delay) })
      .where('key', '=', key)
      .execute()
  return failures
}

export const clearFailures = (db: Db, key: string) => db.deleteFrom('sign_in_failures').where('key', '=', key).execute()
