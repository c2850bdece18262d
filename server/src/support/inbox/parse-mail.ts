import { foldCase, isAddress } from '@limber/contract/kit/values.ts'
import PostalMime, { type Attachment } from 'postal-mime'
import { type CleanEmail, cleanEmail } from './clean-email.rules.ts'
import { htmlToText } from './html-text.rules.ts'
import { digestOf, isMessageId } from './inbound.rules.ts'
import {
  type Bounce,
  isSpam,
  kindOfMail,
  type MailHeaders,
  type MailKind,
  mayConfirm,
  readBounce,
  type SenderChecks,
  senderChecks,
} from './mail-kind.rules.ts'
import { splitQuoted } from './quoted.rules.ts'

export interface ParsedMail {
  /** `unreadable`: its parts could not be taken apart; only what the headers say is known. */
  kind: MailKind | 'unreadable'
  from: string
  subject: string
  /** Undefined when the email has none that can be used. */
  messageId: string | undefined
  /** Identifies the email: the hash of its Message-ID, or of all of it. */
  digest: Buffer
  references: string[]
  content: string
  quoted: string
  isSpam: boolean
  checks: SenderChecks
  mayConfirm: boolean
  bounce: Bounce | undefined
  /** Undefined when the email has no HTML. */
  html: CleanEmail | undefined
  /** It has a text besides its HTML. */
  hasText: boolean
  files: MailPart[]
}

/** An attached file or an image of the HTML. */
export interface MailPart {
  filename: string
  /** Without angle brackets. */
  contentId: string | null
  /** The HTML shows it. */
  isInline: boolean
  content: Uint8Array<ArrayBuffer>
}

/** Deeper nesting and longer headers are attacks. */
const LIMITS = { maxNestingDepth: 100, maxHeadersSize: 512 * 1024 }
const MAX_REFERENCES = 100
const MAX_SUBJECT = 1_000
const MAX_QUOTED = 50_000
const MAX_TEXT = 500_000
/** An email with more parts names only the first ones. */
export const MAX_PARTS = 100
/** A sender who cannot be answered: the email names none. */
const NO_SENDER = 'unknown@sender.invalid'

/** Text that the database takes: no NUL, no half characters, line breaks of one kind. */
const clean = (text: string) => text.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n')

function addressOf(candidates: readonly (string | undefined)[]): string {
  for (const candidate of candidates) {
    const address = foldCase((candidate ?? '').replace(/^<|>$/g, '').trim())
    if (isAddress(address)) return clean(address)
  }
  return NO_SENDER
}

const textOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1')

const isReport = ({ mimeType }: Attachment) =>
  /^(message\/(delivery-status|rfc822|global)|text\/rfc822-headers)/i.test(mimeType)

/** The header lines of an email whose parts cannot be read. */
function roughHeaders(raw: Buffer): MailHeaders {
  const head =
    raw
      .subarray(0, 64 * 1024)
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)[0] ?? ''
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, key, value] = /^([!-9;-~]{1,100}):\s?(.*)$/.exec(line) ?? []
      return key && value !== undefined ? [{ key: key.toLowerCase(), value }] : []
    })
}

const UNREADABLE = 'This message could not be read completely.'

/** What the headers of an email say, without taking it apart. */
export function parseRoughly(raw: Buffer): ParsedMail {
  const headers = roughHeaders(raw)
  const headerOf = (name: string) => headers.find(({ key }) => key === name)?.value
  const id = headerOf('message-id')?.trim()
  const messageId = id !== undefined && isMessageId(id) ? id : undefined
  const from = headerOf('from') ?? ''
  return {
    kind: 'unreadable',
    from: addressOf([/<([^<>]{1,254})>\s*$/.exec(from.slice(-2_000))?.[1], from, headerOf('return-path')]),
    subject: clean(headerOf('subject') ?? '').slice(0, MAX_SUBJECT),
    messageId,
    digest: digestOf(messageId ?? raw),
    references: [],
    content: UNREADABLE,
    quoted: '',
    isSpam: isSpam(headers),
    checks: senderChecks(headers),
    mayConfirm: false,
    bounce: undefined,
    html: undefined,
    hasText: true,
    files: [],
  }
}

const encoder = new TextEncoder()

function partOf({ filename, mimeType, contentId, content, related }: Attachment, at: number): MailPart {
  const id = contentId?.trim().replace(/^<|>$/g, '') ?? ''
  const isMail = mimeType === 'message/rfc822'
  return {
    filename: clean(filename ?? '') || (isMail ? 'message.eml' : `file-${at + 1}`),
    contentId: id === '' ? null : clean(id).slice(0, MAX_SUBJECT),
    isInline: related === true && id !== '',
    // A copy of its own, so that it can be handed from thread to thread.
    content: typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content).slice(),
  }
}

/** Reads an email. Throws when its parts cannot be taken apart. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  const mail = await PostalMime.parse(raw, { ...LIMITS, forceRfc822Attachments: true })
  const { headers } = mail
  const sender = mail.from && 'address' in mail.from ? mail.from.address : undefined
  const from = addressOf([sender, mail.returnPath])
  const id = mail.messageId?.trim()
  const messageId = id !== undefined && isMessageId(id) ? clean(id) : undefined
  const hasText = Boolean(mail.text?.trim())
  const html = mail.html?.trim() ? cleanEmail(clean(mail.html.slice(0, MAX_TEXT))) : undefined
  const written = hasText ? (mail.text ?? '') : htmlToText((mail.html ?? '').slice(0, MAX_TEXT))
  const { content, quoted } = splitQuoted(clean(written.slice(0, MAX_TEXT)))
  const kind = kindOfMail(headers, from)
  const references = `${mail.references ?? ''} ${mail.inReplyTo ?? ''}`.match(/<[^<>\s]{1,250}>/g) ?? []
  return {
    kind,
    from,
    subject: clean(mail.subject ?? '').slice(0, MAX_SUBJECT),
    messageId,
    digest: digestOf(messageId ?? raw),
    references: references.slice(-MAX_REFERENCES),
    content,
    quoted: quoted.slice(0, MAX_QUOTED),
    isSpam: isSpam(headers),
    checks: senderChecks(headers),
    mayConfirm: mayConfirm(headers, from),
    bounce: kind === 'bounce' ? readBounce(mail.attachments.filter(isReport).map(textOf), written) : undefined,
    html,
    hasText,
    files: kind === 'bounce' ? [] : mail.attachments.slice(0, MAX_PARTS).map(partOf),
  }
}
