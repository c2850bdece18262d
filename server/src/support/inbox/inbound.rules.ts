const NO_SUBJECT = '(no subject)'
const MAX_SUBJECT_LENGTH = 200

/** The tickets and messages of ours that a message refers to. */
export interface Named {
  tickets: number[]
  messages: number[]
}

const numberOf = (text: string | undefined) => (text && /^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : [])

/** Our Message-IDs contain the outbox key of the email: `ticket-opened-12`, `ticket-message-345`. */
function keyOf(messageId: string): string | undefined {
  const sealed = /^<?([\w-]+)@[^@>]*>?$/.exec(messageId.trim())?.[1]
  return sealed && Buffer.from(sealed, 'base64url').toString()
}

/** Which of our emails a message replies to, by its references, and which ticket its subject names (`Re: [#12] ...`). */
export function namedBy(subject: string, references: readonly string[]): Named {
  const keys = references.flatMap((text) => text.split(/\s+/)).map((text) => keyOf(text) ?? '')
  const among = (pattern: RegExp) => keys.flatMap((key) => numberOf(pattern.exec(key)?.[1]))
  return {
    messages: among(/^ticket-message-(\d+)$/),
    tickets: [...among(/^ticket-opened-(\d+)$/), ...numberOf(/\[#(\d+)\]/.exec(subject)?.[1])],
  }
}

/** The subject of a new ticket: one line, without `Re:` and `Fwd:`. */
export function subjectOf(subject: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = subject.replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()
  const bare = line
    .replace(/^((re|fwd?|aw)\s*:\s*)+/i, '')
    .slice(0, MAX_SUBJECT_LENGTH)
    .trim()
  return bare === '' ? NO_SUBJECT : bare
}

/** Whether a Message-ID is safe in an email header: one from outside could inject a header line. */
export const isMessageId = (text: string) => /^<[^<>\s]{1,250}>$/.test(text)
