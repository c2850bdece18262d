import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Email, Id, Instant, Line, Moment } from '#kit/values.ts'
import { readAddress } from '../emails/allowed-email.ts'

export const Slot = z.int().min(0).max(23)
/** An address that fits a list of allowed ones. */
export const Address = Email.pipe(
  z.string().refine((email) => readAddress(email) !== undefined, 'Invalid email format.'),
)

/**
 * A participant of an on-site session as another system sends it. Fields that are left out stay as they are; null
 * clears. Without `customer`, a new participant is the customer who has the email.
 */
export const ParticipantItem = z.strictObject({
  ...itemHead,
  session_id: Id.optional(),
  slot: Slot.optional(),
  name: Line(200).optional(),
  email: Address.optional(),
  customer: Reference.nullish(),
  rating: z.int().min(1).max(5).nullish(),
  booked_at: Instant.optional(),
})
export type ParticipantItem = z.output<typeof ParticipantItem>

export const participantRecord = {
  session_id: Id,
  slot: z.int(),
  name: z.string(),
  email: z.string(),
  customer: Id.nullable(),
  rating: z.int().nullable(),
  booked_at: Moment,
}

export const participantCalls = resourceCalls({
  name: 'participants',
  scope: 'participants',
  item: ParticipantItem,
  record: participantRecord,
  shown: {
    session_id: 7,
    slot: 3,
    name: 'Avery Brooks',
    email: 'avery@example.com',
    customer: 2417,
    rating: 5,
    booked_at: '2026-11-10T09:30:00.000Z',
  },
  shownAs: 'p-5',
  example: {
    external_id: 'p-5',
    updated_at: '2026-11-17T17:20:00Z',
    session_id: 7,
    slot: 3,
    name: 'Avery Brooks',
    email: 'avery@example.com',
    customer: 'c-17',
    rating: 5,
    booked_at: '2026-11-10T09:30:00Z',
  },
})
