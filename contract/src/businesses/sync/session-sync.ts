import { z } from 'zod'
import { ExternalId, Reference, recordHead } from '#kit/batch.ts'
import { defineCall } from '#kit/call.ts'
import { attachCall, readCalls } from '#kit/resource.ts'
import { Id, IdText, IntegerText, Line, Moment } from '#kit/values.ts'
import { Address, participantRecord, Slot } from './participant-sync.ts'

const sessions = { name: 'sessions', scope: 'sessions' } as const

const record = {
  business: Id,
  stretcher: Id,
  starts_at: Moment,
  ends_at: Moment,
  cancelled_at: Moment.nullable(),
  slot_length_minutes: z.int(),
  /** How many slots the session has: they count from 0. */
  slots: z.int(),
  /** The slots that are not taken; none in a canceled session. */
  free_slots: z.array(z.object({ slot: z.int(), starts_at: Moment, ends_at: Moment })),
}

const noSession = [404, 'This session does not exist.'] as const
const past = [409, 'This slot has started. It can no longer be changed.'] as const

export const sessionCalls = {
  attach: attachCall(sessions),
  ...readCalls({
    ...sessions,
    record,
    shown: {
      business: 6,
      stretcher: 4,
      starts_at: '2026-11-20T17:00:00.000Z',
      ends_at: '2026-11-20T18:00:00.000Z',
      cancelled_at: null,
      slot_length_minutes: 30,
      slots: 2,
      free_slots: [{ slot: 1, starts_at: '2026-11-20T17:30:00.000Z', ends_at: '2026-11-20T18:00:00.000Z' }],
    },
  }),
  takeSlot: defineCall({
    method: 'POST',
    path: '/api/v1/sessions/:id/participants',
    summary: 'Take a slot of an on-site session for an email address that may book with the business',
    permission: 'api-key',
    scope: 'participants:write',
    params: z.strictObject({ id: IdText }),
    body: z.strictObject({
      /** Without one, the first free slot that has not started. */
      slot: Slot.optional(),
      name: Line(200),
      email: Address,
      /** Without one, the customer who has the email. */
      customer: Reference.optional(),
      /** Your own id of the booking. */
      external_id: ExternalId.optional(),
    }),
    example: { slot: 3, name: 'Avery Brooks', email: 'avery@example.com' },
    reply: z.object({ ...recordHead, ...participantRecord }),
    replyExample: {
      id: 51,
      external_ids: {},
      updated_at: '2026-11-17T17:20:00.000Z',
      session_id: 7,
      slot: 3,
      name: 'Avery Brooks',
      email: 'avery@example.com',
      customer: 2417,
      rating: null,
      booked_at: '2026-11-17T17:20:00.000Z',
    },
    refusals: {
      not_found: noSession,
      not_allowed: [422, 'This email address may not book with this business.'],
      no_slot: [422, 'This session has the slots 0 to {last}.'],
      missing_reference: [422, 'This customer does not exist.'],
      slot_taken: [409, 'This slot is already taken.'],
      full: [409, 'This session is full.'],
      past,
      cancelled: [409, 'This session was canceled.'],
      already_linked: [409, 'Another participant has this external ID.'],
    },
  }),
  freeSlot: defineCall({
    method: 'DELETE',
    path: '/api/v1/sessions/:id/participants/:slot',
    summary: 'Free a slot of an on-site session',
    permission: 'api-key',
    scope: 'participants:write',
    params: z.strictObject({ id: IdText, slot: IntegerText(0, 23) }),
    reply: z.object({ id: Id, session_id: Id, slot: z.int() }),
    replyExample: { id: 51, session_id: 7, slot: 3 },
    refusals: { not_found: noSession, is_free: [404, 'No one has taken this slot.'], past },
  }),
}
