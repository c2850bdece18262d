import type { CertificationStatus } from '@limber/contract/certifications/certification.ts'

interface Standing {
  revoked_at: Date | null
  valid_until: string | null
}

/** Revoked before all else; expired when the last valid day is over. */
export function statusOf({ revoked_at, valid_until }: Standing, today: string): CertificationStatus {
  if (revoked_at) return 'revoked'
  return valid_until !== null && valid_until < today ? 'expired' : 'valid'
}

/** A day so many months later; from the 31st it is the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  const days = Math.min(date, lastOfMonth.getUTCDate())
  return new Date(Date.UTC(lastOfMonth.getUTCFullYear(), lastOfMonth.getUTCMonth(), days)).toISOString().slice(0, 10)
}

/** What strangers see of the name on a certificate: the first name and an initial. The account tells where a name of several words parts. */
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

// Digits and letters without those that are taken for one another.
const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const SHORT_ID_LENGTH = 16

/** Bytes for one short id: 80 bits. */
export const SHORT_ID_BYTES = 10

/** A short id of ten random bytes, five bits a letter. */
export function printShortId(bytes: Uint8Array): string {
  let bits = 0n
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte)
  let text = ''
  for (let place = SHORT_ID_LENGTH - 1; place >= 0; place--)
    text += letters[Number((bits >> BigInt(place * 5)) & 31n)] ?? ''
  return text
}

/** A short id as somebody typed it from paper: case, hyphens and look-alikes do not matter. Nothing for what is none. */
export function readShortId(text: string): string | undefined {
  const folded = text.replace(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')
  return folded.length === SHORT_ID_LENGTH && [...folded].every((letter) => letters.includes(letter))
    ? folded
    : undefined
}
