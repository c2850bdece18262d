import { pluralize } from '@limber/contract/kit/formats/numbers.ts'

const MIN_AGE = 18
const MAX_AGE = 100

const yearsBefore = (day: string, years: number) =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`

/** The problem with a date of birth, if any. Someone who turns 18 today is old enough. */
export function birthProblem(born: string, today: string): 'bad_birth' | 'too_young' | undefined {
  if (born > today || born <= yearsBefore(today, MAX_AGE)) return 'bad_birth'
  return born > yearsBefore(today, MIN_AGE) ? 'too_young' : undefined
}

const nouns = { bookings: 'booking', onsite: 'on-site session' } as const

/** '1 booking', '3 on-site sessions'. */
export const countOf = (kind: keyof typeof nouns, count: number) => pluralize(count, nouns[kind])
