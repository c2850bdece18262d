import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOutDay, type PlacedSpan, type Span } from './lay-out.ts'

const RUNS = { numRuns: 1000 }

interface Named extends Span {
  id: number
}

/** Days with up to forty sessions on quarter hours, so that many touch or start together. */
const days = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 92 }), fc.integer({ min: 1, max: 16 })), { maxLength: 40 })
  .map((spans) => spans.map(([from, long], id): Named => ({ id, from: from * 15, to: (from + long) * 15 })))

const meet = (a: Span, b: Span) => a.from < b.to && b.from < a.to

/** All spans that overlap a span, directly or through others. */
function clusterOf<S extends Span>(one: S, all: readonly S[]): S[] {
  const found = new Set([one])
  for (const span of found) for (const other of all) if (meet(span, other)) found.add(other)
  return [...found]
}

const depthOf = (spans: readonly Span[]) =>
  Math.max(...spans.map(({ from }) => spans.filter((one) => one.from <= from && from < one.to).length))

const eachOf = (check: (laid: PlacedSpan<Named>[], spans: Named[]) => void) =>
  fc.assert(
    fc.property(days, (spans) => void check(layOutDay(spans), spans)),
    RUNS,
  )

describe('day layout', () => {
  it('shows every session once, at its time', () => {
    eachOf((laid, spans) => {
      const shown = laid.map(({ id, from, to }) => ({ id, from, to })).toSorted((a, b) => a.id - b.id)
      expect(shown).toEqual(spans)
    })
  })

  it('never puts two overlapping sessions into one lane', () => {
    eachOf((laid) => {
      for (const one of laid)
        for (const other of laid) if (one.id < other.id && one.lane === other.lane) expect(meet(one, other)).toBe(false)
    })
  })

  it('uses as many lanes as the busiest moment of a cluster needs, and no more', () => {
    eachOf((laid) => {
      for (const one of laid) {
        const cluster = clusterOf(one, laid)
        expect(one.lanes).toBe(depthOf(cluster))
        expect(new Set(cluster.map(({ lanes }) => lanes)).size).toBe(1)
        expect(one.lane).toBeLessThan(one.lanes)
      }
    })
  })

  it('does not depend on the order of the sessions', () => {
    const boxesOf = (laid: PlacedSpan<Named>[]) =>
      laid.map(({ from, to, lane, lanes }) => [from, to, lane, lanes].join()).toSorted()
    eachOf((laid, spans) => expect(boxesOf(layOutDay(spans.toReversed()))).toEqual(boxesOf(laid)))
  })

  it('lets touching sessions share a lane, and gives the longer one the first lane', () => {
    expect(layOutDay([]).length).toBe(0)
    const touching = layOutDay([
      { from: 540, to: 660 },
      { from: 660, to: 780 },
    ])
    expect(touching.map(({ lane, lanes }) => [lane, lanes])).toEqual([
      [0, 1],
      [0, 1],
    ])
    const [first] = layOutDay([
      { from: 540, to: 660 },
      { from: 540, to: 780 },
    ])
    expect(first).toEqual({ from: 540, to: 780, lane: 0, lanes: 2 })
  })
})
