import { companyDay } from '@limber/contract/kit/company.ts'
import { daysBetween } from '@limber/contract/kit/days.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import type { MomentForm } from './moment-text.ts'

export interface EntriesOfDay<E> {
  id: string
  title: string
  /** The date beside `Today` and `Yesterday`. */
  date?: string
  entries: E[]
  /** How the moment of an entry is shown. */
  form: MomentForm
}

const DAYS = 30
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

function headingOf(at: Date, now: Date): Omit<EntriesOfDay<never>, 'entries'> {
  if (at > now) return { id: 'planned', title: 'Planned', form: 'moment' }
  const day = companyDay(at)
  const age = daysBetween(day, companyDay(now))
  const date = formatDay(day, { now, hasWeekday: true })
  if (age === 0) return { id: day, title: 'Today', date, form: 'time' }
  if (age === 1) return { id: day, title: 'Yesterday', date, form: 'time' }
  if (age <= DAYS) return { id: day, title: date, form: 'time' }
  const [year, month] = day.split('-')
  return { id: `${year}-${month}`, title: `${MONTHS[Number(month) - 1]} ${year}`, form: 'day' }
}

/** Planned entries, the soonest first; then days, newest first; months after 30 days. */
export function groupByDay<E extends { at: string }>(entries: readonly E[], now: Date): EntriesOfDay<E>[] {
  const days: EntriesOfDay<E>[] = []
  for (const entry of entries) {
    const heading = headingOf(new Date(entry.at), now)
    const last = days.at(-1)
    if (last?.id === heading.id) last.entries.push(entry)
    else days.push({ ...heading, entries: [entry] })
  }
  const [first] = days
  if (first?.id === 'planned') first.entries.reverse()
  return days
}
