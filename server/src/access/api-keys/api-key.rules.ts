import { randomInt } from 'node:crypto'
import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'

// No underscore and no hyphen: the parts of a key stay apart, and a double click selects the whole of it.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PUBLIC_LENGTH = 8
/** 238 bits. */
const SECRET_LENGTH = 40
const TOKEN = new RegExp(`^lmb_([0-9A-Za-z]{${PUBLIC_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`)

const randomText = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('')

export const makePublicId = () => randomText(PUBLIC_LENGTH)
export const makeSecret = () => randomText(SECRET_LENGTH)
export const tokenOf = (publicId: string, secret: string) => `lmb_${publicId}_${secret}`

/** The parts of a key as a program sent it; nothing for a text that cannot be one. */
export function readToken(token: string): { publicId: string; secret: string } | undefined {
  const [, publicId, secret] = TOKEN.exec(token) ?? []
  return publicId && secret ? { publicId, secret } : undefined
}

/** The moment at which the last day of a key is over. */
export function endOfDay(day: string): Date {
  const [end] = momentsFromInput(`${addDays(day, 1)}T00:00`, companyZone()) ?? []
  if (!end) throw new Error(`${day} has no end`)
  return end
}

/** The last day on which a key works that expires at a moment. */
export const lastDayBefore = (end: Date) => companyDay(new Date(end.getTime() - 1))
