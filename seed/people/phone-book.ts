import type { Point } from '@limber/contract/businesses/zones/area.ts'
import type { Random } from '../random.ts'

/** The company's own number in the sample. */
export const OWN_NUMBER = '+19515550100'

const nearCodes = ['951', '909']
const desertCodes = ['760', '442']
/** Where people kept a number from: the rest of the state, and the states around it. */
const farCodes =
  '714 949 657 562 310 424 323 213 818 747 626 661 805 820 858 619 559 408 415 510 650 707 916 925 831 209 530 702 725 602 480 623 520 503 206 801'.split(
    ' ',
  )
const codes = [...nearCodes, ...desertCodes, ...farCodes]

const LINES = 100
const FIRST_LINE = 100

export type PhoneBook = (random: Random, town: Point) => string

/** A number that exists nowhere: area codes with a nine in the middle are kept for a longer plan of numbers. */
const beyond = (n: number) => `+1${2 + (n % 8)}9${Math.floor(n / 8) % 10}${5_550_000 + Math.floor(n / 80)}`

/**
 * Gives out phone numbers, each once, of the hundred that every area code keeps free for stories: with the code of the
 * town while there are any, then with one from further away. The parts of a larger company need more than there are.
 */
export function makePhoneBook(part: number, people: number, inUse: readonly string[] = []): PhoneBook {
  const taken = new Set([OWN_NUMBER, ...inUse])
  let given = 0
  return (random, { longitude, latitude }) => {
    const code = random.pick(longitude > -116.7 || latitude > 34.3 ? desertCodes : nearCodes)
    const line = random.whole(FIRST_LINE, FIRST_LINE + LINES - 1)
    if (part > 0) return beyond((part - 1) * people + given++)
    const first = codes.indexOf(code) * LINES + line - FIRST_LINE
    for (let step = 0; step < codes.length * LINES; step += 1) {
      // Another code with the same line, then the next line.
      const place = (first + step * LINES + Math.floor(step / codes.length)) % (codes.length * LINES)
      const number = `+1${codes[Math.floor(place / LINES)]}555${String(FIRST_LINE + (place % LINES)).padStart(4, '0')}`
      if (taken.has(number)) continue
      taken.add(number)
      return number
    }
    throw new Error('There are more people than numbers for stories')
  }
}
