import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id, IdText } from '#kit/values.ts'
import { PlaceCampaign } from '../campaigns/result.ts'
import { CityTask } from '../tasks/task.ts'
import { CityName, DEFAULT_RANGE, GrowthRange, PlaceMetrics, Span } from '../values.ts'

/** One zone, or one city outside every zone, with its figures and its tasks. */
export const readCitySummary = defineCall({
  method: 'GET',
  path: '/api/marketing/city-summary',
  summary: 'The figures and tasks of a zone, or of a city outside every zone',
  permission: 'growth.tab',
  query: z.strictObject({
    range: GrowthRange.default(DEFAULT_RANGE),
    zoneId: IdText.optional(),
    city: CityName.optional(),
    /** A name as in a task: the zone with that name, otherwise the city. */
    place: CityName.optional(),
  }),
  reply: z.object({
    name: z.string(),
    /** Null for a city outside every zone. */
    zoneId: Id.nullable(),
    /** The location; a city is a point. Null when the location is unknown. */
    box: z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() }).nullable(),
    metrics: PlaceMetrics,
    /** The newest open tasks, then the newest done ones. */
    tasks: z.array(CityTask),
    /** The newest campaigns for this zone or city, with their results. */
    campaigns: z.array(PlaceCampaign),
    span: Span,
  }),
  refusals: {
    which: [400, 'Name exactly one zone, city or place.'],
    not_found: [404, 'This zone does not exist.'],
  },
})
export type CitySummary = ReplyOf<typeof readCitySummary>
