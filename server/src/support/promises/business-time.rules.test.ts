import { addDays, weekdayOf } from '@limber/contract/kit/days.ts'
import { inputFromMoment } from '@limber/contract/kit/zone-time.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBusinessTime, type BusinessHours, businessTime } from './business-time.rules.ts'

const HOUR = 3_600_000
const weekdays = { from: '09:00', to: '17:00' }
const usual: BusinessHours = {
  zone: 'America/Los_Angeles',
  week: [null, weekdays, weekdays, weekdays, weekdays, weekdays, null],
  holidays: new Set(['2026-11-26']),
}
const at = (text: string) => new Date(text)
const print = (moment: Date | null) => moment && inputFromMoment(moment, usual.zone)

describe('business time', () => {
  it.each([
    ['within a day', '2026-11-17T10:00:00-08:00', 1, '2026-11-17T11:00'],
    ['overnight', '2026-11-17T16:30:00-08:00', 1, '2026-11-18T09:30'],
    ['to the minute of closing', '2026-11-17T16:00:00-08:00', 1, '2026-11-17T17:00'],
    ['before opening', '2026-11-17T06:00:00-08:00', 2, '2026-11-17T11:00'],
    ['over a weekend', '2026-11-20T16:00:00-08:00', 4, '2026-11-23T12:00'],
    ['over a holiday', '2026-11-25T16:00:00-08:00', 2, '2026-11-27T10:00'],
    ['over the change of clocks', '2026-10-30T16:00:00-07:00', 2, '2026-11-02T10:00'],
  ])('is added %s', (_case, from, hours, expected) => {
    const due = addBusinessTime(usual, at(from), hours * HOUR)
    expect(print(due)).toBe(expected)
    expect(businessTime(usual, at(from), due as Date)).toBe(hours * HOUR)
  })

  it('never comes when each open day is a holiday', () => {
    const closed = { ...usual, week: [null, null, null, null, weekdays, null, null], holidays: new Set<string>() }
    for (let day = '2026-01-01'; day < '2033-01-01'; day = addDays(day, 1)) closed.holidays.add(day)
    expect(addBusinessTime(closed, at('2026-01-01T00:00:00Z'), HOUR)).toBeNull()
    expect(businessTime(closed, at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z'))).toBe(0)
  })

  it('counts hours that the clocks skip or repeat once, from the first moment that is there', () => {
    const night = { from: '01:30', to: '03:00' }
    const hours = { ...usual, week: Array.from({ length: 7 }, () => night) }
    // March 8: 1:30 to 2:00, then 3:00. November 1: from the first 1:30 over the second one to 3:00.
    expect(businessTime(hours, at('2026-03-08T00:00:00-08:00'), at('2026-03-08T12:00:00-07:00'))).toBe(HOUR / 2)
    expect(businessTime(hours, at('2026-11-01T00:00:00-07:00'), at('2026-11-01T12:00:00-08:00'))).toBe(2.5 * HOUR)
  })

  it('is the same minute by minute, for any hours, holidays and zones', () => {
    const time = fc.integer({ min: 0, max: 96 }).map((quarter) => quarter * 15)
    const text = (minute: number) =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    const day = fc.option(
      fc
        .tuple(time, time)
        .filter(([a, b]) => a !== b)
        .map(([a, b]) => ({ from: text(Math.min(a, b)), to: text(Math.max(a, b)) })),
    )
    const zones = ['America/Los_Angeles', 'America/New_York', 'Australia/Lord_Howe', 'Europe/Dublin', 'UTC']
    // Around the changes of clocks in both hemispheres.
    const starts = ['2026-03-06', '2026-03-27', '2026-04-03', '2026-10-02', '2026-10-23', '2026-10-30', '2026-12-30']
    fc.assert(
      fc.property(
        fc.array(day, { minLength: 7, maxLength: 7 }).filter((week) => week.some(Boolean)),
        fc.constantFrom(...zones),
        fc.constantFrom(...starts),
        fc.subarray([0, 1, 2, 3, 4]),
        fc.integer({ min: 0, max: 4 * 24 * 60 }),
        fc.integer({ min: 1, max: 8 * 60 }),
        (week, zone, start, off, offset, minutes) => {
          const hours = { zone, week, holidays: new Set(off.map((days) => addDays(start, days))) }
          const from = new Date(Date.parse(`${start}T00:00:00Z`) + offset * MINUTE)
          const due = addBusinessTime(hours, from, minutes * MINUTE)
          expect(due?.getTime()).toBe(walk(hours, from, minutes))
          if (due) expect(businessTime(hours, from, due)).toBe(minutes * MINUTE)
        },
      ),
      { numRuns: 60 },
    )
  })
})

const MINUTE = 60_000
const HALF = 30 * MINUTE

/** Counts open minutes one by one. A day opens at its first minute that shows the time of opening or a later one. */
function walk({ zone, week, holidays }: BusinessHours, from: Date, minutes: number): number {
  let left = minutes
  let time = Math.floor((from.getTime() - 36 * HOUR) / HALF) * HALF
  let today = ''
  let latest = ''
  for (;;) {
    const wall = inputFromMoment(new Date(time), zone)
    const day = wall.slice(0, 10)
    const open = week[weekdayOf(day)]
    if (!open || holidays.has(day)) {
      time = Math.floor(time / HALF) * HALF + HALF
      continue
    }
    if (day !== today) latest = ''
    today = day
    if (wall.slice(11) > latest) latest = wall.slice(11)
    const isOpen = latest >= open.from && latest < open.to
    if (time >= from.getTime() && isOpen && --left === 0) return time + MINUTE
    time += MINUTE
  }
}
