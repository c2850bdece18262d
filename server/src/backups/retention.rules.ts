import { DAY } from '#platform/clock.ts'

/** Keeps the newest backup of each of the last days, weeks and months that have one. */
export const RETENTION = { daily: 14, weekly: 8, monthly: 12 } as const
export type Tier = keyof typeof RETENTION

/** How long an unverified file is kept for investigation. */
export const UNVERIFIED_RETENTION = 14 * DAY
/** How long failed backups stay in the list. */
export const FAILED_RETENTION = 30 * DAY

interface Copy {
  id: number
  takenAt: Date
}

const dayOf = (at: Date) => Math.floor(at.getTime() / DAY)
// Day 0 was a Thursday. Weeks start on Monday.
const weekOf = (at: Date) => Math.floor((dayOf(at) + 3) / 7)
const monthOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth()
const spans: Record<Tier, (at: Date) => number> = { daily: dayOf, weekly: weekOf, monthly: monthOf }

/** The verified backups to keep, with their tiers. All others may be deleted. Days are in UTC. */
export function selectKept(copies: readonly Copy[]): Map<number, Tier[]> {
  const newest = copies.toSorted((a, b) => b.takenAt.getTime() - a.takenAt.getTime() || b.id - a.id)
  const kept = new Map<number, Tier[]>()
  for (const tier of Object.keys(RETENTION) as Tier[]) {
    const seen = new Set<number>()
    for (const { id, takenAt } of newest) {
      const span = spans[tier](takenAt)
      if (seen.has(span)) continue
      if (seen.size === RETENTION[tier]) break
      seen.add(span)
      kept.set(id, [...(kept.get(id) ?? []), tier])
    }
  }
  return kept
}
