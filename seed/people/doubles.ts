import type { Random } from '../random.ts'
import type { AddressBook } from './address-book.ts'
import type { Customer } from './customers.ts'

const DOUBLES = 6

/**
 * A few of those who only signed up are somebody who was there already and had forgotten it: the same person and phone
 * under another e-mail, as support meets them.
 */
export function doubleSome(random: Random, addressBook: AddressBook, customers: readonly Customer[]) {
  const isRegular = ({ habit, phone }: Customer) => habit !== undefined && habit.gap > 0 && phone !== null
  const idle = customers.filter(({ habit, referrer }) => habit === undefined && Object.keys(referrer).length === 0)
  for (let nth = 1; nth <= DOUBLES; nth += 1) {
    const double = idle[Math.floor((idle.length * nth) / (DOUBLES + 1))]
    const earlier = customers.filter((one) => double && one.joinedDay < double.joinedDay - 30 && isRegular(one))
    if (!double || earlier.length === 0) continue
    const { first_name, last_name, phone, address, zoneId } = random.pick(earlier)
    Object.assign(double, { first_name, last_name, phone, address, zoneId })
    double.email = addressBook(random, double)
  }
}
