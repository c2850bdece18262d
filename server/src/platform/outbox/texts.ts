import { createHmac } from 'node:crypto'
import type { TextState } from '@limber/contract/support/texts/message.ts'
import type { RestException } from 'twilio'
import { SECOND } from '../clock.ts'
import type { Config } from '../config.ts'
import { sameText } from '../security/secrets.ts'
import { UndeliverableError } from './undeliverable.ts'

/** A text message as the provider reports it. */
export interface ProviderText {
  sid: string
  isOutgoing: boolean
  from: string
  to: string
  body: string
  media: number
  state: TextState
  error: string | null
  sentAt: Date
}

/** The provider of text messages. */
export interface TextService {
  /** The company's number. */
  readonly number: string
  /** Sends a message. Throws `UndeliverableError` on a permanent rejection. */
  send(text: { to: string; body: string; statusUrl: string }): Promise<ProviderText>
  /** Messages sent to a number since a moment. Shows whether a send with an unknown outcome succeeded. */
  findSent(to: string, since: Date): Promise<ProviderText[]>
  /** All messages since a moment, newest first, page by page. */
  pages(since: Date): AsyncGenerator<ProviderText[]>
  /** Returns the account's name; throws when the account cannot be used. */
  check(): Promise<string>
}

const TIMEOUT = 20 * SECOND
const PAGE = 500

const states: Record<string, TextState> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
  receiving: 'received',
  received: 'received',
}

/** Maps a Twilio status to ours. Messages on their way to the carrier are `waiting`. */
export const textState = (status: string): TextState => states[status] ?? 'waiting'

/** Texts for the most common Twilio error codes. */
const reasons: Record<number, string> = {
  21211: 'The number is not valid.',
  21408: 'Text messages to this region are not enabled.',
  21610: 'The recipient has opted out of text messages.',
  21614: 'The number cannot receive text messages.',
  30003: 'The phone was unreachable.',
  30004: 'The message was blocked.',
  30005: 'The number is not in use.',
  30006: 'The number is a landline.',
  30007: 'The carrier filtered the message.',
}
export const textError = (code: number | null | undefined): string | null =>
  code ? (reasons[code] ?? `The carrier returned error ${code}.`) : null

/** Checks a webhook's signature. The URL is the one that Twilio was given, including its query. */
export function isSignedText(
  authToken: string,
  signature: unknown,
  url: string,
  fields: Readonly<Record<string, string>>,
): boolean {
  const text = Object.keys(fields)
    .toSorted()
    .reduce((all, name) => all + name + fields[name], url)
  const expected = createHmac('sha1', authToken).update(text, 'utf8').digest('base64')
  return typeof signature === 'string' && sameText(signature, expected)
}

/** Sends and reads text messages with Twilio. Its client is loaded on first use. */
export function makeTextService({ texts }: Pick<Config, 'texts'>, timeout = TIMEOUT): TextService | undefined {
  if (!texts) return undefined
  const { number } = texts
  let opened: ReturnType<typeof openClient> | undefined
  const client = () => {
    opened ??= openClient(texts, timeout)
    return opened
  }
  return {
    number,
    async send({ to, body, statusUrl }) {
      const { messages } = await client()
      try {
        return toText(await messages.create({ from: number, to, body, statusCallback: statusUrl }), number)
      } catch (error) {
        throw isFinal(error) ? new UndeliverableError(textError(error.code) ?? error.message) : error
      }
    },
    async findSent(to, since) {
      const { messages } = await client()
      // Twilio's date filter would miss accepted messages that are not sent yet.
      const found = await messages.list({ to, from: number, limit: 50 })
      return found.filter(({ dateCreated }) => dateCreated >= since).map((message) => toText(message, number))
    },
    async *pages(since) {
      const { messages } = await client()
      let page: Pages = await messages.page({ dateSentAfter: since, pageSize: PAGE })
      for (;;) {
        yield page.instances.map((message) => toText(message, number))
        const next = await page.nextPage()
        if (!next) return
        page = next
      }
    },
    async check() {
      const account = await (await client()).api.v2010.accounts(texts.accountSid).fetch()
      if (account.status !== 'active') throw new Error(`The account is ${account.status}.`)
      return account.friendlyName
    },
  }
}

async function openClient({ accountSid, authToken, url }: NonNullable<Config['texts']>, timeout: number) {
  const { default: twilio } = await import('twilio')
  const target = new URL(url)
  // The client cannot use another base URL, which tests and proxies need.
  class AtAddress extends twilio.RequestClient {
    override request<T>(options: Parameters<typeof twilio.RequestClient.prototype.request<T>>[0]) {
      const uri = new URL(options.uri)
      uri.protocol = target.protocol
      uri.host = target.host
      return super.request<T>({ ...options, uri: uri.href })
    }
  }
  return twilio(accountSid, authToken, { httpClient: new AtAddress({ timeout }) })
}

// Retry wrong credentials and rate limits, but not an invalid number.
const FINAL = new Set([400, 404, 422])
const isFinal = (error: unknown): error is RestException =>
  error instanceof Error && 'status' in error && FINAL.has(Number(error.status))

interface Message {
  sid: string
  direction: string
  from: string | null
  to: string | null
  body: string | null
  numMedia: string | null
  status: string
  errorCode: number | null
  dateSent: Date | null
  dateCreated: Date
}

interface Pages {
  instances: Message[]
  nextPage(): Promise<Pages> | undefined
}

/** Converts a Twilio message. It is outgoing when Twilio says so or when it comes from the company's number. */
function toText(message: Message, number: string): ProviderText {
  const isOutgoing = !message.direction.startsWith('inbound') || message.from === number
  return {
    sid: message.sid,
    isOutgoing,
    from: message.from || (isOutgoing ? number : ''),
    to: message.to ?? '',
    body: message.body ?? '',
    media: Number(message.numMedia ?? 0) || 0,
    state: isOutgoing ? textState(message.status) : 'received',
    error: textError(message.errorCode),
    sentAt: message.dateSent ?? message.dateCreated,
  }
}
