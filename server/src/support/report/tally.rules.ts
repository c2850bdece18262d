import type { ReportGroup, TicketChannel, TicketFigure } from '@limber/contract/support/report/figure.ts'
import type { TicketKind } from '@limber/contract/support/tickets/ticket.ts'
import { endings, type Facts } from './facts.rules.ts'
import type { GroupRow } from './report.rules.ts'

export interface ReportFilter {
  channel: TicketChannel | ''
  kind: TicketKind | 'none' | ''
  tag: number | ''
  assignee: number | 'none' | ''
}

/** Days with the moments at which they begin and end. */
export interface Part {
  key: string
  from: Date
  to: Date
}

const figures = ['opened', 'replied', 'closed', ...endings] as const satisfies TicketFigure[]
const [OPENED, REPLIED, CLOSED, KEPT, MISSED] = [0, 1, 2, 3, 4]
const WEEK = 604_800
const secondsOf = (moment: Date) => moment.getTime() / 1000

/** Durations in seconds. */
class Durations {
  #count = 0
  #values = new Int32Array(16)
  add(value: number) {
    if (this.#count === this.#values.length) {
      const more = new Int32Array(this.#count * 4)
      more.set(this.#values)
      this.#values = more
    }
    this.#values[this.#count++] = value
  }
  get all(): Int32Array {
    return this.#values.subarray(0, this.#count)
  }
}

/** Up to so many values are sorted. */
const MAX_SORTED = 2_048
const MAX_BUCKET_BITS = 16

/** The values that would be at these places if all were sorted: of many, only those in the same buckets are. */
function valuesAt(values: Int32Array, places: readonly number[]): number[] {
  if (values.length <= MAX_SORTED) {
    const sorted = values.toSorted()
    return places.map((place) => sorted[place] as number)
  }
  let [min, max] = [values[0] as number, values[0] as number]
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number
    if (value < min) min = value
    else if (value > max) max = value
  }
  const bitsOf = (value: number) => 32 - Math.clz32(value)
  const shift = Math.max(0, bitsOf(max - min) - Math.min(MAX_BUCKET_BITS, bitsOf(values.length) - 2))
  const counts = new Uint32Array(((max - min) >>> shift) + 1)
  for (let i = 0; i < values.length; i++) {
    const bucket = ((values[i] as number) - min) >>> shift
    counts[bucket] = (counts[bucket] as number) + 1
  }
  const sortedIn = new Map<number, Int32Array>()
  const sorted = (bucket: number) => {
    const known = sortedIn.get(bucket)
    if (known) return known
    const found = new Int32Array(counts[bucket] as number)
    let next = 0
    for (let i = 0; next < found.length; i++) {
      const value = values[i] as number
      if ((value - min) >>> shift === bucket) found[next++] = value
    }
    sortedIn.set(bucket, found.sort())
    return found
  }
  return places.map((place) => {
    let [bucket, before] = [0, 0]
    while (before + (counts[bucket] as number) <= place) before += counts[bucket++] as number
    return sorted(bucket)[place - before] as number
  })
}

/** In proportion between two of them, as `percentile_cont` of SQL. */
function percentiles(values: Int32Array, shares: readonly number[]): number[] {
  const places = shares.map((share) => share * (values.length - 1))
  const around = valuesAt(
    values,
    places.flatMap((place) => [Math.floor(place), Math.ceil(place)]),
  )
  return places.map((place, at) => {
    const [low, high] = [around[2 * at] as number, around[2 * at + 1] as number]
    return low + (high - low) * (place - Math.floor(place))
  })
}

/** Tickets with the same property, each counted once. */
class Bin {
  readonly counts = new Uint32Array(figures.length)
  readonly replied = new Durations()
  readonly closed = new Durations()
  count(figure: number, seconds: number) {
    this.counts[figure] = (this.counts[figure] as number) + 1
    if (figure === REPLIED) this.replied.add(seconds)
    else if (figure === CLOSED) this.closed.add(seconds)
  }
}

function together(durations: readonly Durations[]): Int32Array {
  const parts = durations.map(({ all }) => all)
  const values = new Int32Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    values.set(part, at)
    at += part.length
  }
  return values
}

/** What a group of bins counts. */
function rowsOf(key: string | null, bins: readonly Bin[]): GroupRow[] {
  return figures.flatMap((figure, place): GroupRow[] => {
    const tickets = bins.reduce((sum, { counts }) => sum + (counts[place] as number), 0)
    if (tickets === 0) return []
    if (place !== REPLIED && place !== CLOSED) return [{ key, figure, tickets, median: null, p90: null }]
    const seconds = together(bins.map((bin) => (place === REPLIED ? bin.replied : bin.closed)))
    const [median = 0, p90 = 0] = percentiles(seconds, [0.5, 0.9])
    return [{ key, figure, tickets, median: median / 60, p90: p90 / 60 }]
  })
}

/**
 * Counts the figures of a range: all together and by a property of the tickets or by the parts of the range. `tagNow`: what
 * a tag counts as; nothing if it was removed.
 */
