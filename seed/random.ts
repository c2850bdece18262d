/** A random stream that is the same on every machine and in every run. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** An integer between two bounds, both inclusive. */
  integer(from: number, to: number): number
  between(from: number, to: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** The index of one of the weights, picked in proportion to them. */
  weighted(weights: readonly number[]): number
  /** Normal distribution with mean 0 and standard deviation 1, cut off at 3. */
  normal(): number
}

function hash(text: string): number {
  let value = 2_166_136_261
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619)
  return value >>> 0
}

/** The stream for a name. Different names give independent streams. */
export function makeRandom(name: string): Random {
  // sfc32, seeded with hashes of the name.
  let a = hash(name)
  let b = hash(`${name}/b`)
  let c = hash(`${name}/c`)
  let counter = 1
  const next = () => {
    const sum = (a + b + counter++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4_294_967_296
  }
  for (let round = 0; round < 12; round++) next()

  const random: Random = {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    pick(list) {
      const picked = list[Math.floor(next() * list.length)]
      if (picked === undefined) throw new Error('Nothing to pick from')
      return picked
    },
    weighted(weights) {
      let rest = next() * weights.reduce((sum, weight) => sum + weight, 0)
      for (const [index, weight] of weights.entries()) {
        rest -= weight
        if (rest < 0) return index
      }
      return weights.length - 1
    },
    normal() {
      const angle = 2 * Math.PI * next()
      const size = Math.sqrt(-2 * Math.log(1 - next()))
      return Math.max(-3, Math.min(3, size * Math.cos(angle)))
    },
  }
  return random
}
