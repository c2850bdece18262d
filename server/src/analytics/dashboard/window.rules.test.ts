import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { describe, expect, it } from 'vitest'
import { HOUR } from '#platform/clock.ts'
import { companyTime, dayStart } from './local-time.rules.ts'
import { indexAtOrBefore, type Span, windowOf } from './window.rules.ts'

const iso = (at: number) => new Date(at).toISOString().slice(0, 16)
const ends = ({ daysFrom, to }: Span) => [iso(daysFrom), iso(to)]
const at = (timeframe: Timeframe, now: string) => windowOf(timeframe, new Date(now), companyTime)

describe('timeframes', () => {
  it.each([
    [
      'hour',
      '2026-11-16T17:03:20Z',
      ['2026-11-16T16:05', '2026-11-16T17:04'],
      ['2026-11-16T15:05', '2026-11-16T16:04'],
      12,
    ],
    [
      'day',
      '2026-11-16T17:03:20Z',
      ['2026-11-15T18:00', '2026-11-16T17:04'],
      ['2026-11-14T18:00', '2026-11-15T17:04'],
      24,
    ],
    // 9:03 AM on Monday in California: seven days including today, of which a bit over nine hours have passed.
    [
      'week',
      '2026-11-16T17:03:20Z',
      ['2026-11-10T08:00', '2026-11-16T18:00'],
      ['2026-11-03T08:00', '2026-11-09T18:00'],
      52,
    ],
    [
      'month',
      '2026-11-16T17:03:20Z',
      ['2026-10-18T07:00', '2026-11-16T18:00'],
      ['2026-09-18T07:00', '2026-10-17T17:00'],
      30,
    ],
    // The last minute of a year.
    [
      'month',
      '2027-01-01T07:59:59Z',
      ['2026-12-02T08:00', '2027-01-01T08:00'],
      ['2026-11-02T08:00', '2026-12-02T08:00'],
      30,
    ],
    // The first day of a month that is shorter than the previous one.
    [
      'month',
      '2026-03-01T08:00:00Z',
      ['2026-01-31T08:00', '2026-03-01T09:00'],
      ['2026-01-01T08:00', '2026-01-30T09:00'],
      30,
    ],
  ] as const)('of a %s at %s', (timeframe, now, current, previous, points) => {
    const window = at(timeframe, now)
    expect(ends(window.current)).toEqual(current)
    expect(ends(window.previous)).toEqual(previous)
    expect(window.points).toHaveLength(points)
    expect(window.previousPoints).toHaveLength(points)
  })

  it('compare the same local hour when daylight saving time ended in between', () => {
    // Sunday, November 1 has 25 hours; 10:00 AM is 17:00 UTC before and 18:00 UTC after.
    const { current, previous } = at('week', '2026-11-04T18:30:00Z')
    expect(ends(current)).toEqual(['2026-10-29T07:00', '2026-11-04T19:00'])
    expect(ends(previous)).toEqual(['2026-10-22T07:00', '2026-10-28T18:00'])
  })

  it('give a point its real length in the night of a daylight saving change', () => {
    const { points } = at('week', '2026-11-04T18:30:00Z')
    const night = points.indexOf(Date.parse('2026-11-01T07:00:00Z'))
    expect(((points[night + 1] ?? 0) - (points[night] ?? 0)) / HOUR).toBe(4)
    const spring = at('week', '2026-03-10T18:30:00Z').points
    const short = spring.indexOf(Date.parse('2026-03-08T08:00:00Z'))
    expect(((spring[short + 1] ?? 0) - (spring[short] ?? 0)) / HOUR).toBe(2)
  })

  it('have no gap and no overlap between days', () => {
    for (let day = companyTime.dayOf(Date.parse('2026-01-01T12:00:00Z')), end = day + 400; day < end; day++) {
      expect(companyTime.at(day, 24)).toBe(companyTime.at(day + 1, 0))
      expect(dayStart(companyTime, companyTime.at(day, 24) - 1)).toBe(companyTime.at(day, 0))
      expect([23, 24, 25]).toContain((companyTime.at(day, 24) - companyTime.at(day, 0)) / HOUR)
    }
  })
})

describe('indexAtOrBefore', () => {
  it.each([
    [5, -1],
    [10, 0],
    [19, 0],
    [20, 1],
    [99, 2],
  ])('finds the mark at or before %d', (moment, place) => {
    expect(indexAtOrBefore([10, 20, 30], moment)).toBe(place)
  })
})
