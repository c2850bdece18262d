import type { Random } from '../random.ts'
import type { PersonName } from './names.ts'

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z-]/g, '')
    .toLowerCase()

const patterns = [
  (first: string, last: string) => `${first}.${last}`,
  (first: string, last: string) => `${first}${last}`,
  (first: string, last: string) => `${first[0]}${last}`,
  (first: string, last: string) => `${first}_${last}`,
  (first: string, last: string) => `${last}.${first}`,
]
const weights = [50, 20, 14, 8, 8]

export type AddressBook = (random: Random, name: PersonName) => string

/** Makes unique email addresses. The parts of a larger company add their number. */
export function makeAddressBook(part: number): AddressBook {
  const used = new Map<string, number>()
  return (random, { first_name, last_name }) => {
    const pattern = patterns[random.weighted(weights)] ?? random.pick(patterns)
    const year = random.chance(0.24) ? String(random.integer(58, 106) % 100).padStart(2, '0') : ''
    const local = `${pattern(plain(first_name), plain(last_name))}${year}`
    const times = (used.get(local) ?? 0) + 1
    used.set(local, times)
    return `${local}${times > 1 ? `.${times}` : ''}${part > 0 ? `-${part}` : ''}@example.com`
  }
}
