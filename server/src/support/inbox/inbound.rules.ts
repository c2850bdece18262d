import { createHash } from 'node:crypto'

const NO_SUBJECT = '(no subject)'
const MAX_SUBJECT_LENGTH = 200

/** The tickets and messages of ours that a message refers to. */
export interface References {
  tickets: number[]
  messages: number[]
  /** Hashes of Message-IDs that may be of emails that we received. */
  digests: Buffer[]
}

const parseId = (text: string | undefined) => (text && /^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : [])

/** Identifies an email by its Message-ID or by all of it. */
export const digestOf = (text: string | Uint8Array): Buffer => createHash('sha256').update(text).digest()

/** Our Message-IDs contain the outbox key of the email: `ticket-opened-12`, `ticket-message-345`. */
function outboxKeyOf(messageId: string): string | undefined {
  const sealed = /^<?([\w-]+)@[^@>]*>?$/.exec(messageId.trim())?.[1]
  return sealed && Buffer.from(sealed, 'base64url').toString()
}

/** Which of our emails a message replies to, by its references, and which ticket its subject names (`Re: [#12] ...`). */
export function referencesOf(subject: string, references: readonly string[]): References {
  const ids = references.flatMap((text) => text.split(/\s+/)).filter(Boolean)
  const keys = ids.map((text) => outboxKeyOf(text) ?? '')
  const idsIn = (pattern: RegExp) => keys.flatMap((key) => parseId(pattern.exec(key)?.[1]))
  return {
    messages: idsIn(/^ticket-message-(\d+)$/),
    tickets: [...idsIn(/^ticket-opened-(\d+)$/), ...parseId(/\[#(\d+)\]/.exec(subject)?.[1])],
    digests: ids.map(digestOf),
  }
}

/** The subject of a new ticket: one line, without `Re:` and `Fwd:`. */
export function ticketSubject(subject: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  const line = subject.replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()
  const bare = line
    .replace(/^((re|fwd?|aw)\s*:\s*)+/i, '')
    .slice(0, MAX_SUBJECT_LENGTH)
    .trim()
  return bare === '' ? NO_SUBJECT : bare
}

/** Whether a Message-ID is safe in an email header: one from outside could inject a header line. */
export const isMessageId = (text: string) => /^<[^<>\s]{1,250}>$/.test(text)
