import { Readable } from 'node:stream'
import { isAddress } from '@limber/contract/kit/values.ts'
import type { SentMessageInfo, Transporter } from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { CompanySettings } from '../company/company-settings.ts'
import type { MailConnection, Sender } from '../company/mail-connection.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { type Deliver, NotConnectedError } from '../outbox/outbox.ts'
import { UndeliverableError } from '../outbox/undeliverable.ts'
import type { Storage } from '../storage/storage.ts'
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
  /** Files from the storage. */
  files?: readonly MailFile[]
}

export interface MailFile {
  key: string
  filename: string
  type: string
}

/** Whom the emails of a mailbox come from, and its own mail server, if it has one. Undefined once it was deleted. */
export type FindSender = (mailbox: number) => Promise<
  | {
      sender: Sender
      server: MailConnection | undefined
      /** The server refused the sign-in. */
      refused?(): void
    }
  | undefined
>

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

/** Whether emails of every kind can leave. Without it, only those of a mailbox with its own mail server can. */
export const isMailConnected = ({ mail }: Pick<MailSetup, 'mail'>, { isEmbedded }: Pick<Config, 'isEmbedded'>) =>
  mail !== undefined || isEmbedded

interface MailParts {
  timeouts?: typeof TIMEOUTS | undefined
  findSender?: FindSender | undefined
  /** Where attached files are. */
  storage?: Pick<Storage, 'get'>
}

/**
 * Sends by the mail server of the email's mailbox, or by that of the company. Without either, emails go to the local
 * mailbox on the embedded database, and wait elsewhere.
 */
export function makeMailDelivery(
  setup: MailSetup,
  config: Pick<Config, 'isEmbedded' | 'hostname'>,
  db: Db,
  clock: Clock,
  parts: MailParts = {},
): Deliver {
  const send = deliverBySmtp(setup, config.hostname, parts)
  const otherwise = config.isEmbedded ? deliverToMailbox(db, clock) : waitForServer
  return withConsent(
    async (payload, key) => {
      const { mailbox } = payload as Mail
      const own = mailbox === undefined ? undefined : await parts.findSender?.(mailbox)
      return setup.mail || own?.server ? send(payload as Mail, key, own) : otherwise(payload, key)
    },
    db,
    clock,
  )
}

const waitForServer: Deliver = async () => {
  throw new NotConnectedError()
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

type Own = Awaited<ReturnType<FindSender>>

function deliverBySmtp(setup: MailSetup, hostname: string, { timeouts = TIMEOUTS, storage }: MailParts) {
  let transport: Promise<Transporter> | undefined
  const transportFor = (server: MailConnection | undefined) => {
    if (server) return openTransport(server, timeouts)
    if (!setup.mail) throw new Error('No mail server is set up.')
    transport ??= openTransport(setup.mail, timeouts)
    return transport
  }
  return async (payload: Mail, key: string, own: Own) => {
    const { mailbox: _, files = [], ...mail } = payload
    if (!isAddress(mail.to)) throw new UndeliverableError('This is not a valid email address.')
    if (!isHeaderSafe(mail.subject)) throw new UndeliverableError('The subject contains a line break.')
    const messageId = messageIdOf(key, hostname)
    // As an object, so that the library does not parse the checked address for names, comments and lists.
    const to = { name: '', address: mail.to }
    // Replies to a mailbox's address come back to it.
    const from = own ? { from: own.sender } : senderHeaders(setup)
    const attachments = files.map(({ key, filename, type }) => ({
      filename,
      contentType: type,
      content: openLater(storage, key),
    }))
    try {
      const transport = await transportFor(own?.server)
      const sent = await transport.sendMail({ ...from, ...mail, to, messageId, attachments })
      return { outsideId: sent.messageId }
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAUTH') own?.refused?.()
      const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
      if (code >= 550 && code < 560 && code !== 552)
        throw new UndeliverableError(error instanceof Error ? error.message : 'refused')
      throw error
    }
  }
}

/** Opens a file when its turn comes, so that many files do not hold many connections to the storage. */
function openLater(storage: MailParts['storage'], key: string): Readable {
  const read = async function* () {
    const content = await storage?.get(key)
    if (!content) throw new UndeliverableError('An attached file is missing from the storage.')
    yield* content
  }
  return Readable.from(read())
}

const senderHeaders = ({ sender, replyTo }: Pick<MailSetup, 'sender' | 'replyTo'>) => ({
  from: sender,
  ...(replyTo && { replyTo }),
})

async function openTransport({ server }: MailConnection, timeouts = TIMEOUTS): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  if (typeof server === 'string') return createTransport({ url: server, ...timeouts })
  const { host, port, security, user, password, accessToken } = server
  const auth = accessToken === undefined ? { user, pass: password } : { type: 'OAuth2' as const, user, accessToken }
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user && { auth }),
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
    const { to, subject, text: written, html, files = [] } = payload as Mail
    const text = [written, ...files.map(({ filename }) => `[Attached: ${filename}]`)].join('\n')
    const row = await db
      .insertInto('mailbox')
      .values({ to_address: to, subject, text, html: html ?? null, created_at: clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { outsideId: `mailbox-${row.id}` }
  }
}
