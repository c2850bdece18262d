import type { Point } from '@limber/contract/businesses/zones/area.ts'
import type { Random } from '../random.ts'

/** The phone number of the sample company. */
export const OWN_NUMBER = '+19515550100'

const nearCodes = ['951', '909']
const desertCodes = ['760', '442']
/** Numbers that people kept after moving: the rest of California and nearby states. */
const farCodes =
  '714 949 657 562 310 424 323 213 818 747 626 661 805 820 858 619 559 408 415 510 650 707 916 925 831 209 530 702 725 602 480 623 520 503 206 801'.split(
    ' ',
  )
const codes = [...nearCodes, ...desertCodes, ...farCodes]

const LINES = 100
const FIRST_LINE = 100

export type PhoneBook = (random: Random, town: Point) => string

/** A number that cannot exist: area codes with a 9 in the middle are reserved for a future expansion. */
const reservedNumber = (n: number) => `+1${2 + (n % 8)}9${Math.floor(n / 8) % 10}${5_550_000 + Math.floor(n / 80)}`

/**
 * Makes unique phone numbers from the hundred that every area code reserves for fiction (555-0100 to 555-0199): with the
 * local area code while there are any, then with another one. Larger companies need more and use reserved area codes.
 */
export function makePhoneBook(part: number, people: number, inUse: readonly string[] = []): PhoneBook {
  const used = new Set([OWN_NUMBER, ...inUse])
  let count = 0
  return (random, { longitude, latitude }) => {
    const code = random.pick(longitude > -116.7 || latitude > 34.3 ? desertCodes : nearCodes)
    const line = random.integer(FIRST_LINE, FIRST_LINE + LINES - 1)
    if (part > 0) return reservedNumber((part - 1) * people + count++)
    const first = codes.indexOf(code) * LINES + line - FIRST_LINE
    for (let step = 0; step < codes.length * LINES; step += 1) {
      // The same line in another area code, then the next line.
      const position = (first + step * LINES + Math.floor(step / codes.length)) % (codes.length * LINES)
      const number = `+1${codes[Math.floor(position / LINES)]}555${String(FIRST_LINE + (position % LINES)).padStart(4, '0')}`
      if (used.has(number)) continue
      used.add(number)
      return number
    }
    throw new Error('Ran out of fictional phone numbers')
  }
}
