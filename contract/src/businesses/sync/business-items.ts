import { z } from 'zod'
import { itemHead } from '#kit/batch.ts'
import { Day, Email, Id, Instant, Line } from '#kit/values.ts'

/** A business as a row of a file has it. */
export const BusinessItem = z.strictObject({
  ...itemHead,
  name: Line(120).optional(),
  custom_path: z.string().max(200).optional(),
  admin_email: Email.optional(),
  zone_id: Id.optional(),
  rep_name: Line(120).nullish(),
  location: Line(200).nullish(),
  kind: z.enum(['business', 'school']).optional(),
  /** Default: the pilot, which takes 90 days. */
  stage: z.enum(['contacted', 'pending', 'active', 'ended']).optional(),
  pilot_ends_on: Day.nullish(),
  renews_on: Day.nullish(),
  ended_reason: Line(500).nullish(),
  archived_at: Instant.nullish(),
  created_at: Instant.optional(),
})
export type BusinessItem = z.output<typeof BusinessItem>

/** An address that may book with a business, which is named by its custom path. */
export const AllowedEmailItem = z.strictObject({
  ...itemHead,
  business: z.string().max(200),
  email: z.string().max(1000),
})
export type AllowedEmailItem = z.output<typeof AllowedEmailItem>