export function makeTally(
  parts: readonly Part[],
  filter: ReportFilter,
  by: ReportGroup,
  tagNow: ReadonlyMap<number, number>,
) {
  /** By the keys of the groups that they belong to: tickets with the same tags share a bin, so that no bins overlap. */
  const bins = new Map<string, { bin: Bin; keys: readonly string[] }>()
  const binOf = (keys: readonly string[]) => {
    const name = keys.join()
    const { bin } = bins.get(name) ?? { bin: new Bin() }
    bins.set(name, { bin, keys })
    return bin
  }
  const starts = parts.map((part) => secondsOf(part.from))
  // Moments begin with 1: 0 stands for what did not happen.
  const from = Math.max(1, starts[0] ?? 0)
  const end = secondsOf(parts.at(-1)?.to ?? new Date(0))
  const isByPart = by === 'week'
  const partBins = isByPart ? parts.map(({ key }) => binOf([key])) : []
  /** Promises in the whole range: a ticket may have some in several parts. */
  const whole = new Bin()
  const partOf = (at: number) => {
    let part = Math.min(starts.length - 1, Math.floor((at - from) / WEEK))
    while (at < (starts[part] as number)) part--
    while (part + 1 < starts.length && at >= (starts[part + 1] as number)) part++
    return part
  }
  /** Where something counts that happened to a ticket of a bin; nowhere if it was outside the range. */
  const binAt = (at: number, bin: Bin) => (at < from || at >= end ? undefined : isByPart ? partBins[partOf(at)] : bin)

  /** Promises of one ticket, in order: it counts once in the range, and once in each part. One that was missed decides. */
  function addPromises({ endAt, ending }: Facts, first: number, next: number, bin: Bin) {
    let [inAll, part, inPart] = [0, -1, 0]
    for (let i = first; i < next; i++) {
      const at = endAt[i] as number
      const figure = KEPT + (ending[i] as number)
      if (figure > MISSED || at < from || at >= end) continue
      inAll = Math.max(inAll, figure)
      if (!isByPart) continue
      const itsPart = partOf(at)
      if (part >= 0 && itsPart !== part) {
        partBins[part]?.count(inPart, 0)
        inPart = 0
      }
      part = itsPart
      inPart = Math.max(inPart, figure)
    }
    if (part >= 0) partBins[part]?.count(inPart, 0)
    if (inAll > 0) (isByPart ? whole : bin).count(inAll, 0)
  }

  const passes = <T>(wanted: T | 'none' | '', value: T | null) =>
    wanted === '' || (wanted === 'none' ? null : wanted) === value
  /**
   * Finds the bin of a word once, because each block has the same words. Undefined for those that the filter leaves out.
   * Where all words are in the same bin, they need not be told apart.
   */
  function binsBy<T>(isOne: boolean, find: (word: T) => Bin | undefined) {
    if (isOne) return () => whole
    const known = new Map<string, Bin | undefined>()
    return (word: T) => {
      const name = String(word)
      if (!known.has(name)) known.set(name, find(word))
      return known.get(name)
    }
  }
  const isOneSort = filter.channel === '' && filter.kind === '' && by !== 'channel' && by !== 'kind'
  const binOfSort = binsBy<Facts['sorts'][number]>(isOneSort, ([channel, kind]) => {
    if (!passes(filter.channel, channel) || !passes(filter.kind, kind)) return undefined
    return by === 'channel' ? binOf([channel]) : by === 'kind' ? binOf([kind ?? 'none']) : whole
  })
  const binOfAssignee = binsBy<Facts['assignees'][number]>(filter.assignee === '' && by !== 'agent', (id) => {
    if (!passes(filter.assignee, id)) return undefined
    return by === 'agent' ? binOf([String(id ?? 'none')]) : whole
  })
  const binOfTags = binsBy<Facts['tags'][number]>(filter.tag === '' && by !== 'tag', (ids) => {
    if (filter.tag !== '' && !ids.includes(filter.tag)) return undefined
    return by === 'tag' ? binOf([...new Set(ids.flatMap((id) => tagNow.get(id) ?? []))].map(String)) : whole
  })

  return {
    /** Counts tickets, except those that are left out, by their offset. */
    add(facts: Facts, leftOut?: ReadonlySet<number>) {
      const { opened, replied, closed, endAt, endOf, ending, offsets, sortOf, assigneeOf, tagsOf } = facts
      const sorts = facts.sorts.map(binOfSort)
      const assignees = facts.assignees.map(binOfAssignee)
      const tags = facts.tags.map(binOfTags)
      let next = 0
      for (let row = 0; row < opened.length; row++) {
        const first = next
        while (next < endOf.length && endOf[next] === row) next++
        const bySort = sorts[sortOf[row] as number]
        const byAssignee = assignees[assigneeOf[row] as number]
        const byTags = tags[tagsOf[row] as number]
        if (!bySort || !byAssignee || !byTags || leftOut?.has(offsets[row] as number)) continue
        const bin = by === 'agent' ? byAssignee : by === 'tag' ? byTags : bySort
        const openedAt = opened[row] as number
        const repliedAt = replied[row] as number
        const closedAt = closed[row] as number
        binAt(openedAt, bin)?.count(OPENED, 0)
        binAt(repliedAt, bin)?.count(REPLIED, repliedAt - openedAt)
        binAt(closedAt, bin)?.count(CLOSED, closedAt - openedAt)
        if (next > first) addPromises(facts, first, next, bin)
        for (let i = first; i < next; i++) {
          const figure = KEPT + (ending[i] as number)
          if (figure > MISSED) binAt(endAt[i] as number, bin)?.count(figure, 0)
        }
      }
    },
    rows(): GroupRow[] {
      const all = [...bins.values()]
      const total = rowsOf(
        null,
        all.map(({ bin }) => bin),
      )
      const isPromise = ({ figure }: GroupRow) => figure === 'kept' || figure === 'missed'
      const keys = new Set(all.flatMap((one) => one.keys))
      return [
        ...(isByPart ? [...total.filter((row) => !isPromise(row)), ...rowsOf(null, [whole])] : total),
        ...[...keys].flatMap((key) =>
          rowsOf(
            key,
            all.flatMap((one) => (one.keys.includes(key) ? one.bin : [])),
          ),
        ),
      ]
    },
  }
}
