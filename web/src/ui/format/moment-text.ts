const MINUTE = 60_000
const HOUR = 60 * MINUTE

const BAD = 'Invalid Date'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const exactTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Reads a moment of a reply. One without a zone is UTC, as the contract says. */
export function readMoment(text: string | null | undefined): Date | undefined {
  if (!text) return undefined
  const isBare = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text)
  const moment = new Date(isBare ? `${text}Z` : text)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

export type MomentForm = 'moment' | 'day' | 'time' | 'seconds'

/** A moment in local time: `14 Nov 2026, 09:41`, its day, or its time. */
export function momentText(text: string | null | undefined, form: MomentForm = 'moment'): string {
  const moment = readMoment(text)
  if (!moment) return BAD
  if (form === 'day') return day.format(moment)
  if (form === 'time') return time.format(moment)
  if (form === 'seconds') return exactTime.format(moment)
  return `${day.format(moment)}, ${time.format(moment)}`
}

/** The exact instant in UTC: `2026-11-14 17:41:09 UTC`. */
export function utcText(text: string | null | undefined): string {
  const moment = readMoment(text)
  return moment ? `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC` : BAD
}

/** How long ago, for what happened within the last day; the moment itself for everything else. */
export function recentText(text: string | null | undefined, now: Date): string {
  const moment = readMoment(text)
  if (!moment) return BAD
  const age = now.getTime() - moment.getTime()
  if (age < 0 || age >= 24 * HOUR) return momentText(text)
  if (age < MINUTE) return 'just now'
  return age < HOUR ? `${Math.floor(age / MINUTE)} min ago` : `${Math.floor(age / HOUR)} h ago`
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const midnight = (moment: Date) => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()

/** How old, for the edge of a row: `6 min`, `3 h`, `Yesterday`, `Fri`, `14 Nov`. */
export function ageText(text: string | null | undefined, now: Date): string {
  const moment = readMoment(text)
  if (!moment) return BAD
  const age = now.getTime() - moment.getTime()
  if (age < MINUTE) return age < -MINUTE ? momentText(text, 'day') : 'now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  // A day that is an hour longer or shorter is still one day.
  const days = Math.round((midnight(now) - midnight(moment)) / (24 * HOUR))
  if (days === 0 || age < 12 * HOUR) return `${Math.floor(age / HOUR)} h`
  if (days === 1) return 'Yesterday'
  if (days < 7) return weekday.format(moment)
  return moment.getFullYear() === now.getFullYear() ? dayOfYear.format(moment) : momentText(text, 'day')
}
