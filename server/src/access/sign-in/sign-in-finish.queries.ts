import { sql } from 'kysely'
import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { MAX_IDLE_TIME, MAX_SESSION_AGE } from '../sessions/session.queries.ts'
import type { Attempt } from './attempt.queries.ts'
import { MAX_SESSIONS } from './attempt.rules.ts'

/** Uses the code's time step and advances the attempt, both in one statement. */
export async function consumeTotpStep(db: Db, attempt: Attempt, step: number, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<{ id: number }>`
    with used as (
      update workers set totp_last_step = ${step}, totp_failures = 0
      where id = ${attempt.worker_id} and status = 'active' and totp_confirmed_at is not null and totp_last_step < ${step}
      returning id)
    update sign_in_attempts a set stage = 'totp_ok', totp_ok_at = ${now}, token_hash = ${tokenHash}, tries = 0
    from used
    where a.id = ${attempt.id} and a.worker_id = used.id and a.stage = 'passkey_ok'
      and a.token_hash = ${attempt.token_hash} and a.expires_at > ${now}
    returning a.id`.execute(db)
  return rows.length === 1
}

/** Counts a wrong code. At the limit the secret is deleted, and the worker needs a new link. */
export async function countTotpFailure(db: Db, workerId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ totp_failures: number }>`
    update workers set totp_failures = totp_failures + 1,
      totp_secret = case when totp_failures + 1 >= ${limit} then null else totp_secret end,
      totp_confirmed_at = case when totp_failures + 1 >= ${limit} then null else totp_confirmed_at end
    where id = ${workerId} returning totp_failures`.execute(db)
  return rows[0]?.totp_failures ?? 0
}

export interface SessionDraft {
  flowHash: Buffer
  tokenHash: Buffer
  userKey: string
  sidHash: Buffer
  deviceHash: Buffer
  deviceLabel: string
  deviceExpiresAt: Date
  address: string
  browser: string
  now: Date
}

interface Opened {
  worker_id: number
  session_id: number
  new_device_id: number | null
  new_passkey_id: number | null
}

/**
 * Opens a session only if every step is valid when checked again: device, passkey and two-factor code confirmed in this
 * attempt by this browser, the attempt unused, the worker active, passkey and device not revoked. A passkey registered
 * in the attempt is stored in the same statement, only for a worker who has none.
 */
export async function openSession(db: Db, draft: SessionDraft): Promise<Opened | undefined> {
  const { now } = draft
  const { rows } = await sql<Opened>`
    with attempt as (
      update sign_in_attempts a set stage = 'consumed', consumed_at = ${now}
      from workers w
      where a.flow_hash = ${draft.flowHash} and a.token_hash = ${draft.tokenHash} and a.user_key = ${draft.userKey}
        and a.stage = 'totp_ok' and a.consumed_at is null and a.expires_at > ${now}
        and a.device_ok_at is not null and a.passkey_ok_at is not null and a.totp_ok_at is not null
        and w.id = a.worker_id and w.status = 'active' and w.totp_confirmed_at is not null
        and (a.device_id is null or exists (
          select 1 from devices d where d.id = a.device_id and d.worker_id = w.id and d.revoked_at is null))
        and case when a.pending_passkey is null
          then exists (select 1 from passkeys p where p.id = a.passkey_id and p.worker_id = w.id
            and p.confirmed_at is not null and p.revoked_at is null)
          else not exists (select 1 from passkeys p where p.worker_id = w.id
            and p.confirmed_at is not null and p.revoked_at is null) end
      returning a.*),
    added as (
      insert into passkeys (worker_id, credential_id, public_key, counter, transports, is_backup_eligible, is_backed_up,
        aaguid, name, created_at, confirmed_at, last_used_at)
      select t.worker_id, decode(translate(p."credentialId", '-_', '+/') || repeat('=', (4 - length(p."credentialId") % 4) % 4), 'base64'),
        decode(translate(p."publicKey", '-_', '+/') || repeat('=', (4 - length(p."publicKey") % 4) % 4), 'base64'),
        greatest(p.counter, t.passkey_counter), p.transports, p."isBackupEligible", t.passkey_backed_up,
        p.aaguid, p.name, ${now}, ${now}, ${now}
      from attempt t, jsonb_to_record(t.pending_passkey) as p("credentialId" text, "publicKey" text, counter bigint,
        transports text[], "isBackupEligible" boolean, aaguid text, name text)
      where t.pending_passkey is not null
      returning id),
    used as (
      update passkeys p set counter = greatest(p.counter, t.passkey_counter), is_backed_up = t.passkey_backed_up, last_used_at = ${now}
      from attempt t where p.id = t.passkey_id),
    known as (
      update devices d set last_used_at = ${now} from attempt t where d.id = t.device_id returning d.id),
    fresh as (
      insert into devices (worker_id, token_hash, label, created_at, last_used_at, expires_at)
      select t.worker_id, ${draft.deviceHash}, ${draft.deviceLabel}, ${now}, ${now}, ${draft.deviceExpiresAt}
      from attempt t where t.device_id is null
      returning id),
    crowded as (
      update sessions set ended_at = ${now}, ended_reason = 'too many sessions'
      where id in (
        select s.id from sessions s join attempt t on t.worker_id = s.worker_id
        where s.ended_at is null and s.last_seen_at > ${shift(now, -MAX_IDLE_TIME)} and s.created_at > ${shift(now, -MAX_SESSION_AGE)}
        order by s.created_at desc, s.id desc offset ${MAX_SESSIONS - 1})),
    opened as (
      insert into sessions (token_hash, worker_id, device_id, created_at, last_seen_at, stepped_up_at, address, browser)
      select ${draft.sidHash}, t.worker_id, coalesce((select id from known), (select id from fresh)), ${now}, ${now},
        t.passkey_ok_at, ${draft.address}, ${draft.browser}
      from attempt t
      returning id, worker_id)
    select worker_id, id as session_id, (select id from fresh) as new_device_id, (select id from added) as new_passkey_id
    from opened`.execute(db)
  return rows[0]
}
