import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bins, Cell, PathTimes, wholeMs } from './cell.rules.ts'
import { ByteReader, ByteWriter, packUsers, UserUnion, unpackUsers } from './packing.rules.ts'

const users = fc.oneof(
  fc.uniqueArray(fc.nat(200_000), { maxLength: 60 }),
  // Dense enough to be stored as bits.
  fc.uniqueArray(fc.nat(900), { minLength: 200, maxLength: 600 }),
)

describe('packed numbers', () => {
  it('unpack to the same numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(Number.MAX_SAFE_INTEGER)), (numbers) => {
        const writer = new ByteWriter()
        for (const number of numbers) writer.put(number)
        const reader = new ByteReader(writer.finish())
        expect(numbers.map(() => reader.next())).toEqual(numbers)
        expect(reader.isDone).toBe(true)
      }),
    )
  })
})

describe('packed people', () => {
  it('unpack to the same people, sparse or dense', () => {
    fc.assert(
      fc.property(users, (list) => {
        const back = new Set<number>()
        unpackUsers(packUsers(new Set(list)), back)
        expect([...back].sort((a, b) => a - b)).toEqual([...new Set(list)].sort((a, b) => a - b))
      }),
    )
  })
  it('count each person once in a union', () => {
    fc.assert(
      fc.property(fc.array(users, { maxLength: 5 }), (lists) => {
        const union = new UserUnion()
        for (const list of lists) union.add(packUsers(new Set(list)))
        expect(union.count()).toBe(new Set(lists.flat()).size)
      }),
    )
  })
  it('use one bit per person when there are many', () => {
    expect(packUsers(new Set(Array.from({ length: 80_000 }, (_, user) => user))).length).toBe(10_001)
    expect(packUsers(new Set([79_999])).length).toBeLessThan(5)
    expect(new UserUnion().add(packUsers(new Set())).count()).toBe(0)
  })
})

const times = fc.array(
  fc.record({
    path: fc.integer({ min: 1, max: 4 }),
    user: fc.option(fc.nat(50), { nil: undefined }),
    time: fc.oneof(fc.nat(200_000), fc.constantFrom(0, 49, 50, 360_000_000)),
    failed: fc.nat(1),
  }),
  { maxLength: 300 },
)

describe('cells', () => {
  it('have the same content however the events are divided', () => {
    fc.assert(
      fc.property(times, fc.nat(300), (events, cut) => {
        const fill = (part: typeof events) => {
          const cell = new Cell()
          for (const { path, user, time, failed } of part) cell.add(path, user, time, failed)
          return cell
        }
        const merged = new Cell().merge(fill(events.slice(0, cut)).pack()).merge(fill(events.slice(cut)).pack())
        expect(merged.pack()).toEqual(fill(events).pack())
      }),
    )
  })
  it('return the nearest rank of any percentile', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(70_000), { minLength: 1 }), fc.constantFrom(1, 50, 95, 99, 100), (all, percent) => {
        const bins = new Bins()
        for (const ms of all) bins.add(ms, 1)
        const sorted = all.toSorted((a, b) => a - b)
        expect(bins.percentile(percent, all.length)).toBe(sorted[Math.ceil((all.length * percent) / 100) - 1])
      }),
    )
  })
  it.each([
    [0, 0],
    [49, 0],
    [50, 1],
    [149, 1],
    [150, 2],
  ])('round %d hundredths to %d ms', (time, ms) => {
    expect(wholeMs(time)).toBe(ms)
  })
  it('are empty at first', () => {
    expect(new PathTimes().pack()).toHaveLength(0)
  })
})
