import { sql } from 'kysely'
import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import { lockWorker } from '../workers/worker.queries.ts'
import { LINK_LIFE } from './onboarding.rules.ts'

/** Creates a link for a worker. Older links and their setup are discarded, because someone else may have had them. */
export async function issueLink(db: Db, workerId: number, purpose: 'invite' | 'recovery', now: Date) {
  // The lock makes the second of two concurrent calls revoke the link of the first.
  await lockWorker(db, workerId)
  await revokeLinks(db, workerId, now)
  const token = randomToken()
  const { id } = await db
    .insertInto('onboarding_links')
    .values({
      worker_id: workerId,
      token_hash: hashToken(token),
      purpose,
      created_at: now,
      expires_at: shift(now, LINK_LIFE),
      used_at: null,
      revoked_at: null,
      totp_secret: null,
      totp_confirmed_at: null,
      multi_device_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token }
}

/** Whether the worker has an open link that was created after `since`. */
export const hasOpenLink = async (db: Db, workerId: number, since: Date, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('onboarding_links')
    .select('id')
    .where('worker_id', '=', workerId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('created_at', '>', since)
    .where('expires_at', '>', now)
    .executeTakeFirst()) !== undefined

/** Revokes open links, deletes their unconfirmed passkeys, and returns the number of links. */
export async function revokeLinks(db: Db, workerId: number, now: Date): Promise<number> {
  const revoked = await db
    .updateTable('onboarding_links')
    .set({ revoked_at: now, totp_secret: null })
    .where('worker_id', '=', workerId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  await db
    .deleteFrom('passkeys')
    .where('worker_id', '=', workerId)
    .where('link_id', 'is not', null)
    .where('confirmed_at', 'is', null)
    .execute()
  return revoked.length
}

/** The link of a token in any state, locked for the transaction. */
export async function findLink(db: Db, token: string) {
  const link = await db
    .selectFrom('onboarding_links as l')
    .innerJoin('workers as w', 'w.id', 'l.worker_id')
    .select([
      'l.id',
      'l.worker_id',
      'l.purpose',
      'l.expires_at',
      'l.used_at',
      'l.revoked_at',
      'l.totp_secret',
      'l.totp_confirmed_at',
      'l.totp_tries',
      'l.multi_device_at',
      'w.email',
      'w.role',
      'w.name',
      'w.handle',
      'w.status',
    ])
    .where('l.token_hash', '=', hashToken(token))
    .forUpdate('l')
    .executeTakeFirst()
  if (!link) return undefined
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('link_id', '=', link.id)
    .execute()
  return { ...link, passkeys }
}
export type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

type LinkProgress = Partial<{
  totp_secret: Buffer | null
  totp_confirmed_at: Date
  totp_last_step: number
  totp_tries: number
  multi_device_at: Date
}>

export const updateLink = (db: Db, linkId: number, progress: LinkProgress) =>
  db.updateTable('onboarding_links').set(progress).where('id', '=', linkId).execute()

/**
 * Completes a link whose steps are all done and activates its setup, in one statement. Old passkeys, known browsers and
 * sessions end here and not earlier.
 */
export async function completeLink(db: Db, linkId: number, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with link as (
      update onboarding_links l set used_at = ${now}
      where l.id = ${linkId} and l.used_at is null and l.revoked_at is null and l.expires_at > ${now}
        and l.totp_secret is not null and l.totp_confirmed_at is not null and l.multi_device_at is not null
        and exists (select 1 from passkeys p where p.link_id = l.id)
      returning *),
    worker as (
      update workers w set status = 'active', totp_secret = link.totp_secret, totp_confirmed_at = link.totp_confirmed_at,
        totp_last_step = link.totp_last_step, totp_failures = 0, multi_device_at = link.multi_device_at,
        onboarded_at = coalesce(w.onboarded_at, ${now}), version = w.version + 1
      from link
      where w.id = link.worker_id and w.status = case link.purpose when 'invite' then 'invited' else 'active' end
      returning w.id),
    old as (
      update passkeys p set revoked_at = ${now} from worker
      where p.worker_id = worker.id and p.revoked_at is null and p.link_id is distinct from ${linkId}),
    fresh as (
      update passkeys p set confirmed_at = ${now} from worker where p.worker_id = worker.id and p.link_id = ${linkId}),
    browsers as (
      update devices d set revoked_at = ${now} from worker where d.worker_id = worker.id and d.revoked_at is null),
    ended as (
      update sessions s set ended_at = ${now}, ended_reason = 'access recovered' from worker
      where s.worker_id = worker.id and s.ended_at is null),
    tidied as (
      update onboarding_links l set totp_secret = null from worker where l.worker_id = worker.id and l.id <> ${linkId})
    select id from worker`.execute(db)
  return rows[0]?.id
}
