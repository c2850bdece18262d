import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { RETENTION, selectKept } from './retention.rules.ts'

const START = new Date('2025-01-01T11:30:00Z')
const nightly = (nights: number) =>
  Array.from({ length: nights }, (_, night) => ({ id: night + 1, takenAt: shift(START, night * DAY) }))
const days = (copies: readonly { id: number; takenAt: Date }[]) => {
  const kept = selectKept(copies)
  return copies.filter(({ id }) => kept.has(id)).map(({ takenAt }) => takenAt.toISOString().slice(0, 10))
}

describe('retention', () => {
  it('keeps every backup of the first two weeks', () => {
    expect(days(nightly(14))).toHaveLength(14)
  })
  it('keeps 14 days, 8 weeks by their Sunday and 12 months by their last day', () => {
    // The last night is Wednesday, December 31, 2025.
    const kept = days(nightly(365))
    expect(kept).toEqual([
      '2025-01-31',
      '2025-02-28',
      '2025-03-31',
      '2025-04-30',
      '2025-05-31',
      '2025-06-30',
      '2025-07-31',
      '2025-08-31',
      '2025-09-30',
      '2025-10-31',
      '2025-11-16',
      '2025-11-23',
      '2025-11-30',
      '2025-12-07',
      '2025-12-14',
      '2025-12-18',
      '2025-12-19',
      '2025-12-20',
      '2025-12-21',
      '2025-12-22',
      '2025-12-23',
      '2025-12-24',
      '2025-12-25',
      '2025-12-26',
      '2025-12-27',
      '2025-12-28',
      '2025-12-29',
      '2025-12-30',
      '2025-12-31',
    ])
  })
  it('returns the tiers of each backup', () => {
    const copies = nightly(365)
    const kept = selectKept(copies)
    expect(kept.get(365)).toEqual(['daily', 'weekly', 'monthly'])
    expect(kept.get(364)).toEqual(['daily'])
    expect(kept.get(31)).toEqual(['monthly'])
  })
  it('keeps only the newest backup of a day', () => {
    const copies = [0, 3, 6].map((hour, at) => ({ id: at + 1, takenAt: shift(START, hour * HOUR) }))
    expect([...selectKept(copies).keys()]).toEqual([3])
  })
  it('counts only days with a backup, so a gap deletes nothing', () => {
    const copies = [...nightly(14), { id: 99, takenAt: shift(START, 60 * DAY) }]
    expect(selectKept(copies).size).toBe(14)
  })

  const histories = fc
    .uniqueArray(fc.integer({ min: 0, max: 24 * 500 }), { minLength: 1, maxLength: 400 })
    .map((hours) =>
      hours.toSorted((a, b) => a - b).map((hour, at) => ({ id: at + 1, takenAt: shift(START, hour * HOUR) })),
    )
  it('always keeps the newest, and never more than the limits', () => {
    fc.assert(
      fc.property(histories, (copies) => {
        const kept = selectKept(copies)
        expect(kept.has(copies.length)).toBe(true)
        expect(kept.size).toBeLessThanOrEqual(RETENTION.daily + RETENTION.weekly + RETENTION.monthly)
      }),
      { numRuns: 50 },
    )
  })
  it('does not depend on the order of the list', () => {
    fc.assert(
      fc.property(histories, (copies) => {
        expect([...selectKept(copies.toReversed())].toSorted()).toEqual([...selectKept(copies)].toSorted())
      }),
      { numRuns: 30 },
    )
  })
  it('keeps the same backups when applied every night as when applied once', () => {
    const history = nightly(430)
    let left: typeof history = []
    for (const copy of history) {
      left.push(copy)
      const kept = selectKept(left)
      left = left.filter(({ id }) => kept.has(id))
    }
    expect(left).toEqual(history.filter(({ id }) => selectKept(history).has(id)))
  })
})
