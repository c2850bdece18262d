import type { Random } from '../random.ts'
import type { PersonName } from './names.ts'

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z-]/g, '')
    .toLowerCase()

const shapes = [
  (first: string, last: string) => `${first}.${last}`,
  (first: string, last: string) => `${first}${last}`,
  (first: string, last: string) => `${first[0]}${last}`,
  (first: string, last: string) => `${first}_${last}`,
  (first: string, last: string) => `${last}.${first}`,
]
const weights = [50, 20, 14, 8, 8]

export type AddressBook = (random: Random, name: PersonName) => string

/** Gives out e-mail addresses, each once; the parts of a larger company mark their own. */
export function makeAddressBook(part: number): AddressBook {
  const taken = new Map<string, number>()
  return (random, { first_name, last_name }) => {
    const shape = shapes[random.weighted(weights)] ?? random.pick(shapes)
    const year = random.chance(0.24) ? String(random.whole(58, 106) % 100).padStart(2, '0') : ''
    const local = `${shape(plain(first_name), plain(last_name))}${year}`
    const times = (taken.get(local) ?? 0) + 1
    taken.set(local, times)
    return `${local}${times > 1 ? `.${times}` : ''}${part > 0 ? `-${part}` : ''}@example.com`
  }
}
