import { z } from 'zod'
import { Dollars } from '#kit/dollars.ts'
import { Day, Id } from '#kit/values.ts'
import { CampaignPhase } from '../../marketing/campaigns/campaign-values.ts'
import { TaskFigures } from '../tasks/task.ts'

/** Days after the start on which a campaign is measured. */
export const resultDays = [30, 60, 90] as const
const LAST_DAY = 90

const Count = z.int().min(-1_000_000).max(1_000_000)
/** What a campaign is expected to change in its place by day 90. It is stored when the campaign is created. */
export const Expectation = z.strictObject({ users: Count, activeUsers: Count, sessions: Count, revenue: Dollars })

/**
 * The result of a campaign in its zone or city. Every figure is of the 30 days that end on the named day: `before` on the
 * day before the start, then on days 30, 60 and 90 of the campaign.
 */
export const CampaignResult = z.object({
  cityName: z.string(),
  before: TaskFigures.nullable(),
  /** Names of the similar zones: those with the nearest number of users that had no campaign of their own. */
  similar: z.array(z.string()),
  marks: z.array(
    z.object({
      afterDays: z.int(),
      day: Day,
      /** The share of the expectation that is due by this day, on a straight line to day 90. */
      expected: TaskFigures,
      /** The change since `before`; null until the day is over. */
      measured: TaskFigures.nullable(),
      /** What would have changed if the place had moved like the similar zones; null where they had nothing to compare. */
      similar: z
        .object({
          users: z.int().nullable(),
          activeUsers: z.int().nullable(),
          sessions: z.int().nullable(),
          revenue: Dollars.nullable(),
        })
        .nullable(),
    }),
  ),
})
export type CampaignResult = z.infer<typeof CampaignResult>

/** A campaign for a place, as the map lists it. */
export const PlaceCampaign = z.object({
  id: Id,
  name: z.string(),
  status: CampaignPhase,
  start_date: Day,
  result: CampaignResult,
})
export type PlaceCampaign = z.infer<typeof PlaceCampaign>

const each = <T>(of: (name: keyof TaskFigures) => T) => ({
  users: of('users'),
  activeUsers: of('activeUsers'),
  sessions: of('sessions'),
  revenue: of('revenue'),
})
/** People and sessions are whole; revenue is in cents. */
const rounded = (name: keyof TaskFigures, value: number) =>
  (name === 'revenue' ? Math.round(value * 100) / 100 : Math.round(value)) + 0

/** The part of the expectation that is due after so many days. */
export const expectedAfter = (expected: TaskFigures, days: number): TaskFigures =>
  each((name) => rounded(name, (expected[name] * days) / LAST_DAY))

export const changeFrom = (before: TaskFigures, after: TaskFigures): TaskFigures =>
  each((name) =>
    name === 'revenue' ? Number((after[name] - before[name]).toFixed(4)) + 0 : after[name] - before[name],
  )

/** The change that a place would have had, had each figure grown by the same percentage as in the similar zones. */
export const changeLike = (
  before: TaskFigures,
  similarBefore: TaskFigures,
  similarAfter: TaskFigures,
): Record<keyof TaskFigures, number | null> =>
  each((name) =>
    similarBefore[name] <= 0 ? null : rounded(name, before[name] * (similarAfter[name] / similarBefore[name] - 1)),
  )
