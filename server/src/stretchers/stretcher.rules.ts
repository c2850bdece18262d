import { pluralize } from '@limber/contract/kit/formats/numbers.ts'

const ADULT = 18
const OLDEST = 100

const yearsBefore = (day: string, years: number) =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`

/** The problem with a date of birth, if any. Someone who turns 18 today is old enough. */
export function faultOfBirth(born: string, today: string): 'bad_birth' | 'too_young' | undefined {
  if (born > today || born <= yearsBefore(today, OLDEST)) return 'bad_birth'
  return born > yearsBefore(today, ADULT) ? 'too_young' : undefined
}

const nouns = { bookings: 'booking', onsite: 'on-site session' } as const

/** '1 booking', '3 on-site sessions'. */
export const countOf = (kind: keyof typeof nouns, count: number) => pluralize(count, nouns[kind])
