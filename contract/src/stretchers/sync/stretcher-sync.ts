import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Day, Email, Id, Instant, Line, Moment } from '#kit/values.ts'
import { StretcherStatus } from '../stretcher.ts'

const Phone = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number like +19515550123')

/**
 * A stretcher as another system sends it. Fields that are left out stay as they are; null clears. A new stretcher gets
 * the account that `customer` names, or else the one with the email, or a new one. Name, email and phone are those of
 * the account.
 */
export const StretcherItem = z.strictObject({
  ...itemHead,
  customer: Reference.optional(),
  first_name: Line(100).optional(),
  last_name: Line(100).optional(),
  email: Email.optional(),
  phone: Phone.nullish(),
  date_of_birth: Day.nullish(),
  hired_at: Instant.optional(),
  status: StretcherStatus.optional(),
  zone_id: Id.nullish(),
})
export type StretcherItem = z.output<typeof StretcherItem>

const record = {
  customer: Id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  date_of_birth: Day.nullable(),
  hired_at: Moment,
  trained_at: Moment.nullable(),
  deactivated_at: Moment.nullable(),
  status: StretcherStatus,
  zone_id: Id.nullable(),
}

export const stretcherCalls = resourceCalls({
  name: 'stretchers',
  scope: 'stretchers',
  item: StretcherItem,
  record,
  shown: {
    customer: 2417,
    first_name: 'Sam',
    last_name: 'Okafor',
    email: 'sam@example.com',
    phone: '+19515550145',
    date_of_birth: '1994-05-17',
    hired_at: '2026-11-01T09:00:00.000Z',
    trained_at: null,
    deactivated_at: null,
    status: 'in_training',
    zone_id: 1,
  },
  shownAs: 's-4',
  example: {
    external_id: 's-4',
    updated_at: '2026-11-17T17:20:00Z',
    first_name: 'Sam',
    last_name: 'Okafor',
    email: 'sam@example.com',
    phone: '+19515550145',
    date_of_birth: '1994-05-17',
    hired_at: '2026-11-01T09:00:00Z',
    status: 'in_training',
  },
})
