import { DAY } from '#platform/clock.ts'

/** Keeps the newest backup of each of the last days, weeks and months that have one. */
export const KEPT = { daily: 14, weekly: 8, monthly: 12 } as const
export type Reason = keyof typeof KEPT

/** How long an unverified file is kept for investigation. */
export const UNVERIFIED_KEPT = 14 * DAY
/** How long failed backups stay in the list. */
export const FAILED_KEPT = 30 * DAY

interface Copy {
  id: number
  takenAt: Date
}

const dayOf = (at: Date) => Math.floor(at.getTime() / DAY)
// Day 0 was a Thursday. Weeks start on Monday.
const weekOf = (at: Date) => Math.floor((dayOf(at) + 3) / 7)
const monthOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth()
const spans: Record<Reason, (at: Date) => number> = { daily: dayOf, weekly: weekOf, monthly: monthOf }

/** The verified backups to keep, with their tiers. All others may be deleted. Days are in UTC. */
export function chooseKept(copies: readonly Copy[]): Map<number, Reason[]> {
  const newest = copies.toSorted((a, b) => b.takenAt.getTime() - a.takenAt.getTime() || b.id - a.id)
  const kept = new Map<number, Reason[]>()
  for (const reason of Object.keys(KEPT) as Reason[]) {
    const seen = new Set<number>()
    for (const { id, takenAt } of newest) {
      const span = spans[reason](takenAt)
      if (seen.has(span)) continue
      if (seen.size === KEPT[reason]) break
      seen.add(span)
      kept.set(id, [...(kept.get(id) ?? []), reason])
    }
  }
  return kept
}
