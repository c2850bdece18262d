import type { CertificationStatus } from '@limber/contract/certifications/certification.ts'

interface Validity {
  revoked_at: Date | null
  valid_until: string | null
}

/** Revoked wins over expired. The last valid day still counts as valid. */
export function statusOf({ revoked_at, valid_until }: Validity, today: string): CertificationStatus {
  if (revoked_at) return 'revoked'
  return valid_until !== null && valid_until < today ? 'expired' : 'valid'
}

/** Adds months to a day. The 31st becomes the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  const days = Math.min(date, lastOfMonth.getUTCDate())
  return new Date(Date.UTC(lastOfMonth.getUTCFullYear(), lastOfMonth.getUTCMonth(), days)).toISOString().slice(0, 10)
}

/** First name and initial for the public page. The account name tells where a first name of several words ends. */
export function publicName(name: string, account: { first_name: string; last_name: string }): string {
  const words = name.trim().split(/\s+/)
  const first = account.first_name.trim().split(/\s+/)
  const last = account.last_name.trim().split(/\s+/)
  const isTheirs = (part: readonly string[], own: readonly string[]) => part.join(' ') === own.join(' ')
  const given = isTheirs(words.slice(0, first.length), first) ? first.length : 1
  const rest = words.slice(given)
  const family = isTheirs(rest.slice(-last.length), last) ? last[0] : rest.at(-1)
  const initial = [...(family ?? '')][0]
  return [...words.slice(0, given), ...(initial ? [`${initial.toUpperCase()}.`] : [])].join(' ')
}

// Crockford Base32: no letters that look like digits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const SHORT_ID_LENGTH = 16

/** 80 random bits per short id. */
export const SHORT_ID_BYTES = 10

/** Encodes ten bytes as a short id, five bits per letter. */
export function encodeShortId(bytes: Uint8Array): string {
  let bits = 0n
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte)
  let text = ''
  for (let place = SHORT_ID_LENGTH - 1; place >= 0; place--)
    text += ALPHABET[Number((bits >> BigInt(place * 5)) & 31n)] ?? ''
  return text
}

/** Normalizes a typed short id: ignores case and hyphens and maps look-alike letters. Undefined if it is not one. */
export function parseShortId(text: string): string | undefined {
  const folded = text.replace(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')
  return folded.length === SHORT_ID_LENGTH && [...folded].every((letter) => ALPHABET.includes(letter))
    ? folded
    : undefined
}
