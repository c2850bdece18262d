import { isAddress } from '@limber/contract/kit/values.ts'
import type { SentMessageInfo, Transporter } from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { CompanySettings } from '../company/company-settings.ts'
import type { MailConnection, Sender } from '../company/mail-connection.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { Deliver } from '../outbox/outbox.ts'
import { UndeliverableError } from '../outbox/undeliverable.ts'
import { isSuppressed, OPTED_OUT, suppress } from './suppressions.ts'

/** An email as the outbox stores it. */
export interface Mail {
  to: string
  subject: string
  text: string
  html?: string
  headers?: Record<string, string>
  /** A bulk email: not sent to people who have opted out by then. */
  isBulk?: boolean
  /** The mailbox that it leaves from. */
  mailbox?: number
}

/** Whom the emails of a mailbox come from, and its own mail server, if it has one. Undefined once it was deleted. */
export type FindSender = (
  mailbox: number,
) => Promise<{ sender: Sender; server: MailConnection | undefined } | undefined>

// A silent mail server must not block a courier for minutes.
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

const breaks = /[\r\n\0]/

/** True for text without line breaks, which would inject headers. */
export function isHeaderSafe(...texts: string[]): boolean {
  return texts.every((text) => !breaks.test(text))
}

/** A stable Message-ID per key: mail software recognizes a repeated delivery, and replies can refer to it. */
export const messageIdOf = (key: string, hostname: string) => `<${Buffer.from(key).toString('base64url')}@${hostname}>`

/** The mail server, and whom emails come from. */
export type MailSetup = Pick<CompanySettings, 'mail' | 'sender' | 'replyTo'>

/** Sends by SMTP when a mail server is set up; otherwise, on the embedded database, into the local mailbox. */
export function makeMailDelivery(
  setup: MailSetup,
  config: Pick<Config, 'isEmbedded' | 'hostname'>,
  db: Db,
  clock: Clock,
  timeouts = TIMEOUTS,
  findSender?: FindSender,
): Deliver | undefined {
  const deliver = setup.mail
    ? deliverBySmtp(setup.mail, setup, config.hostname, timeouts, findSender)
    : config.isEmbedded
      ? deliverToMailbox(db, clock)
      : undefined
  return deliver && withConsent(deliver, db, clock)
}

/** The mail server does not know the address. It is suppressed for bulk emails. */
const isUnknownAddress = (error: unknown) =>
  error instanceof UndeliverableError && /\b5\.1\.[0-36]\b/.test(error.message)

/** Checks consent for bulk emails at delivery, which may be days after they were enqueued. */
function withConsent(deliver: Deliver, db: Db, clock: Clock): Deliver {
  return async (payload, key) => {
    const { isBulk, ...mail } = payload as Mail
    if (!isBulk) return deliver(mail, key)
    if (await isSuppressed(db, 'mail', mail.to)) throw new UndeliverableError(OPTED_OUT)
    try {
      return await deliver(mail, key)
    } catch (error) {
      if (isUnknownAddress(error))
        await suppress(db, mail.to, { channel: 'mail', reason: 'hard_bounce', source: 'delivery' }, clock.now())
      throw error
    }
  }
}

function deliverBySmtp(
  connection: MailConnection,
  setup: MailSetup,
  hostname: string,
  timeouts: typeof TIMEOUTS,
  findSender: FindSender | undefined,
): Deliver {
  let transport: Promise<Transporter> | undefined
  const transportFor = (server: MailConnection | undefined) => {
    if (server) return openTransport(server, timeouts)
    transport ??= openTransport(connection, timeouts)
    return transport
  }
  return async (payload, key) => {
    const { mailbox, ...mail } = payload as Mail
    if (!isAddress(mail.to)) throw new UndeliverableError('This is not a valid email address.')
    if (!isHeaderSafe(mail.subject)) throw new UndeliverableError('The subject contains a line break.')
    const messageId = messageIdOf(key, hostname)
    // As an object, so that the library does not parse the checked address for names, comments and lists.
    const to = { name: '', address: mail.to }
    const own = mailbox === undefined ? undefined : await findSender?.(mailbox)
    // Replies to a mailbox's address come back to it.
    const from = own ? { from: own.sender } : senderHeaders(setup)
    try {
      const sent = await (await transportFor(own?.server)).sendMail({ ...from, ...mail, to, messageId })
      return { outsideId: sent.messageId }
    } catch (error) {
      const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
      if (code >= 550 && code < 560 && code !== 552)
        throw new UndeliverableError(error instanceof Error ? error.message : 'refused')
      throw error
    }
  }
}

const senderHeaders = ({ sender, replyTo }: Pick<MailSetup, 'sender' | 'replyTo'>) => ({
  from: sender,
  ...(replyTo && { replyTo }),
})

async function openTransport({ server }: MailConnection, timeouts = TIMEOUTS): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  if (typeof server === 'string') return createTransport({ url: server, ...timeouts })
  const { host, port, security, user, password } = server
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user && { auth: { user, pass: password } }),
    ...timeouts,
  })
}

/** Sends one email right away and returns the server's answer. Throws on failure. */
export async function sendNow(
  connection: MailConnection,
  setup: Pick<MailSetup, 'sender' | 'replyTo'>,
  mail: Pick<Mail, 'to' | 'subject' | 'text'>,
): Promise<string> {
  const transport = await openTransport(connection)
  try {
    const to = { name: '', address: mail.to }
    const { response }: SentMessageInfo = await transport.sendMail({ ...senderHeaders(setup), ...mail, to })
    return String(response)
  } finally {
    transport.close()
  }
}

/** Connects to the mail server and signs in if it has credentials. Throws on failure. */
export async function checkMailServer(connection: MailConnection): Promise<void> {
  const transport = await openTransport(connection)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

function deliverToMailbox(db: Db, clock: Clock): Deliver {
  return async (payload) => {
    const { to, subject, text, html } = payload as Mail
    const row = await db
      .insertInto('mailbox')
      .values({ to_address: to, subject, text, html: html ?? null, created_at: clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { outsideId: `mailbox-${row.id}` }
  }
}
