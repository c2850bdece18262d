import { isAddress } from '@limber/contract/kit/values.ts'
import type { Transporter } from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { Deliver } from '../outbox/outbox.ts'
import { UndeliverableError } from '../outbox/undeliverable.ts'
import { isSuppressed, OPTED_OUT, suppress } from './suppressions.ts'

/** A mail as the outbox keeps it. */
export interface Mail {
  to: string
  subject: string
  text: string
  html?: string
  headers?: Record<string, string>
  /** It goes to many: whoever has opted out meanwhile does not get it. */
  isBulk?: boolean
}

// A server that takes a connection and says nothing must not hold a courier for minutes.
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

const breaks = /[\r\n\0]/

/** Words that a header may carry; a line break would let a text add headers of its own. */
export function isHeaderSafe(...texts: string[]): boolean {
  return texts.every((text) => !breaks.test(text))
}

/** The same key gives the same Message-ID: a repeated delivery is seen as the same mail, and replies can name it. */
export const messageIdOf = (key: string, hostname: string) => `<${Buffer.from(key).toString('base64url')}@${hostname}>`

/** Sends by SMTP when it is configured; otherwise, with the sample company, into the local mailbox. */
export function makeMailDelivery(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'isEmbedded' | 'hostname'>,
  db: Db,
  clock: Clock,
  patience = TIMEOUTS,
): Deliver | undefined {
  const deliver = config.smtpUrl
    ? deliverBySmtp(config.smtpUrl, config.mailFrom, config.hostname, patience)
    : config.isEmbedded
      ? deliverToMailbox(db, clock)
      : undefined
  return deliver && withConsent(deliver, db, clock)
}

/** An address that its server does not know: further mails to many leave it out. */
const isUnknownAddress = (error: unknown) =>
  error instanceof UndeliverableError && /\b5\.1\.[0-36]\b/.test(error.message)

/** What goes to many asks for consent at the last moment: days may lie between posting and delivery. */
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

function deliverBySmtp(smtpUrl: string, from: string, hostname: string, patience: typeof TIMEOUTS): Deliver {
  let transport: Promise<Transporter> | undefined
  return async (payload, key) => {
    const mail = payload as Mail
    if (!isAddress(mail.to)) throw new UndeliverableError('This is not a valid email address.')
    if (!isHeaderSafe(mail.subject)) throw new UndeliverableError('The subject contains a line break.')
    const messageId = messageIdOf(key, hostname)
    // As text it would be read again, with names, comments and lists; what was checked is what is written to.
    const to = { name: '', address: mail.to }
    try {
      transport ??= openTransport(smtpUrl, patience)
      const sent = await (await transport).sendMail({ from, ...mail, to, messageId })
      return { outsideId: sent.messageId }
    } catch (error) {
      const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
      if (code >= 550 && code < 560 && code !== 552)
        throw new UndeliverableError(error instanceof Error ? error.message : 'refused')
      throw error
    }
  }
}

async function openTransport(smtpUrl: string, patience = TIMEOUTS): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url: smtpUrl, ...patience })
}

/** Greets the mail server, and signs in where the address says so; throws when it does not answer well. */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const transport = await openTransport(smtpUrl)
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
