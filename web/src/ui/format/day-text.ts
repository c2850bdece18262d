import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { now } from '#platform/clock.ts'

/** A formatted date; without the year if it is the current one. */
export const dayText = (day: string | null | undefined, absent = '--') =>
  day ? formatDay(day, { now: now() }) : absent
