import { MAX_STORY_EARNERS, type PeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import type { Db } from '#platform/db/db.ts'
import { presentPeriod } from './period.present.ts'
import { findPeriodsById } from './period.queries.ts'
import { countOpenPeriods, findEarners, findStoryPeriod, sumAdjustments, sumPeriods } from './period-story.queries.ts'
import { changesOf, pendingOf, totalsOf, typesOf } from './period-story.rules.ts'

/** What a period pays, what changed, and what is open; null without one. */
export async function tellPeriod(db: Db, id: number | undefined, today: string): Promise<PeriodStory | null> {
  const place = await findStoryPeriod(db, id, today)
  if (!place) return null
  const periods = await findPeriodsById(db, place.before_id === null ? [place.id] : [place.id, place.before_id])
  const period = periods.get(place.id)
  if (!period) return null
  const before = place.before_id === null ? undefined : periods.get(place.before_id)
  const ids = before ? [period.id, before.id] : [period.id]
  const sums = await sumPeriods(db, ids)
  const adjusted = await sumAdjustments(db, ids)
  const of = <T extends { period_id: number }>(rows: readonly T[], wanted: number | undefined) =>
    rows.filter(({ period_id }) => period_id === wanted)
  const [paid, past] = [of(sums, period.id), of(sums, before?.id)]
  const changes = before ? changesOf(paid, past, MAX_STORY_EARNERS) : []
  const isPaid = new Set(paid.map(({ earner_id }) => earner_id))
  const involved = new Set([...isPaid, ...changes.map(({ earner_id }) => earner_id)])
  const earners = await findEarners(db, [...involved], period.pay_date)
  const names = new Map(earners.map(({ id, name }) => [id, name]))
  const without = earners
    .filter(({ id, has_profile }) => isPaid.has(id) && !has_profile)
    .map(({ id, name }) => ({ id, name }))
  return {
    period: presentPeriod(period),
    before: before ? presentPeriod(before) : null,
    next_id: place.next_id,
    totals: totalsOf(paid, of(adjusted, period.id)),
    totals_before: before ? totalsOf(past, of(adjusted, before.id)) : null,
    types: typesOf(paid, past),
    changes: changes.map((change) => ({ ...change, name: names.get(change.earner_id) ?? '' })),
    open: {
      overdue: period.pay_date < today ? pendingOf(paid) : { entries: 0, amount: 0 },
      without_profile: { count: without.length, earners: without.slice(0, MAX_STORY_EARNERS) },
      open_periods: await countOpenPeriods(db, period.pay_date, today),
    },
  }
}
