import { weekStartOf } from '@limber/contract/kit/company.ts'
import { addDays, weekdayOf } from '@limber/contract/kit/days.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

/** The place of a word in a list: in full, or its first three letters or more. */
const placeIn = (words: readonly string[], word: string) =>
  word.length < 3 ? -1 : words.findIndex((one) => one.startsWith(word.replace(/\.$/, '')))

const two = (value: number) => String(value).padStart(2, '0')

/** A day that exists; undefined for February 30. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const text = `${year}-${two(month)}-${two(day)}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

/** The year that someone means: as written, or the one in which the day is nearest to today. */
function inYear(month: number, day: number, year: string | undefined, today: string): string | undefined {
  if (year) return dayOf(Number(year.length === 2 ? `20${year}` : year), month, day)
  const now = Number(today.slice(0, 4))
  const far = (one: string) => Math.abs(Date.parse(one) - Date.parse(today))
  return [now, now + 1, now - 1]
    .flatMap((one) => dayOf(one, month, day) ?? [])
    .toSorted((a, b) => far(a) - far(b))
    .at(0)
}

/** The same day of another month; its last day, if it has fewer. */
function addMonths(day: string, months: number): string {
  const at = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(at / 12), (at % 12) + 1]
  const wanted = Number(day.slice(8))
  for (let last = wanted; last > 27; last -= 1) {
    const found = dayOf(year, month, last)
    if (found) return found
  }
  return `${year}-${two(month)}-${two(wanted)}`
}

const counts: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 }
const MAX_COUNT = 5_000

function shifted(today: string, count: string, unit: string, sign: 1 | -1): string | undefined {
  const number = counts[count] ?? Number(count)
  if (!Number.isInteger(number) || number > MAX_COUNT) return undefined
  if (unit === 'month') return addMonths(today, sign * number)
  if (unit === 'year') return addMonths(today, sign * number * 12)
  return addDays(today, sign * number * (unit === 'week' ? 7 : 1))
}

/** `next Tuesday` is in the next week, `last Tuesday` in the week before; `Tuesday` is the next one to come. */
function weekday(which: string | undefined, word: string, today: string): string | undefined {
  const place = placeIn(WEEKDAYS, word)
  if (place < 0) return undefined
  const inWeek = (start: string) => addDays(start, (place - weekdayOf(start) + 7) % 7)
  const week = weekStartOf(today)
  if (which === 'next') return inWeek(addDays(week, 7))
  if (which === 'last') return inWeek(addDays(week, -7))
  return which === 'this' ? inWeek(week) : inWeek(today)
}

const COUNT = '(\\d{1,4}|an?|one|two|three|four|five|six)'
const UNIT = '(day|week|month|year)s?'

type Reader = (parts: readonly (string | undefined)[], today: string) => string | undefined

const forms: readonly (readonly [RegExp, Reader])[] = [
  [/^today$/, (_, today) => today],
  [/^tomorrow$/, (_, today) => addDays(today, 1)],
  [/^yesterday$/, (_, today) => addDays(today, -1)],
  [/^next (week|month|year)$/, ([unit = ''], today) => shifted(today, '1', unit, 1)],
  [/^last (week|month|year)$/, ([unit = ''], today) => shifted(today, '1', unit, -1)],
  [new RegExp(`^in ${COUNT} ${UNIT}$`), ([count = '', unit = ''], today) => shifted(today, count, unit, 1)],
  [new RegExp(`^${COUNT} ${UNIT} ago$`), ([count = '', unit = ''], today) => shifted(today, count, unit, -1)],
  [/^(?:on )?(?:(next|last|this) )?([a-z]+)$/, ([which, word = ''], today) => weekday(which, word, today)],
  [/^(\d{4})-(\d{2})-(\d{2})$/, ([year, month, day]) => dayOf(Number(year), Number(month), Number(day))],
  [
    /^(?:on )?(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/,
    ([month, day, year], today) => inYear(Number(month), Number(day), year, today),
  ],
  [
    /^(?:on )?([a-z]+\.?) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/,
    ([word = '', day, year], today) => {
      const month = placeIn(MONTHS, word)
      return month < 0 ? undefined : inYear(month + 1, Number(day), year, today)
    },
  ],
]

/** The day that words mean, such as `next Tuesday`, `in 3 days`, `Dec 1` or `12/1`; undefined for other words. */
export function readDay(text: string, today: string): string | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  for (const [form, read] of forms) {
    const [whole, ...parts] = form.exec(words) ?? []
    const day = whole === undefined ? undefined : read(parts, today)
    if (day) return day
  }
  return undefined
}

const MAX_DAY_WORDS = 4

/** Splits `Riverside next Tuesday` into the rest and the day at its end. */
export function splitDay(text: string, today: string): { rest: string; day: string | undefined } {
  const words = text.trim().split(/\s+/)
  for (let count = Math.min(MAX_DAY_WORDS, words.length); count > 0; count -= 1) {
    const day = readDay(words.slice(-count).join(' '), today)
    if (day) return { rest: words.slice(0, -count).join(' '), day }
  }
  return { rest: text.trim(), day: undefined }
}

const AMOUNT = /^([+-]?\d{1,6})$/

/** Splits `jaz 2`, `2 credits jaz` or `jaz -1` into the rest and the amount; of several numbers, the last one. */
export function splitAmount(text: string, unit: string): { rest: string; amount: number | undefined } {
  const words = text.trim().split(/\s+/)
  const at = words.findLastIndex((word) => AMOUNT.test(word))
  if (at < 0) return { rest: text.trim(), amount: undefined }
  const isUnit = (word: string | undefined) => word?.toLowerCase().replace(/s$/, '') === unit
  const rest = words.filter((word, place) => place !== at && !(place === at + 1 && isUnit(word)))
  return { rest: rest.join(' '), amount: Number(words[at]) }
}

const TIME = /\s*\b(?:at\s+)?(?:(\d{1,2})(?::(\d{2}))?\s*(am|pm)?|(noon))$/i

/** Without AM or PM, a session at 1 to 6 is in the afternoon. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half) return hour >= 1 && hour <= 12 ? (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : undefined
  return hour > 23 ? undefined : hour >= 1 && hour <= 6 ? hour + 12 : hour
}

/** Splits `Riverside next Tuesday 9:30` into the rest, the day at its end, and the time after it as `09:30`. */
export function splitStart(text: string, today: string) {
  const whole = splitDay(text, today)
  if (whole.day) return { ...whole, time: undefined }
  const found = TIME.exec(text.trim())
  if (!found) return { ...whole, time: undefined }
  const [, hours, minutes = '00', half, noon] = found
  const hour = noon ? 12 : hourOf(Number(hours), half)
  const before = splitDay(text.trim().slice(0, found.index), today)
  if (hour === undefined || Number(minutes) > 59 || !before.day) return { ...whole, time: undefined }
  return { ...before, time: `${two(hour)}:${minutes}` }
}
