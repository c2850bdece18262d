import { companyDay } from '@limber/contract/kit/company.ts'
import {
  formatAge,
  formatDay,
  formatExact,
  formatMoment,
  formatRelative,
  formatTime,
  INVALID_DATE,
} from '@limber/contract/kit/formats/dates.ts'
import { now } from '#platform/clock.ts'

/** Parses a timestamp of a reply. Without a time zone it is UTC, as the contract says. */
export function readMoment(text: string | null | undefined): Date | undefined {
  if (!text) return undefined
  const isBare = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text)
  const moment = new Date(isBare ? `${text}Z` : text)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

const forms = {
  moment: (at: Date, present: Date) => formatMoment(at, { now: present }),
  day: (at: Date, present: Date) => formatDay(companyDay(at), { now: present }),
  time: (at: Date) => formatTime(at),
  seconds: (at: Date) => formatTime(at, { hasSeconds: true }),
  exact: formatExact,
  relative: formatRelative,
  age: formatAge,
}

export type MomentForm = keyof typeof forms

/** Formats a timestamp in the company's time zone: `Nov 14, 9:41 AM`, or in another form. */
export function momentText(text: string | null | undefined, form: MomentForm = 'moment', present = now()): string {
  const moment = readMoment(text)
  return moment ? forms[form](moment, present) : INVALID_DATE
}
