import { now } from '#platform/clock.ts'

let last = 0

/** The current time as an id, made unique. */
export function nextId(): number {
  last = Math.max(last + 1, now().getTime())
  return last
}
