import type { ZoneArea } from '@limber/server/businesses/public.ts'
import { draftStretcher } from '@limber/server/stretchers/stretcher.factory.ts'
import { draftCustomer } from '@limber/server/support/customers/customer.factory.ts'
import type { Calendar } from '../calendar.ts'
import { pickAddress } from '../places/streets.ts'
import { zoneTowns } from '../places/towns.ts'
import type { Random } from '../random.ts'
import type { AddressBook } from './address-book.ts'
import { type PersonName, pickName } from './names.ts'
import type { PhoneBook } from './phone-book.ts'

export interface Zone extends ZoneArea {
  name: string
}

/** A stretcher with the first and last day of work. */
export interface Stretcher extends PersonName {
  id: number
  customerId: number
  zoneId: number
  email: string
  status: 'active' | 'inactive' | 'in_training'
  hired: number
  firstDay: number
  lastDay: number
  daysOff: readonly number[]
  /** Around 0. Higher means better ratings. */
  skill: number
  born: string
}

// The first stretcher of a zone is active. Later ones get these statuses in turn.
const laterStatuses = ['active', 'in_training', 'active', 'inactive', 'active', 'in_training', 'inactive'] as const

/** All stretchers of one part of the company. */
export function hireStretchers(random: Random, zones: readonly Zone[], addressBook: AddressBook, part: number) {
  const stretchers: Stretcher[] = []
  let later = 0
  for (const town of zoneTowns) {
    const zone = zones.find(({ name }) => name === town.zone)
    if (!zone) throw new Error(`No zone called ${town.zone}`)
    for (let nth = 0; nth < town.stretchers; nth++) {
      const status = nth === 0 ? 'active' : (laterStatuses[later++ % laterStatuses.length] ?? 'active')
      stretchers.push(
        hire(random, {
          zone,
          nth,
          status,
          opened: town.opened,
          addressBook,
          id: part * PER_PART + stretchers.length + 1,
        }),
      )
    }
  }
  return stretchers
}

const PER_PART = zoneTowns.reduce((sum, town) => sum + town.stretchers, 0)
export const STRETCHERS_PER_PART = PER_PART

interface Hire {
  zone: Zone
  nth: number
  status: Stretcher['status']
  opened: number
  addressBook: AddressBook
  id: number
}

function hire(random: Random, { zone, nth, status, opened, addressBook, id }: Hire): Stretcher {
  const name = pickName(random)
  const training = random.integer(18, 40)
  const hired = {
    active: nth === 0 ? -opened - random.integer(5, 30) : -random.integer(90, Math.max(120, opened - 20)),
    inactive: -random.integer(Math.floor(opened * 0.7), opened),
    in_training: -random.integer(6, 30),
  }[status]
  return {
    ...name,
    id,
    customerId: 0,
    zoneId: zone.id,
    email: addressBook(random, name),
    status,
    hired,
    firstDay: status === 'in_training' ? Number.POSITIVE_INFINITY : hired + training,
    lastDay:
      status === 'inactive' ? -random.integer(15, Math.max(20, Math.floor(-hired * 0.5))) : Number.POSITIVE_INFINITY,
    daysOff: random.pick(restDays),
    skill: random.normal(),
    born: `${random.integer(1972, 2003)}-${String(random.integer(1, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`,
  }
}

const restDays = [[0, 1], [1, 2], [0, 3], [2, 3], [0, 4], [5], [1], [0]] as const

/** The row of a stretcher. */
export const stretcherRow = (stretcher: Stretcher, calendar: Calendar) => ({
  id: stretcher.id,
  ...draftStretcher({
    customer_id: stretcher.customerId,
    zone_id: stretcher.zoneId,
    first_name: stretcher.first_name,
    last_name: stretcher.last_name,
    email: stretcher.email,
    date_of_birth: stretcher.born,
    status: stretcher.status,
    hired_at: calendar.at(stretcher.hired, 9 * 60),
    trained_at: Number.isFinite(stretcher.firstDay) ? calendar.at(stretcher.firstDay, 0) : null,
    deactivated_at: Number.isFinite(stretcher.lastDay) ? calendar.at(stretcher.lastDay, 18 * 60) : null,
  }),
})

/** The customer account of a stretcher, created before the first day of work. */
export function accountRow(
  stretcher: Stretcher,
  random: Random,
  { calendar, zones, phoneBook }: { calendar: Calendar; zones: readonly Zone[]; phoneBook: PhoneBook },
) {
  const town = zoneTowns.find((candidate) => zones.some((z) => z.id === stretcher.zoneId && z.name === candidate.zone))
  if (!town) throw new Error(`${stretcher.email} has no town`)
  const joined_at = calendar.at(stretcher.hired - random.integer(1, 20), random.integer(8 * 60, 20 * 60))
  const hasLeft = Number.isFinite(stretcher.lastDay)
  return {
    id: stretcher.customerId,
    ...draftCustomer({
      first_name: stretcher.first_name,
      last_name: stretcher.last_name,
      email: stretcher.email,
      phone: phoneBook(random, town),
      joined_at,
      last_login_at: hasLeft
        ? calendar.at(stretcher.lastDay, 12 * 60)
        : calendar.at(-random.integer(1, 4), random.integer(420, 1200)),
      email_verified_at: joined_at,
      waiver_signed_at: joined_at,
      total_logins: random.integer(20, 400),
      lifecycle_stage: 'prospect',
    }),
    ...pickAddress(random, town),
  }
}
