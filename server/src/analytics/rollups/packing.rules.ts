const SEVEN_BITS = 128

/** Writes integers as variable-length bytes, seven bits each (LEB128). */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(256)
  #length = 0

  put(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#grow(this.#bytes.length * 2)
    let rest = value
    while (rest >= SEVEN_BITS) {
      this.#bytes[this.#length++] = (rest % SEVEN_BITS) | SEVEN_BITS
      rest = Math.floor(rest / SEVEN_BITS)
    }
    this.#bytes[this.#length++] = rest
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  #grow(to: number): void {
    const larger = Buffer.allocUnsafe(to)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** Reads the output of a ByteWriter. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes
    this.#at = from
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length
  }

  next(): number {
    const bytes = this.#bytes
    let byte = bytes[this.#at++] ?? 0
    if (byte < SEVEN_BITS) return byte
    let value = byte & 127
    let scale = SEVEN_BITS
    do {
      byte = bytes[this.#at++] ?? 0
      value += (byte & 127) * scale
      scale *= SEVEN_BITS
    } while (byte >= SEVEN_BITS)
    return value
  }
}

const AS_DELTAS = 0
const AS_BITS = 1
const deltaBytes = (step: number) => (step < 1 << 7 ? 1 : step < 1 << 14 ? 2 : step < 1 << 21 ? 3 : 4)

/** Packs a set of numbers: as differences when sparse, as one bit each when dense. */
export function packUsers(users: ReadonlySet<number>): Buffer {
  const sorted = Uint32Array.from(users).sort()
  const max = sorted.at(-1) ?? 0
  let size = 0
  let before = 0
  for (const user of sorted) {
    size += deltaBytes(user - before)
    before = user
  }
  if (size <= max >> 3) {
    const writer = new ByteWriter()
    writer.put(AS_DELTAS)
    before = 0
    for (const user of sorted) {
      writer.put(user - before)
      before = user
    }
    return writer.finish()
  }
  const bytes = Buffer.alloc(sorted.length === 0 ? 1 : 2 + (max >> 3))
  bytes[0] = AS_BITS
  for (const user of sorted) bytes[1 + (user >> 3)] = (bytes[1 + (user >> 3)] ?? 0) | (1 << (user & 7))
  return bytes
}

/** Adds the members of a packed set to a set. */
export function unpackUsers(bytes: Uint8Array, into: Set<number>): void {
  if (bytes[0] === AS_DELTAS) {
    const reader = new ByteReader(bytes, 1)
    for (let user = 0; !reader.isDone; ) {
      user += reader.next()
      into.add(user)
    }
    return
  }
  for (let place = 1; place < bytes.length; place++) {
    for (let bits = bytes[place] ?? 0; bits !== 0; bits &= bits - 1)
      into.add((place - 1) * 8 + (31 - Math.clz32(bits & -bits)))
  }
}

/** Counts the union of packed sets. */
export class UserUnion {
  #bits = new Uint8Array(1024)

  add(bytes: Uint8Array): this {
    if (bytes[0] === AS_BITS) {
      this.#ensureSize(bytes.length)
      const bits = this.#bits
      for (let place = 1; place < bytes.length; place++) bits[place - 1] = (bits[place - 1] ?? 0) | (bytes[place] ?? 0)
      return this
    }
    const reader = new ByteReader(bytes, 1)
    for (let user = 0; !reader.isDone; ) {
      user += reader.next()
      this.#ensureSize((user >> 3) + 1)
      this.#bits[user >> 3] = (this.#bits[user >> 3] ?? 0) | (1 << (user & 7))
    }
    return this
  }

  count(): number {
    let count = 0
    for (const word of new Uint32Array(this.#bits.buffer)) {
      let bits = word - ((word >>> 1) & 0x55555555)
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
      count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    }
    return count
  }

  #ensureSize(size: number): void {
    if (size <= this.#bits.length) return
    const larger = new Uint8Array(2 ** Math.ceil(Math.log2(size + 1)))
    larger.set(this.#bits)
    this.#bits = larger
  }
}
