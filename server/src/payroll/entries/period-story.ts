import { MAX_STORY_EARNERS, type PeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import type { Db } from '#platform/db/db.ts'
import { presentPeriod } from './period.present.ts'
import { findPeriod } from './period.queries.ts'
import {
  countOpenPeriods,
  findEarnerNames,
  findStoryPeriod,
  findWithoutProfile,
  sumAdjustments,
  sumPeriods,
} from './period-story.queries.ts'
import { changesOf, pendingOf, totalsOf, typesOf } from './period-story.rules.ts'

/** What a period pays, what changed, and what is open; null without one. */
export async function tellPeriod(db: Db, id: number | undefined, today: string): Promise<PeriodStory | null> {
  const place = await findStoryPeriod(db, id, today)
  const period = place && (await findPeriod(db, place.id))
  if (!period) return null
  const before = place.before_id === null ? undefined : await findPeriod(db, place.before_id)
  const ids = before ? [period.id, before.id] : [period.id]
  const sums = await sumPeriods(db, ids)
  const adjusted = await sumAdjustments(db, ids)
  const of = <T extends { period_id: number }>(rows: readonly T[], wanted: number | undefined) =>
    rows.filter(({ period_id }) => period_id === wanted)
  const [paid, past] = [of(sums, period.id), of(sums, before?.id)]
  const changes = before ? changesOf(paid, past, MAX_STORY_EARNERS) : []
  const names = await findEarnerNames(
    db,
    changes.map(({ earner_id }) => earner_id),
  )
  const earners = [...new Set(paid.map(({ earner_id }) => earner_id))]
  const without = await findWithoutProfile(db, earners, period.pay_date)
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
