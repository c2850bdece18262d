import { ByteReader, ByteWriter, packUsers, unpackUsers } from './packing.rules.ts'

const MAX_DENSE = 1 << 15
const MAX_SPARSE = 128

/** Event counts by whole milliseconds: a map while there are few, then an array with the outliers in the map. */
export class Bins {
  readonly #map = new Map<number, number>()
  #dense: Uint32Array | undefined

  add(ms: number, count: number): void {
    if (!this.#dense || ms >= MAX_DENSE) {
      this.#map.set(ms, (this.#map.get(ms) ?? 0) + count)
      if (!this.#dense && this.#map.size > MAX_SPARSE) this.#toDense()
      return
    }
    const dense = this.#ensureSize(ms)
    dense[ms] = (dense[ms] ?? 0) + count
  }

  #toDense(): void {
    this.#dense = new Uint32Array(512)
    for (const [ms, count] of [...this.#map]) {
      if (ms >= MAX_DENSE) continue
      this.#ensureSize(ms)[ms] = count
      this.#map.delete(ms)
    }
  }

  #ensureSize(ms: number): Uint32Array {
    let dense = this.#dense ?? new Uint32Array(512)
    if (ms >= dense.length) {
      const larger = new Uint32Array(2 ** Math.ceil(Math.log2(ms + 1)))
      larger.set(dense)
      dense = larger
    }
    this.#dense = dense
    return dense
  }

  #sparseEntries(): [ms: number, count: number][] {
    return [...this.#map].sort(([a], [b]) => a - b)
  }

  /** The non-empty bins in ascending order. */
  *entries(): Generator<readonly [ms: number, count: number]> {
    const dense = this.#dense ?? []
    for (let ms = 0; ms < dense.length; ms++) {
      const count = dense[ms] ?? 0
      if (count > 0) yield [ms, count]
    }
    yield* this.#sparseEntries()
  }

  /** The lowest whole milliseconds that cover the given percent of the events (nearest rank). */
  percentile(percent: number, events: number): number {
    const dense = this.#dense ?? []
    let rest = Math.ceil((events * percent) / 100)
    for (let ms = 0; ms < dense.length; ms++) {
      rest -= dense[ms] ?? 0
      if (rest <= 0) return ms
    }
    for (const [ms, count] of this.#sparseEntries()) {
      rest -= count
      if (rest <= 0) return ms
    }
    return 0
  }
}

/** Whole milliseconds from hundredths, rounded half up. */
export const wholeMs = (time: number) => Math.floor((time + 50) / 100)

export class PathCell {
  events = 0
  timeSum = 0
  readonly bins = new Bins()
}

/** The response times of paths. Packed ones can be added up. */
export class PathTimes {
  readonly cells = new Map<number, PathCell>()

  of(path: number): PathCell {
    let cell = this.cells.get(path)
    if (!cell) {
      cell = new PathCell()
      this.cells.set(path, cell)
    }
    return cell
  }

  unpack(bytes: Uint8Array): this {
    const reader = new ByteReader(bytes)
    while (!reader.isDone) {
      const cell = this.of(reader.next())
      cell.events += reader.next()
      cell.timeSum += reader.next()
      let ms = 0
      for (let bins = reader.next(); bins > 0; bins--) {
        ms += reader.next()
        cell.bins.add(ms, reader.next())
      }
    }
    return this
  }

  pack(): Buffer {
    const writer = new ByteWriter()
    for (const [path, cell] of [...this.cells].sort(([a], [b]) => a - b)) {
      const bins = [...cell.bins.entries()]
      for (const value of [path, cell.events, cell.timeSum, bins.length]) writer.put(value)
      let before = 0
      for (const [ms, count] of bins) {
        writer.put(ms - before)
        writer.put(count)
        before = ms
      }
    }
    return writer.finish()
  }
}

/** A cell as stored. */
export interface PackedCell {
  events: number
  errors: number
  time_sum: number
  users: number
  user_set: Uint8Array
  paths: Uint8Array
}

/** The figures of one action (or all) in one minute, five minutes, hour or day. */
export class Cell {
  events = 0
  errors = 0
  timeSum = 0
  readonly users = new Set<number>()
  readonly paths = new PathTimes()

  add(path: number, user: number | undefined, time: number, failed: number): void {
    this.events++
    this.errors += failed
    this.timeSum += time
    if (user !== undefined) this.users.add(user)
    const cell = this.paths.of(path)
    cell.events++
    cell.timeSum += time
    cell.bins.add(wholeMs(time), 1)
  }

  merge(other: PackedCell): this {
    this.events += other.events
    this.errors += other.errors
    this.timeSum += other.time_sum
    unpackUsers(other.user_set, this.users)
    this.paths.unpack(other.paths)
    return this
  }

  pack(): PackedCell & { user_set: Buffer; paths: Buffer } {
    return {
      events: this.events,
      errors: this.errors,
      time_sum: this.timeSum,
      users: this.users.size,
      user_set: packUsers(this.users),
      paths: this.paths.pack(),
    }
  }
}

export const MINUTE_TIER = 0
export const HOUR_TIER = 1
export const DAY_TIER = 2
export const FIVE_TIER = 3
export type Tier = typeof MINUTE_TIER | typeof HOUR_TIER | typeof DAY_TIER | typeof FIVE_TIER

/** The action id for all actions together. */
export const ALL_ACTIONS = 0

/** Cells by tier, start and action. */
export class Cells {
  readonly tiers = [new Map<number, Map<number, Cell>>(), new Map(), new Map(), new Map()] as const

  size = 0

  of(tier: Tier, at: number, action: number): Cell {
    const tierCells: Map<number, Map<number, Cell>> = this.tiers[tier]
    let actions = tierCells.get(at)
    if (!actions) {
      actions = new Map()
      tierCells.set(at, actions)
    }
    let cell = actions.get(action)
    if (!cell) {
      cell = new Cell()
      this.size++
      actions.set(action, cell)
    }
    return cell
  }

  *entries(): Generator<{ tier: Tier; at: number; action: number; cell: Cell }> {
    for (const tier of [MINUTE_TIER, HOUR_TIER, DAY_TIER, FIVE_TIER] as const)
      for (const [at, actions] of this.tiers[tier])
        for (const [action, cell] of actions) yield { tier, at, action, cell }
  }
}
