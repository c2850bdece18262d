import { companyTime } from './company-time.ts'
import { addDays } from './days.ts'
import {
  dayOf,
  FRIDAY,
  federalHolidayOn,
  lastOf,
  MONDAY,
  type NamedDay,
  nth,
  THURSDAY,
  TUESDAY,
} from './federal-holidays.ts'

const afterThanksgiving = (name: string) => (year: number) => ({
  day: addDays(nth(year, 11, THURSDAY, 4), 1),
  name,
})
const fixed = (month: number, day: number, name: string) => (year: number) => ({ day: dayOf(year, month, day), name })
const friday = afterThanksgiving('Day after Thanksgiving')

/** Days on which the offices of a state are closed, beside federal holidays. States that are not listed have none here. */
const stateHolidays: Readonly<Record<string, readonly ((year: number) => NamedDay)[]>> = {
  AK: [(year) => ({ day: lastOf(year, 3, MONDAY), name: "Seward's Day" }), fixed(10, 18, 'Alaska Day')],
  CA: [fixed(3, 31, 'Cesar Chavez Day'), friday],
  DE: [friday],
  FL: [friday],
  HI: [
    fixed(3, 26, 'Prince Kuhio Day'),
    fixed(6, 11, 'King Kamehameha I Day'),
    (year) => ({ day: nth(year, 8, FRIDAY, 3), name: 'Statehood Day' }),
  ],
  IA: [friday],
  IL: [fixed(2, 12, "Lincoln's Birthday"), friday],
  KY: [friday],
  MA: [(year) => ({ day: nth(year, 4, MONDAY, 3), name: "Patriots' Day" })],
  MD: [afterThanksgiving('American Indian Heritage Day')],
  ME: [(year) => ({ day: nth(year, 4, MONDAY, 3), name: "Patriots' Day" }), friday],
  MI: [friday],
  MN: [friday],
  MO: [fixed(5, 8, 'Truman Day')],
  NC: [friday],
  NE: [(year) => ({ day: lastOf(year, 4, FRIDAY), name: 'Arbor Day' }), friday],
  NH: [friday],
  NV: [(year) => ({ day: lastOf(year, 10, FRIDAY), name: 'Nevada Day' }), afterThanksgiving('Family Day')],
  OK: [friday],
  PA: [friday],
  RI: [(year) => ({ day: nth(year, 8, MONDAY, 2), name: 'Victory Day' })],
  SC: [friday],
  TX: [friday],
  UT: [fixed(7, 24, 'Pioneer Day')],
  VA: [friday],
  VT: [(year) => ({ day: nth(year, 3, TUESDAY, 1), name: 'Town Meeting Day' }), fixed(8, 16, 'Bennington Battle Day')],
  WA: [afterThanksgiving('Native American Heritage Day')],
  WV: [fixed(6, 20, 'West Virginia Day')],
}

interface Holiday {
  name: string
  /** Offices of the state are closed; many businesses are not. */
  kind: 'federal' | 'state'
}

/** The holiday on a day: a federal one, or one of the company's state. */
export function holidayOn(day: string, state = companyTime().state): Holiday | undefined {
  const federal = federalHolidayOn(day)
  if (federal) return { name: federal, kind: 'federal' }
  const ofState = stateHolidays[state.trim().toUpperCase()]
  const found = ofState?.map((of) => of(Number(day.slice(0, 4)))).find((one) => one.day === day)
  return found && { name: found.name, kind: 'state' }
}
