import { formatClock } from '@limber/contract/kit/formats/dates.ts'
import { formatList } from '@limber/contract/kit/formats/numbers.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const padTwo = (value: number) => String(value).padStart(2, '0')

/** The value of a field that is a plain number within bounds. */
function parseNumber(field: string, min: number, max: number): number | undefined {
  if (!/^\d{1,2}$/.test(field)) return undefined
  const value = Number(field)
  return value >= min && value <= max ? value : undefined
}

/** The step of a field like `*\/15`. A step that does not divide the range is uneven, so it has no plain wording. */
function parseStep(field: string, range: number): number | undefined {
  const value = Number(/^\*\/(\d{1,2})$/.exec(field)?.[1])
  return value > 1 && value < range && range % value === 0 ? value : undefined
}

function weekday(field: string): string | undefined {
  const byName = DAYS.find((day) => day.slice(0, 3).toUpperCase() === field.toUpperCase())
  const byNumber = parseNumber(field, 0, 7)
  return byName ?? (byNumber === undefined ? undefined : DAYS[byNumber % 7])
}

function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13
  const ending = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th')
  return `${day}${ending}`
}

/** A single weekday, a range or a list. */
function weekdays(field: string): string | undefined {
  const [from, to, ...rest] = field.split('-').map(weekday)
  if (from && to && rest.length === 0) return `${from} to ${to}`
  const named = field.split(',').map(weekday)
  const days = named.filter((day) => day !== undefined)
  if (days.length !== named.length) return undefined
  return formatList(days)
}

function daysText(date: string, month: string, day: string): string | undefined {
  if (month !== '*') return undefined
  if (date === '*' && day === '*') return 'Every day'
  if (date === '*') {
    const named = weekdays(day)
    return named && `Every ${named}`
  }
  const numbered = parseNumber(date, 1, 31)
  return numbered && day === '*' ? `Every month on the ${ordinal(numbered)}` : undefined
}

/** Describes a cron expression in plain English. Returns uncommon expressions unchanged. */
export function describeCron(line: string): string {
  const [minute = '', hour = '', date = '', month = '', day = '', ...rest] = line.trim().split(/\s+/)
  if (rest.length > 0 || day === '') return line
  const isDaily = date === '*' && month === '*' && day === '*'
  if (isDaily && hour === '*' && minute === '*') return 'Every minute'
  const minutes = parseStep(minute, 60)
  if (isDaily && hour === '*' && minutes) return `Every ${minutes} minutes`
  const at = parseNumber(minute, 0, 59)
  if (at === undefined) return line
  if (isDaily && hour === '*') return `Every hour at :${padTwo(at)}`
  const hours = parseStep(hour, 24)
  if (isDaily && hours) return `Every ${hours} hours at :${padTwo(at)}`
  const atHour = parseNumber(hour, 0, 23)
  const days = daysText(date, month, day)
  return atHour === undefined || !days ? line : `${days} at ${formatClock(atHour, at)}`
}
