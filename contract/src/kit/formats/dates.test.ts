import { describe, expect, it } from 'vitest'
import { companyDay, companyZone } from '../company.ts'
import { addDays } from '../days.ts'
import { dayIn, momentsFromInput } from '../zone-time.ts'
import {
  formatAge,
  formatClockText,
  formatDay,
  formatDayRange,
  formatExact,
  formatHour,
  formatMoment,
  formatMomentRange,
  formatRelative,
  formatTime,
  formatTimeRange,
} from './dates.ts'

const NEW_YORK = 'America/New_York'
const now = new Date('2026-11-17T20:00:00Z')

describe('a day', () => {
  it.each([
    ['2026-11-17', {}, 'Nov 17, 2026'],
    ['2026-11-17', { now }, 'Nov 17'],
    ['2025-11-17', { now }, 'Nov 17, 2025'],
    ['2026-11-17', { now, hasWeekday: true }, 'Tue, Nov 17'],
    ['2026-09-30', { hasWeekday: true }, 'Wed, Sep 30, 2026'],
    ['2024-02-29', {}, 'Feb 29, 2024'],
    ['2026-02-30', {}, 'Invalid Date'],
    ['soon', {}, 'Invalid Date'],
  ])('%s with %j is %s', (day, form, text) => expect(formatDay(day, form)).toBe(text))

  it("uses the company's calendar for the current year", () => {
    const newYearInLondon = new Date('2027-01-01T01:00:00Z')
    expect(formatDay('2026-12-31', { now: newYearInLondon })).toBe('Dec 31')
    expect(formatDay('2027-01-01', { now: newYearInLondon })).toBe('Jan 1, 2027')
  })

  it.each([
    ['2026-11-17', '2026-11-23', 'Nov 17 – 23, 2026', 'Nov 17 – 23'],
    ['2026-09-28', '2026-10-11', 'Sep 28 – Oct 11, 2026', 'Sep 28 – Oct 11'],
    ['2026-12-28', '2027-01-03', 'Dec 28, 2026 – Jan 3, 2027', 'Dec 28, 2026 – Jan 3, 2027'],
    ['2025-12-22', '2026-01-04', 'Dec 22, 2025 – Jan 4, 2026', 'Dec 22, 2025 – Jan 4, 2026'],
    ['2026-09-18', '2026-09-18', 'Sep 18, 2026', 'Sep 18'],
  ])('%s to %s is %s', (from, to, text, thisYear) => {
    expect(formatDayRange(from, to)).toBe(text)
    expect(formatDayRange(from, to, { now })).toBe(thisYear)
  })

  it('can be parsed back for every day of a century', () => {
    const wrong: string[] = []
    for (let day = '1990-01-01'; day < '2090-01-01'; day = addDays(day, 1)) {
      const text = formatDay(day, { hasWeekday: true })
      const read = new Date(`${text} UTC`)
      const isRight = read.toISOString().startsWith(day) && text.startsWith(read.toUTCString().slice(0, 5))
      if (!isRight) wrong.push(`${day}: ${text}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('a time', () => {
  it.each([
    ['2026-11-17T17:00:00Z', {}, '9:00 AM'],
    ['2026-11-17T08:00:00Z', {}, '12:00 AM'],
    ['2026-11-17T20:05:00Z', {}, '12:05 PM'],
    ['2026-11-17T21:30:00Z', {}, '1:30 PM'],
    ['2026-11-17T17:00:00Z', { isZoneNamed: true }, '9:00 AM PST'],
    ['2026-11-17T17:00:00Z', { zone: NEW_YORK }, '12:00 PM EST'],
    ['2026-07-17T17:00:09Z', { hasSeconds: true }, '10:00:09 AM'],
    ['2026-11-01T08:30:00Z', {}, '1:30 AM PDT'],
    ['2026-11-01T09:30:00Z', {}, '1:30 AM PST'],
  ])('%s with %j is %s', (at, form, text) => expect(formatTime(new Date(at), form)).toBe(text))

  it.each([
    ['2026-11-17T17:00:00Z', '2026-11-17T21:00:00Z', {}, '9:00 AM – 1:00 PM'],
    ['2026-11-17T17:00:00Z', '2026-11-17T21:00:00Z', { isZoneNamed: true }, '9:00 AM – 1:00 PM PST'],
    ['2026-11-17T14:00:00Z', '2026-11-17T18:00:00Z', { zone: NEW_YORK }, '9:00 AM – 1:00 PM EST'],
    ['2026-11-01T07:30:00Z', '2026-11-01T09:30:00Z', {}, '12:30 AM PDT – 1:30 AM PST'],
    ['2026-11-01T08:10:00Z', '2026-11-01T08:30:00Z', {}, '1:10 AM – 1:30 AM PDT'],
    ['2026-11-01T09:50:00Z', '2026-11-01T10:10:00Z', {}, '1:50 AM – 2:10 AM PST'],
  ])('%s to %s with %j is %s', (from, to, form, text) =>
    expect(formatTimeRange(new Date(from), new Date(to), form)).toBe(text),
  )

  it.each([
    ['09:00', '9:00 AM'],
    ['00:15', '12:15 AM'],
    ['23:59', '11:59 PM'],
    ['noon', 'noon'],
  ])('formats %s as %s', (wire, text) => expect(formatClockText(wire)).toBe(text))

  it('on a chart axis shows the hour only', () => {
    expect([0, 6, 12, 22, 24].map(formatHour)).toEqual(['12 AM', '6 AM', '12 PM', '10 PM', '12 AM'])
  })
})

describe('a moment', () => {
  const at = new Date('2026-11-14T17:41:09Z')

  it('shows the day and the time', () => {
    expect(formatMoment(at)).toBe('Nov 14, 2026, 9:41 AM')
    expect(formatMoment(at, { now })).toBe('Nov 14, 9:41 AM')
    expect(formatMoment(at, { zone: 'Asia/Tokyo', now, hasWeekday: true })).toBe('Sun, Nov 15, 2:41 AM GMT+9')
    expect(formatExact(at)).toBe('Nov 14, 2026, 9:41:09 AM PST (17:41:09 UTC)')
  })

  it('shows a range that ends on another day', () => {
    const until = (hours: number) => new Date(at.getTime() + hours * 3_600_000)
    expect(formatMomentRange(at, until(4), { now, hasWeekday: true })).toBe('Sat, Nov 14, 9:41 AM – 1:41 PM')
    expect(formatMomentRange(at, until(20), { now })).toBe('Nov 14, 9:41 AM – Nov 15, 5:41 AM')
  })

  it.each([
    ['2026-11-17T19:59:30Z', 'just now', 'now'],
    ['2026-11-17T19:54:10Z', '5 min ago', '5 min'],
    ['2026-11-17T16:10:00Z', '3 h ago', '3 h'],
    ['2026-11-17T08:01:00Z', '11 h ago', '11 h'],
    ['2026-11-17T07:59:00Z', 'yesterday', 'Yesterday'],
    ['2026-11-16T08:01:00Z', 'yesterday', 'Yesterday'],
    ['2026-11-16T07:59:00Z', 'Nov 15, 11:59 PM', 'Sun'],
    ['2026-11-10T20:00:00Z', 'Nov 10, 12:00 PM', 'Nov 10'],
    ['2025-11-10T20:00:00Z', 'Nov 10, 2025, 12:00 PM', 'Nov 10, 2025'],
    ['2026-11-18T20:00:00Z', 'Nov 18, 12:00 PM', 'Nov 18'],
  ])('%s is %s, in short form %s', (text, relative, age) => {
    expect(formatRelative(new Date(text), now)).toBe(relative)
    expect(formatAge(new Date(text), now)).toBe(age)
  })

  it('from last evening is shown in hours shortly after midnight', () => {
    const night = new Date('2026-11-17T09:00:00Z')
    expect(formatRelative(new Date('2026-11-17T05:00:00Z'), night)).toBe('4 h ago')
  })
})

describe('every hour of two years, with all clock changes', () => {
  const [from, to] = [Date.parse('2026-01-01T08:00:00Z'), Date.parse('2028-01-01T08:00:00Z')]
  const offsets: Record<string, string> = {
    PST: '-08:00',
    PDT: '-07:00',
    EST: '-05:00',
    EDT: '-04:00',
    GMT: 'Z',
    'GMT+1': '+01:00',
  }
  const everyHour = Array.from({ length: (to - from) / 3_600_000 }, (_, place) => new Date(from + place * 3_600_000))

  it.each([companyZone(), NEW_YORK, 'Europe/London'])('can be parsed back exactly in %s', (zone) => {
    const wrong = everyHour.filter((at) => {
      const [, day, clock, name] = /^(.*), (\d+:\d\d [AP]M)(?: (.*))?$/.exec(formatMoment(at, { zone })) ?? []
      const field = new Date(`${day} ${clock} UTC`).toISOString().slice(0, 16)
      const read = name ? [new Date(`${field}${offsets[name]}`)] : (momentsFromInput(field, zone) ?? [])
      return read.length !== 1 || Number(read[0]) !== at.getTime() || !field.startsWith(dayIn(zone, at))
    })
    expect(wrong).toEqual([])
  })

  it("shows the company's zone only in repeated hours", () => {
    const named = everyHour.filter((at) => / P[SD]T$/.test(formatTime(at)))
    expect(named.map((at) => at.toISOString().slice(0, 13))).toEqual([
      '2026-11-01T08',
      '2026-11-01T09',
      '2027-11-07T08',
      '2027-11-07T09',
    ])
  })

  it('starts a day at midnight in the company zone', () => {
    const wrong = everyHour.filter((at) => {
      const isNew = companyDay(at) !== companyDay(new Date(at.getTime() - 1))
      return isNew !== formatTime(at).startsWith('12:00 AM')
    })
    expect(wrong).toEqual([])
  })
})
