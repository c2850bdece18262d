import { MAX_MESSAGE_BYTES } from '@limber/contract/support/files/ticket-file.ts'
import type { ImapFlow } from 'imapflow'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { isRolledBack, isUnavailable, sqlState } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { discardFiles, type IncomingFile, storeFiles } from '../files/store-file.ts'
import { hasMail } from '../inbox/inbound.queries.ts'
import { MAX_PARTS, type ParsedMail, parseRoughly } from '../inbox/parse-mail.ts'
import { readMail } from '../inbox/read-mail.ts'
import { receiveMail } from '../inbox/receive-mail.ts'
import { advance, type MailboxRow, type ReadPosition } from './mailbox.queries.ts'

export type ReaderNeeds = Pick<Services, 'db' | 'clock' | 'log' | 'keyring' | 'config' | 'company' | 'storage'>

/** Another process reads the mailbox now, or its settings changed. */
export class Superseded extends Error {}

/** 25 MB of attachments and their encoding. Of a larger email, only the beginning is read. */
const MAX_BYTES = 40 * 1024 * 1024
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
  const query = { source: { maxLength: MAX_BYTES }, internalDate: true, size: true } as const
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
  const isCut = (found.size ?? 0) > MAX_BYTES
  const mail = isCut ? parseRoughly(source) : await readMail(source)
  const given = { source, isCut }
  try {
    return await take(services, reading, { ...given, mail }, position)
  } catch (error) {
    if (error instanceof Superseded || mail.kind === 'unreadable' || !isItsFault(reading, uid, error)) throw error
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
  if (/^2[23]/.test(sqlState(error) ?? '')) return true
  const tries = reading.failed?.uid === uid ? reading.failed.tries + 1 : 1
  reading.failed = { uid, tries }
  return tries >= (isUnavailable(error) ? MAX_TRIES_IN_OUTAGE : MAX_TRIES)
}

interface Given {
  mail: ParsedMail
  source: Buffer
  /** Only the beginning of the email was read. */
  isCut: boolean
}

/** The files of an email. Of one that cannot be read, the original is kept. */
function filesOf({ mail, source, isCut }: Given): IncomingFile[] {
  if (mail.kind === 'unreadable')
    return [{ filename: isCut ? 'beginning.eml' : 'original.eml', content: source, role: 'original', contentId: null }]
  return mail.files.map(({ filename, content, contentId, isInline }) => ({
    filename,
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    role: isInline ? 'inline' : 'attachment',
    contentId,
  }))
}

/** Stores the files of an email, then the email with the new position, both or neither. */
async function take(services: ReaderNeeds, { mailbox, runner }: Reading, given: Given, position?: ReadPosition) {
  const { mail } = given
  const isKnown = await hasMail(services.db, mailbox.id, mail.digest)
  const limits = {
    bytes: mail.kind === 'unreadable' ? MAX_BYTES : MAX_MESSAGE_BYTES,
    files: MAX_PARTS,
  }
  const files = isKnown ? [] : await storeFiles(services, filesOf(given), limits)
  try {
    const isNew = await runWork(services, { call: 'mailbox reader' }, async (work) => {
      const ticketId = await receiveMail(work, services, mailbox, mail, files)
      const isNew = ticketId !== undefined
      if (!(await advance(work.db, mailbox.id, runner, position, isNew ? work.now : undefined))) throw new Superseded()
      if (isNew) work.publish('mailboxes')
      return isNew
    })
    if (!isNew) await discardFiles(services, files)
    return isNew
  } catch (error) {
    // If the commit may have succeeded, the nightly sweep decides.
    if (error instanceof Superseded || isRolledBack(error)) await discardFiles(services, files)
    throw error
  }
}
