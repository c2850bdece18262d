import type { ImapFlow } from 'imapflow'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { isUnavailable, sqlState } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { parseRoughly } from '../inbox/parse-mail.ts'
import { advance, type MailboxRow, type ReadPosition } from './mailbox.queries.ts'
import { type GivenMail, MAX_MAIL_BYTES, parseGiven, Superseded, storeMail } from './store-mail.ts'

export type ReaderNeeds = Pick<Services, 'db' | 'clock' | 'log' | 'keyring' | 'config' | 'company' | 'storage'>

/** The clocks of mail servers may be a little behind. */
const CLOCK_SKEW = 5 * MINUTE

/** What a reader knows of its mailbox. */
export interface Reading {
  mailbox: MailboxRow
  runner: string
  position: ReadPosition | undefined
  /** The email that could not be stored, and how often. */
  failed?: { uid: number; tries: number }
}

/**
 * Which emails to look at. Under a new numbering, that is every email since the mailbox was set up: those that were taken
 * already are recognized.
 */
async function findNew(client: ImapFlow, { position, mailbox }: Reading, isRenumbered: boolean): Promise<number[]> {
  const last = position?.last_uid ?? 0
  const query = isRenumbered ? { since: shift(mailbox.starts_at, -DAY) } : { uid: `${last + 1}:*` }
  const found = (await client.search(query, { uid: true })) || []
  // `n:*` always includes the last email.
  return found.filter((uid) => isRenumbered || uid > last).toSorted((a, b) => a - b)
}

/** Takes the emails that are new, each in one transaction with the position after it. Says how many were new. */
export async function readInbox(services: ReaderNeeds, client: ImapFlow, reading: Reading): Promise<number> {
  const box = client.mailbox
  if (!box) throw new Error('The mailbox is not open.')
  const uid_validity = Number(box.uidValidity)
  const isRenumbered = reading.position?.uid_validity !== uid_validity
  let taken = 0
  let last = Math.max(0, Number(box.uidNext ?? 1) - 1)
  for (const uid of await findNew(client, reading, isRenumbered)) {
    last = Math.max(last, uid)
    // Under a new numbering, the position moves at the end: after a crash, all of it is looked at again.
    const position = isRenumbered ? undefined : { uid_validity, last_uid: uid }
    if (await readOne(services, client, reading, uid, position)) taken += 1
    reading.position = position ?? reading.position
  }
  if (isRenumbered) {
    const position = { uid_validity, last_uid: last }
    if (!(await advance(services.db, reading.mailbox.id, reading.runner, position))) throw new Superseded()
    reading.position = position
  }
  return taken
}

async function readOne(
  services: ReaderNeeds,
  client: ImapFlow,
  reading: Reading,
  uid: number,
  position: ReadPosition | undefined,
): Promise<boolean> {
  const query = { source: { maxLength: MAX_MAIL_BYTES }, internalDate: true, size: true } as const
  const found = await client.fetchOne(String(uid), query, { uid: true })
  // Nothing came because the connection ended, not because the email is gone.
  if (!client.usable) throw Object.assign(new Error('connection closed'), { code: 'ECONNRESET' })
  const { starts_at } = reading.mailbox
  const date = found ? found.internalDate : undefined
  const arrived = date && new Date(date)
  // The emails from before, under a new numbering.
  const isOld = position === undefined && arrived !== undefined && arrived < shift(starts_at, -CLOCK_SKEW)
  if (found && found.source === undefined && !isItsFault(reading, uid, undefined))
    throw new Error('The mail server returned an email without its content.')
  if (!found || found.source === undefined || isOld) {
    if (position && !(await advance(services.db, reading.mailbox.id, reading.runner, position))) throw new Superseded()
    return false
  }
  const { source } = found
  const given = await parseGiven(source, (found.size ?? 0) > MAX_MAIL_BYTES)
  try {
    return await take(services, reading, given, position)
  } catch (error) {
    if (error instanceof Superseded || given.mail.kind === 'unreadable' || !isItsFault(reading, uid, error)) throw error
    services.log.warn('an email was not stored as it is', {
      name: `mailbox ${reading.mailbox.id}`,
      ...describeError(error),
    })
    // Its headers alone must not hold up the mailbox.
    return take(services, reading, { ...given, mail: parseRoughly(source) }, position)
  }
}

const MAX_TRIES = 3
/** More tries, because a slow statement looks like an outage. */
const MAX_TRIES_IN_OUTAGE = 20

/** Whether what an email contains is the reason that it was not stored. Otherwise it is read again later, complete. */
function isItsFault(reading: Reading, uid: number, error: unknown): boolean {
  // The database refuses the values themselves.
  if (/^(22|23502|23514)/.test(sqlState(error) ?? '')) return true
  const tries = reading.failed?.uid === uid ? reading.failed.tries + 1 : 1
  reading.failed = { uid, tries }
  return tries >= (isUnavailable(error) ? MAX_TRIES_IN_OUTAGE : MAX_TRIES)
}

/** Stores an email with the position after it, both or neither. */
const take = (services: ReaderNeeds, { mailbox, runner }: Reading, given: GivenMail, position?: ReadPosition) =>
  storeMail(services, mailbox, given, async ({ db, now }, isNew) => {
    if (!(await advance(db, mailbox.id, runner, position, isNew ? now : undefined))) throw new Superseded()
  })
