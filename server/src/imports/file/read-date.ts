import type { DateOrder } from '@limber/contract/imports/import-fields.ts'
import { companyZone } from '@limber/contract/kit/company.ts'
import { Day } from '@limber/contract/kit/values.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const time = String.raw`(?:(?:T|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*([AaPp])?\.?(?:[Mm]\.?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?`
const iso = new RegExp(String.raw`^(\d{4})-(\d{1,2})-(\d{1,2})${time}$`)
const numeric = new RegExp(String.raw`^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})${time}$`)
const monthFirst = new RegExp(String.raw`^([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})${time}$`)
const dayFirst = new RegExp(String.raw`^(\d{1,2})\s+([A-Za-z]{3,9})\.?,?\s+(\d{4})${time}$`)

interface ReadDate {
  day: string
  /** Hours, minutes and seconds, with fractions if there are any. */
  clock: string | undefined
  zone: string | undefined
}

const two = (number: number) => String(number).padStart(2, '0')

function build(year: string, month: number, day: string, rest: readonly (string | undefined)[]): ReadDate | undefined {
  // Two digits are a year from 1970 to 2069, as spreadsheets do not agree on more.
  const full = year.length === 4 ? year : `${Number(year) < 70 ? '20' : '19'}${year}`
  const text = `${full}-${two(month)}-${two(Number(day))}`
  if (!Day.safeParse(text).success) return undefined
  const [hour, minute = '00', second = '00', half, zone] = rest
  if (hour === undefined) return { day: text, clock: undefined, zone: undefined }
  const isAfternoon = half?.toLowerCase() === 'p'
  const hours = half ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour)
  if (hours > 23 || Number(minute) > 59 || Number(second) >= 60 || (half && Number(hour) > 12)) return undefined
  return { day: text, clock: `${two(hours)}:${minute}:${second}`, zone }
}

/** Reads a date, with or without a time, in the forms that other products write. */
function readDate(text: string, order: DateOrder | undefined): ReadDate | undefined {
  const full = iso.exec(text)
  if (full) return build(full[1] ?? '', Number(full[2]), full[3] ?? '', full.slice(4))
  const digits = numeric.exec(text)
  if (digits && order) {
    const [, first = '', second = '', year = '', ...rest] = digits
    return order === 'mdy' ? build(year, Number(first), second, rest) : build(year, Number(second), first, rest)
  }
  const named = monthFirst.exec(text)
  if (named) return build(named[3] ?? '', monthOf(named[1]), named[2] ?? '', named.slice(4))
  const swapped = dayFirst.exec(text)
  if (swapped) return build(swapped[3] ?? '', monthOf(swapped[2]), swapped[1] ?? '', swapped.slice(4))
  return undefined
}

const monthOf = (name = '') => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** The calendar day of a cell; undefined when it is not a date. */
export const dayOfCell = (text: string, order: DateOrder | undefined) => readDate(text, order)?.day

/** The moment of a cell, in the company's time zone unless it names another; undefined when it is not one. */
export function momentOfCell(text: string, order: DateOrder | undefined): string | undefined {
  const read = readDate(text, order)
  if (!read) return undefined
  if (read.zone !== undefined) {
    const zone = /^[+-]\d{4}$/.test(read.zone) ? `${read.zone.slice(0, 3)}:${read.zone.slice(3)}` : read.zone
    return new Date(`${read.day}T${read.clock}${zone === 'UTC' ? 'Z' : zone}`).toISOString()
  }
  const [moment] = momentsFromInput(`${read.day}T${read.clock?.slice(0, 8) ?? '00:00:00'}`, companyZone()) ?? []
  return moment?.toISOString()
}

/** Finds out how the dates of a column are written. */
export class DateForms {
  iso = 0
  numeric = 0
  named = 0
  #mustBeDayFirst = false
  #mustBeMonthFirst = false
  example: string | null = null

  add(text: string) {
    const [, first, second] = numeric.exec(text) ?? []
    if (first === undefined || second === undefined) {
      if (iso.test(text)) this.iso++
      else if (monthFirst.test(text) || dayFirst.test(text)) this.named++
      return
    }
    this.numeric++
    if (Number(first) > 12) this.#mustBeDayFirst = true
    else if (Number(second) > 12) this.#mustBeMonthFirst = true
    else this.example ??= text
  }

  /** `unclear` when the dates fit both orders, or neither. */
  get order(): DateOrder | 'unclear' | null {
    if (this.numeric === 0) return null
    if (this.#mustBeDayFirst === this.#mustBeMonthFirst) return 'unclear'
    return this.#mustBeDayFirst ? 'dmy' : 'mdy'
  }
}
