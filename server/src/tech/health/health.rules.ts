import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import { DAY, MINUTE } from '#platform/clock.ts'

/** The strip shows a day in quarters of an hour. */
export const CELL = 15 * MINUTE
const CELLS = DAY / CELL

const badness: Record<HealthStatus, number> = { not_connected: 0, ok: 1, warning: 2, down: 3 }

export const stripStart = (now: Date) => new Date((Math.floor(now.getTime() / CELL) + 1 - CELLS) * CELL)

/** The worst that was found in each quarter of an hour of the last day, oldest first. */
export function stripOf(samples: readonly { at: Date; status: HealthStatus }[], now: Date): (HealthStatus | null)[] {
  const strip = new Array<HealthStatus | null>(CELLS).fill(null)
  const start = stripStart(now).getTime()
  for (const { at, status } of samples) {
    const place = Math.floor((at.getTime() - start) / CELL)
    const before = strip[place]
    if (before === undefined) continue
    if (before === null || badness[status] > badness[before]) strip[place] = status
  }
  return strip
}
