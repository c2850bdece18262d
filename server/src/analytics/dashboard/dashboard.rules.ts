import type { DashboardFigures } from '@limber/contract/analytics/dashboard/dashboard.ts'
import type { PathTimes } from '../rollups/cell.rules.ts'
import { UserUnion } from '../rollups/packing.rules.ts'
import { indexAtOrBefore } from './window.rules.ts'

/** The rollup of one minute, five minutes, hour or day. */
export interface Block {
  at: number
  events: number
  errors: number
  timeSum: number
  users: number
  userSet: Uint8Array
}

/** Average in milliseconds with two decimals, from times in hundredths of a millisecond. */
export const averageMs = (timeSum: number, events: number) => (events === 0 ? 0 : Math.round(timeSum / events) / 100)

/** Failure rate in percent with two decimals. */
export const errorRate = (errors: number, events: number) =>
  events === 0 ? 0 : Math.round((errors / events) * 10_000) / 100

const sum = (blocks: readonly Block[], of: (block: Block) => number) =>
  blocks.reduce((total, block) => total + of(block), 0)

function unionSize(blocks: readonly Block[]): number {
  const [first] = blocks
  if (blocks.length <= 1) return first?.users ?? 0
  const union = new UserUnion()
  for (const block of blocks) union.add(block.userSet)
  return union.count()
}

/** The four figures for any number of blocks. */
export function figuresOf(blocks: readonly Block[]): DashboardFigures {
  const events = sum(blocks, (block) => block.events)
  return {
    total_events: events,
    unique_users: unionSize(blocks),
    avg_response_time: averageMs(
      sum(blocks, (block) => block.timeSum),
      events,
    ),
    error_rate: errorRate(
      sum(blocks, (block) => block.errors),
      events,
    ),
  }
}

/** The figures between consecutive marks, for the sparklines. */
export function trendsOf(blocks: readonly Block[], marks: readonly number[]) {
  const parts: Block[][] = marks.map(() => [])
  for (const block of blocks) parts[indexAtOrBefore(marks, block.at)]?.push(block)
  const points = parts.map(figuresOf)
  return {
    total_events: points.map((point) => point.total_events),
    unique_users: points.map((point) => point.unique_users),
    avg_response_time: points.map((point) => point.avg_response_time),
    error_rate: points.map((point) => point.error_rate),
  }
}

/** Event counts between consecutive marks. */
export function countsOf(blocks: readonly Pick<Block, 'at' | 'events'>[], marks: readonly number[]): number[] {
  const counts = marks.map(() => 0)
  for (const { at, events } of blocks) {
    const place = indexAtOrBefore(marks, at)
    if (place >= 0) counts[place] = (counts[place] ?? 0) + events
  }
  return counts
}

const MAX_PATHS = 100

/** Average and 95th percentile of each path, slowest first. */
export function responseTimesOf(times: PathTimes, nameOf: (path: number) => string) {
  return [...times.cells]
    .map(([path, cell]) => ({ path: nameOf(path), cell, avg_ms: averageMs(cell.timeSum, cell.events) }))
    .sort((a, b) => b.avg_ms - a.avg_ms || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_PATHS)
    .map(({ path, cell, avg_ms }) => ({
      path,
      avg_ms,
      p95_ms: cell.bins.percentile(95, cell.events),
      events: cell.events,
    }))
}

/** Counts by type, most frequent first. */
export const byCount = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
