import { hash } from 'node:crypto'

const FULL = 0.6

/**
 * Numbers from 1 by text, for millions of texts: of each, only 64 bits of its hash are kept. Two of ten million texts
 * have the same with a probability of one in 300,000.
 */
export class KeyTable {
  // Per place: two halves of the hash, and the number; 0 where there is none.
  #places = new Uint32Array(3 * 4096)
  #size = 0

  get(text: string): number | undefined {
    const [high, low] = hashOf(text)
    return this.#places[this.#find(high, low) + 2] || undefined
  }

  set(text: string, number: number) {
    if (this.#size >= (FULL * this.#places.length) / 3) this.#grow()
    const [high, low] = hashOf(text)
    const at = this.#find(high, low)
    if (this.#places[at + 2] === 0) this.#size++
    this.#places.set([high, low, number], at)
  }

  /** Where this hash is, or the free place where it belongs. */
  #find(high: number, low: number): number {
    const places = this.#places
    const mask = places.length / 3 - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const at = 3 * place
      if (places[at + 2] === 0 || (places[at] === high && places[at + 1] === low)) return at
    }
  }

  #grow() {
    const old = this.#places
    this.#places = new Uint32Array(2 * old.length)
    for (let at = 0; at < old.length; at += 3) {
      const entry = old.subarray(at, at + 3)
      if (entry[2] !== 0) this.#places.set(entry, this.#find(entry[0] ?? 0, entry[1] ?? 0))
    }
  }
}

function hashOf(text: string): readonly [high: number, low: number] {
  const digest = hash('sha1', text, 'buffer')
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}
