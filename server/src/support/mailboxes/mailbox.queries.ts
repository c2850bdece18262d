import type { MailboxDraft } from '@limber/contract/support/mailboxes/mailbox.ts'
import { sql } from 'kysely'
import { SECOND } from '#platform/clock.ts'
import type { Db, Row } from '#platform/db/db.ts'
import { alive, isLost } from '#platform/jobs/lease.ts'

export type MailboxRow = Row<'mailboxes'>
export type MailboxSecrets = Pick<MailboxRow, 'imap_secret' | 'oauth_secret' | 'smtp_secret'>

/** Another process may read a mailbox after this silence. */
const SILENCE = 30 * SECOND

export const findMailboxes = (db: Db): Promise<MailboxRow[]> =>
  db.selectFrom('mailboxes').selectAll().orderBy('address').execute()

export const findMailbox = (db: Db, id: number): Promise<MailboxRow | undefined> =>
  db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirst()

/** Mailboxes whose last try failed and that were not read since a moment. */
export const findFailingMailboxes = (db: Db, since: Date) =>
  db
    .selectFrom('mailboxes')
    .select(['address', 'read_at'])
    .where('incoming', '=', 'imap')
    .where('is_enabled', '=', true)
    .where('error', 'is not', null)
    .where((row) => row.or([row('read_at', 'is', null), row('read_at', '<', since)]))
    .orderBy('address')
    .execute()

export const lockMailbox = (db: Db, id: number): Promise<MailboxRow | undefined> =>
  db.selectFrom('mailboxes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function countMailboxes(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from mailboxes`.execute(db)
  return rows[0]?.count ?? 0
}

type Settings = Omit<MailboxDraft, keyof MailboxSecrets> & MailboxSecrets

/** Undefined when another mailbox has the address. */
export const insertMailbox = (db: Db, settings: Settings, workerId: number, now: Date) =>
  db
    .insertInto('mailboxes')
    .values({ ...settings, created_by: workerId, created_at: now, starts_at: now })
    .onConflict((clash) => clash.constraint('mailboxes_address').doNothing())
    .returningAll()
    .executeTakeFirst()

/** A mailbox on another server is read from now on; the numbers of the old one mean nothing there. */
const fromNow = (now: Date) => ({ starts_at: now, uid_validity: null, last_uid: 0, last_message_at: null })

export const saveMailbox = (db: Db, id: number, settings: Settings, isElsewhere: boolean, now: Date) =>
  db
    .updateTable('mailboxes')
    .set((row) => ({
      ...settings,
      ...(isElsewhere && fromNow(now)),
      ...(settings.incoming === 'imap' && { forward_hash: null }),
      version: row('version', '+', 1),
      // The reader connects again with the new settings.
      runner: null,
      beat_at: null,
      connected_at: null,
      error: null,
      error_at: null,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const removeMailbox = (db: Db, id: number) => db.deleteFrom('mailboxes').where('id', '=', id).execute()

/** Claims the mailboxes that no living process reads, and returns them. */
export async function claimMailboxes(db: Db, runner: string): Promise<MailboxRow[]> {
  return db
    .updateTable('mailboxes')
    .set({ runner, ...alive })
    .where('incoming', '=', 'imap')
    .where('is_enabled', '=', true)
    .where(sql<boolean>`(runner is null or ${isLost(SILENCE)})`)
    .returningAll()
    .execute()
}

const own = (db: Db, id: number, runner: string) =>
  db.updateTable('mailboxes').where('id', '=', id).where('runner', '=', runner)

/** Renews a claim; false when the mailbox was changed, or another process has it. */
export const renewClaim = async (db: Db, id: number, runner: string): Promise<boolean> =>
  (await own(db, id, runner).set(alive).returning('id').executeTakeFirst()) !== undefined

export const releaseMailbox = (db: Db, id: number, runner: string) =>
  own(db, id, runner).set({ runner: null, beat_at: null, connected_at: null }).execute()

export const noteConnected = (db: Db, id: number, runner: string, now: Date) =>
  own(db, id, runner).set({ connected_at: now, error: null, error_at: null }).execute()

export const noteFailed = (db: Db, id: number, runner: string, error: string, now: Date) =>
  own(db, id, runner).set({ connected_at: null, error, error_at: now }).execute()

export const noteRead = (db: Db, id: number, runner: string, now: Date) =>
  own(db, id, runner).set({ read_at: now }).execute()

export interface ReadPosition {
  uid_validity: number
  last_uid: number
}

/** Moves the position, in the transaction that stores the email. False when this process no longer reads the mailbox. */
export async function advance(
  db: Db,
  id: number,
  runner: string,
  position: ReadPosition | undefined,
  receivedAt?: Date,
): Promise<boolean> {
  const moved = await own(db, id, runner)
    .set({ ...position, ...(receivedAt && { last_message_at: receivedAt }), ...alive })
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

/** Keeps the refresh token that came in place of another one, unless a person entered one meanwhile. */
export const replaceToken = (db: Db, id: number, before: Buffer, imap_secret: Buffer) =>
  db.updateTable('mailboxes').set({ imap_secret }).where('id', '=', id).where('imap_secret', '=', before).execute()

/** The key of the address that emails are posted to; the one before it stops working. */
export const setForwardHash = (db: Db, id: number, forward_hash: Buffer) =>
  db.updateTable('mailboxes').set({ forward_hash }).where('id', '=', id).execute()

export const findForwarded = (db: Db, hash: Buffer): Promise<MailboxRow | undefined> =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('forward_hash', '=', hash)
    .where('incoming', '=', 'forward')
    .executeTakeFirst()

/** Notes an email, in the transaction that stores it. False when the mailbox takes none from this address anymore. */
export async function noteReceived(
  db: Db,
  { id, forward_hash }: Pick<MailboxRow, 'id' | 'forward_hash'>,
  receivedAt: Date | null,
): Promise<boolean> {
  const noted = await db
    .updateTable('mailboxes')
    .set((row) => ({ last_message_at: receivedAt ?? row.ref('last_message_at') }))
    .where('id', '=', id)
    .where('incoming', '=', 'forward')
    .where('is_enabled', '=', true)
    .where('forward_hash', '=', forward_hash)
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}
