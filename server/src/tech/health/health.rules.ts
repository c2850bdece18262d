import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import { DAY, MINUTE } from '#platform/clock.ts'

/** The strip shows 24 hours in 15-minute slots. */
export const SLOT = 15 * MINUTE
const SLOTS = DAY / SLOT

const severity: Record<HealthStatus, number> = { not_connected: 0, ok: 1, warning: 2, down: 3 }

export const stripStart = (now: Date) => new Date((Math.floor(now.getTime() / SLOT) + 1 - SLOTS) * SLOT)

/** The worst status in each slot, oldest first. */
export function stripOf(samples: readonly { at: Date; status: HealthStatus }[], now: Date): (HealthStatus | null)[] {
  const strip = new Array<HealthStatus | null>(SLOTS).fill(null)
  const start = stripStart(now).getTime()
  for (const { at, status } of samples) {
    const index = Math.floor((at.getTime() - start) / SLOT)
    const before = strip[index]
    if (before === undefined) continue
    if (before === null || severity[status] > severity[before]) strip[index] = status
  }
  return strip
}
