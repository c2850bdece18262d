import { now } from '#platform/clock.ts'

let last = 0

/** The moment as a number, and never one that was given before. */
export function nextId(): number {
  last = Math.max(last + 1, now().getTime())
  return last
}
