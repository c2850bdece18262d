import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { shapeOf } from '#kit/fields.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Id, Instant, Line, Moment, Text } from '#kit/values.ts'
import { LeadSource, LeadStatus, leadFields, MAX_NOTE_LENGTH } from '../leads/lead.ts'

const { first_name, last_name, email, phone, source, campaign_id } = shapeOf(leadFields)

/**
 * A lead as another system sends it, with the fields of New Lead. Fields that are left out stay as they are; null
 * clears. A note is shown with the answers of the lead, because no worker wrote it.
 */
export const LeadItem = z.strictObject({
  ...itemHead,
  first_name: first_name.optional(),
  last_name: last_name.optional(),
  email: email.optional(),
  phone: phone.optional(),
  source: source.optional(),
  campaign_id: campaign_id.optional(),
  note: Text(MAX_NOTE_LENGTH).nullish(),
})
export type LeadItem = z.output<typeof LeadItem>

/**
 * A lead as a row of a file has it: a new one keeps how far it came elsewhere. Of a lead that is there, staff decide the
 * status.
 */
export const LeadFileItem = z.strictObject({
  ...LeadItem.shape,
  created_at: Instant.optional(),
  status: LeadStatus.optional(),
  status_since: Instant.optional(),
  first_response_at: Instant.nullish(),
  converted_at: Instant.nullish(),
  lost_reason: Line(500).nullish(),
  /** The account that the lead became. */
  customer: Reference.nullish(),
})
export type LeadFileItem = z.output<typeof LeadFileItem>

const record = {
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  source: LeadSource,
  campaign_id: Id.nullable(),
  note: z.string().nullable(),
  status: LeadStatus,
  created_at: Moment,
  status_since: Moment,
  first_response_at: Moment.nullable(),
  converted_at: Moment.nullable(),
  /** The account of a converted lead. */
  customer: Id.nullable(),
}

export const leadCalls = resourceCalls({
  name: 'leads',
  scope: 'leads',
  item: LeadItem,
  record,
  shown: {
    first_name: 'Robin',
    last_name: 'Vega',
    email: 'robin@example.com',
    phone: '(951) 555-0142',
    source: 'website',
    campaign_id: null,
    note: 'Asked about on-site sessions.',
    status: 'new',
    created_at: '2026-11-17T17:20:00.000Z',
    status_since: '2026-11-17T17:20:00.000Z',
    first_response_at: null,
    converted_at: null,
    customer: null,
  },
  shownAs: 'l-8',
  example: {
    external_id: 'l-8',
    updated_at: '2026-11-17T17:20:00Z',
    first_name: 'Robin',
    last_name: 'Vega',
    email: 'robin@example.com',
    phone: '(951) 555-0142',
    source: 'website',
    note: 'Asked about on-site sessions.',
  },
})
