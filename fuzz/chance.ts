/** A seeded random source: the same seed gives the same choices. */
export interface Chance {
  /** An integer from 0 to `below`, exclusive. */
  below(below: number): number
  /** True once in `many` calls on average. */
  oneIn(many: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Mulberry32: small, and good enough to generate requests. */
export function makeChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    oneIn: (many) => below(many) === 0,
    pick: (from) => {
      if (from.length === 0) throw new Error('Cannot pick from an empty list')
      return from[below(from.length)] as never
    },
  }
}
