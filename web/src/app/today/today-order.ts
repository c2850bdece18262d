import { companyDay } from '@limber/contract/kit/company.ts'
import type { TodayItem } from '#platform/routing/sections.ts'

export const parts = [
  { part: 'today', title: 'Today' },
  { part: 'week', title: 'This week' },
  { part: 'later', title: 'When you have time' },
] as const
export type Part = (typeof parts)[number]['part']

const order: readonly TodayItem['need'][] = ['broken', 'waiting', 'due', 'tidy']
const DAY = 86_400_000

const dayOf = (due: string) => (due.length === 10 ? due : companyDay(new Date(due)))

function partOf({ need, due }: TodayItem, now: Date): Part {
  if (need === 'tidy') return 'later'
  if (!due || dayOf(due) <= companyDay(now)) return 'today'
  return dayOf(due) < companyDay(new Date(now.getTime() + 7 * DAY)) ? 'week' : 'later'
}

const byNeed = (a: TodayItem, b: TodayItem) =>
  order.indexOf(a.need) - order.indexOf(b.need) || (a.due ?? '9').localeCompare(b.due ?? '9')

/** Items by part, in order: what is broken, who is waiting, deadlines. Drops those that another area covers in more detail. */
export function inOrder(items: readonly TodayItem[], now: Date): Map<Part, TodayItem[]> {
  const covered = new Set(items.map(({ covers }) => covers))
  const shown = items.filter(({ id }) => !covered.has(id)).toSorted(byNeed)
  return Map.groupBy(shown, (item) => partOf(item, now))
}
