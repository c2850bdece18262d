import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Email, Id, Instant, Line, Moment } from '#kit/values.ts'

const Phone = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number like +19515550123')
const Points = z.int().min(0).max(1_000_000_000)

const latitude = z.number().min(-90).max(90)
const longitude = z.number().min(-180).max(180)
const Address = z
  .strictObject({
    line: Line(200).nullable(),
    city: Line(100).nullable(),
    state: Line(60).nullable(),
    postal_code: Line(20).nullable(),
    latitude: latitude.nullable(),
    longitude: longitude.nullable(),
  })
  .partial()
  .refine(({ latitude, longitude }) => (latitude == null) === (longitude == null), {
    message: 'needs latitude and longitude together',
    path: ['latitude'],
  })

const customerTypes = ['individual', 'corporate', 'student'] as const
const valueTiers = ['low', 'medium', 'high', 'vip'] as const
const lifecycleStages = ['new', 'prospect', 'active', 'loyal', 'at_risk', 'churned'] as const
const ranks = ['Bronze', 'Silver', 'Gold', 'Platinum'] as const

/** A customer as another system sends it. Fields that are left out stay as they are; null clears. */
export const CustomerItem = z.strictObject({
  ...itemHead,
  first_name: Line(100).optional(),
  last_name: Line(100).optional(),
  email: Email.optional(),
  phone: Phone.nullish(),
  joined_at: Instant.optional(),
  last_login_at: Instant.nullish(),
  email_verified_at: Instant.nullish(),
  waiver_signed_at: Instant.nullish(),
  customer_type: z.enum(customerTypes).optional(),
  value_tier: z.enum(valueTiers).optional(),
  lifecycle_stage: z.enum(lifecycleStages).optional(),
  engagement_score: z.int().min(0).max(100).optional(),
  points: Points.optional(),
  total_points_earned: Points.optional(),
  rank: z.enum(ranks).optional(),
  address: Address.nullish(),
  referred_by: z
    .union([
      z.strictObject({ customer: Reference }),
      z.strictObject({ stretcher: Reference }),
      z.strictObject({ worker_email: Email }),
    ])
    .nullish(),
  marketing_opt_out: z.boolean().optional(),
})
export type CustomerItem = z.output<typeof CustomerItem>

const record = {
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  joined_at: Moment,
  last_login_at: Moment.nullable(),
  email_verified_at: Moment.nullable(),
  waiver_signed_at: Moment.nullable(),
  customer_type: z.enum(customerTypes),
  value_tier: z.enum(valueTiers),
  lifecycle_stage: z.enum(lifecycleStages),
  engagement_score: z.int(),
  points: z.int(),
  total_points_earned: z.int(),
  rank: z.enum(ranks),
  credits: z.int(),
  blocked: z.boolean(),
  address: z.object({
    line: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    postal_code: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
  }),
  zone_id: Id.nullable(),
  zone_precision: z.enum(['address', 'postal_code']).nullable(),
  referred_by: z
    .union([z.object({ customer: Id }), z.object({ stretcher: Id }), z.object({ worker_email: z.string() })])
    .nullable(),
  marketing_opt_out: z.boolean(),
}

export const customerCalls = resourceCalls({
  name: 'customers',
  scope: 'customers',
  item: CustomerItem,
  record,
  shown: {
    first_name: 'Avery',
    last_name: 'Brooks',
    email: 'avery@example.com',
    phone: '+19515550142',
    joined_at: '2026-11-01T09:30:00.000Z',
    last_login_at: null,
    email_verified_at: null,
    waiver_signed_at: null,
    customer_type: 'individual',
    value_tier: 'low',
    lifecycle_stage: 'new',
    engagement_score: 0,
    points: 0,
    total_points_earned: 0,
    rank: 'Bronze',
    credits: 5,
    blocked: false,
    address: {
      line: '12 Palm Ave',
      city: 'Riverside',
      state: 'CA',
      postal_code: '92501',
      latitude: null,
      longitude: null,
    },
    zone_id: 1,
    zone_precision: 'postal_code',
    referred_by: { customer: 2390 },
    marketing_opt_out: false,
  },
  shownAs: 'c-17',
  example: {
    external_id: 'c-17',
    updated_at: '2026-11-17T17:20:00Z',
    first_name: 'Avery',
    last_name: 'Brooks',
    email: 'avery@example.com',
    phone: '+19515550142',
    joined_at: '2026-11-01T09:30:00Z',
    address: { line: '12 Palm Ave', city: 'Riverside', state: 'CA', postal_code: '92501' },
    referred_by: { customer: 'c-3' },
  },
})
