import type { Random } from '../random.ts'
import type { AddressBook } from './address-book.ts'
import type { Customer } from './customers.ts'

const DUPLICATES = 6

/** Turns a few idle accounts into second accounts of existing customers: same name and phone, different email. */
export function addDuplicates(random: Random, addressBook: AddressBook, customers: readonly Customer[]) {
  const isRegular = ({ habit, phone }: Customer) => habit !== undefined && habit.gap > 0 && phone !== null
  const idle = customers.filter(({ habit, referrer }) => habit === undefined && Object.keys(referrer).length === 0)
  for (let nth = 1; nth <= DUPLICATES; nth += 1) {
    const duplicate = idle[Math.floor((idle.length * nth) / (DUPLICATES + 1))]
    const earlier = customers.filter((one) => duplicate && one.joinedDay < duplicate.joinedDay - 30 && isRegular(one))
    if (!duplicate || earlier.length === 0) continue
    const { first_name, last_name, phone, address, zoneId } = random.pick(earlier)
    Object.assign(duplicate, { first_name, last_name, phone, address, zoneId })
    duplicate.email = addressBook(random, duplicate)
  }
}
