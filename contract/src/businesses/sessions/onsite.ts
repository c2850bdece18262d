import { z } from 'zod'
import { defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { BareMoment, Day, Id, IdText, Moment, Text, Version } from '#kit/values.ts'
import { BlockState, OnsiteSession } from '../blocks/block.ts'

/** The reply to a start time that cannot be parsed. */
export const BAD_DATE = 'Invalid date input format for UTC conversion'

/** Parsed by the server, which replies with the text above. */
const StartText = z.string().max(200)

/** Who gets an email; no one by default. */
const Notify = z
  .strictObject({
    stretcher: z.boolean().default(false),
    business: z.boolean().default(false),
    /** Participants who booked a slot, when the session is moved or canceled. */
    participants: z.boolean().default(false),
  })
  .optional()

export const Clash = z.object({
  kind: z.enum(['booking', 'onsite']),
  starts_at: BareMoment,
  ends_at: BareMoment,
  /** The business of an on-site session. */
  business: z.string().nullable(),
})
export type Clash = z.infer<typeof Clash>

export const CandidateState = z.enum(['free', 'busy', 'in_training', 'not_certified'])
export type CandidateState = z.infer<typeof CandidateState>

export const Candidate = z.object({
  id: Id,
  name: z.string(),
  state: CandidateState,
  clash: Clash.nullable(),
  /** For a stretcher who is not certified: the certification that is missing or expires before the session. */
  lacks: z.object({ certification: z.string(), ended_on: Day.nullable() }).nullable(),
  /** Other possible start times for this stretcher, between 7:00 AM and 9:00 PM in the zone's time zone. */
  next_starts: z.array(BareMoment).max(3),
})
export type Candidate = z.infer<typeof Candidate>

const dateRefusals = { bad_date: [400, BAD_DATE] } as const
const noSession = [404, 'No session found for this block.'] as const
const startRefusals = {
  ...dateRefusals,
  in_the_past: [422, 'This start time has passed. Select a later one.'],
  too_far: [422, 'A session can be scheduled at most two years ahead.'],
  block_expired: [409, 'This block can be used until {day}.'],
} as const
const stretcherRefusals = {
  no_stretcher: [404, 'This stretcher does not exist.'],
  other_zone: [422, '{name} does not work in the zone of this business.'],
  not_ready: [422, '{name} cannot take sessions: {why}.'],
  busy: [409, '{name} is busy {when}.'],
} as const
const begun = [409, 'This session has started and can no longer be changed.'] as const
const cancelled = [409, 'This session was canceled.'] as const
const stale = staleRefusal('this session', OnsiteSession)

/** The stretchers of the zone who could do a session, available ones first, and other possible start times. */
export const listCandidates = defineCall({
  method: 'POST',
  path: '/api/onsite/candidates',
  summary: 'The stretchers of the zone for a start time: free, busy, in training, not certified',
  permission: 'businesses.manage',
  reads: true,
  body: z.strictObject({ prepaid_block_id: Id, starts_at: StartText }),
  reply: z.object({
    time_zone: z.string(),
    zone_name: z.string(),
    ends_at: BareMoment,
    candidates: z.array(Candidate),
    /** The next three start times of any stretcher who is ready. */
    next_starts: z.array(z.object({ starts_at: BareMoment, stretcher_id: Id })).max(3),
  }),
  refusals: { ...dateRefusals, no_block: [404, 'This block does not exist.'] },
})
export type CandidateList = ReplyOf<typeof listCandidates>

export const activateBlock = defineCall({
  method: 'POST',
  path: '/api/onsite/activate-block',
  summary: 'Schedule the session of a block',
  permission: 'businesses.manage',
  body: z.strictObject({ prepaid_block_id: Id, stretcher_id: Id, starts_at: StartText, notify: Notify }),
  reply: OnsiteSession,
  refusals: {
    ...startRefusals,
    ...stretcherRefusals,
    no_block: [404, 'This block does not exist.'],
    block_taken: [409, 'This block is already used.'],
    archived: [409, 'This business is archived. Restore it first.'],
  },
})

export const rescheduleSession = defineCall({
  method: 'POST',
  path: '/api/onsite/reschedule',
  summary: 'Move a session to another start time, optionally with another stretcher; its length stays the same',
  permission: 'businesses.manage',
  body: z.strictObject({
    session_id: Id,
    new_starts_at: StartText,
    /** The current stretcher by default. */
    new_stretcher_id: Id.optional(),
    version: Version.optional(),
    notify: Notify,
  }),
  reply: OnsiteSession,
  refusals: { ...startRefusals, ...stretcherRefusals, not_found: noSession, begun, cancelled, stale },
})

export const changeStretcher = defineCall({
  method: 'POST',
  path: '/api/onsite/change-stretcher',
  summary: 'Assign a session to another stretcher',
  permission: 'businesses.manage',
  body: z.strictObject({ session_id: Id, new_stretcher_id: Id, version: Version.optional(), notify: Notify }),
  reply: OnsiteSession,
  refusals: { ...stretcherRefusals, not_found: noSession, begun, cancelled, stale },
})

export const cancelSession = defineCall({
  method: 'POST',
  path: '/api/onsite/cancel',
  summary: 'Cancel a session; its block can be scheduled again',
  permission: 'businesses.manage',
  body: z.strictObject({ session_id: Id, reason: Text(500), version: Version.optional(), notify: Notify }),
  reply: OnsiteSession,
  refusals: { not_found: noSession, begun, cancelled, stale },
})

/** For this many days after its start, a session can be marked as not held. */
export const NOT_HELD_DAYS = 7

/** For a session that did not take place. Needs no version, because a started session cannot change in any other way. */
export const markNotHeld = defineCall({
  method: 'POST',
  path: '/api/onsite/not-held',
  summary: 'Mark a session that has started as not held: its hours go back to the block, and it is not paid',
  permission: 'businesses.manage',
  body: z.strictObject({
    session_id: Id,
    reason: Text(500),
    notify: z.strictObject({ stretcher: z.boolean().default(false), business: z.boolean().default(false) }).optional(),
  }),
  reply: OnsiteSession,
  refusals: {
    not_found: noSession,
    cancelled,
    not_begun: [409, 'This session has not started yet. Cancel it instead.'],
    too_late: [
      409,
      `This session started more than ${NOT_HELD_DAYS} days ago. It can no longer be marked as not held.`,
    ],
  },
})

export const SessionSlot = z.object({
  starts_at: BareMoment,
  ends_at: BareMoment,
  participant: z.object({ name: z.string(), email: z.string(), rating: z.int().nullable() }).nullable(),
})
export type SessionSlot = z.infer<typeof SessionSlot>

export const SessionDetail = OnsiteSession.extend({
  business_name: z.string(),
  admin_email: z.string(),
  stretcher_email: z.string(),
  internal_label: z.string(),
  block_hours: z.int(),
  slot_length_minutes: z.int(),
  block_state: BlockState.nullable(),
  time_zone: z.string(),
  zone_name: z.string(),
  location: z.string().nullable(),
  cancelled_at: Moment.nullable(),
  cancel_reason: z.string().nullable(),
  slot_list: z.array(SessionSlot),
})
export type SessionDetail = z.infer<typeof SessionDetail>

export const readSession = defineCall({
  method: 'GET',
  path: '/api/onsite/sessions/:id',
  summary: 'One session with its slots and participants',
  permission: 'businesses.manage',
  params: z.strictObject({ id: IdText }),
  reply: SessionDetail,
  refusals: { not_found: noSession },
})

export const exportParticipants = exportCall(readSession, 'participants', {
  path: '/api/onsite/sessions/:id/participants/export',
})

const SoonSession = z.object({
  id: Id,
  business_id: Id,
  business_name: z.string(),
  block_id: Id.nullable(),
  stretcher_name: z.string(),
  location: z.string().nullable(),
  /** In the time zone of the business. */
  is_today: z.boolean(),
  time: z.string(),
})

export const UncoveredSession = z.object({
  id: Id,
  business_id: Id,
  business_name: z.string(),
  block_id: Id.nullable(),
  day: Day,
  time: z.string(),
  stretcher_name: z.string(),
  /** The required certification that the stretcher lacks on that day; null when they no longer work or are in training. */
  lacks: z.string().nullable(),
  /** Stretchers of the zone who are certified and free at that time, by name. */
  substitutes: z.array(z.object({ id: Id, name: z.string() })).max(3),
})

/** On-site sessions whose stretcher may not hold them: a certification lapses or was revoked after the session was scheduled. */
export const listUncoveredSessions = defineCall({
  method: 'GET',
  path: '/api/onsite/uncovered',
  summary: 'Upcoming on-site sessions whose stretcher lacks a required certification on that day, with substitutes',
  permission: 'businesses.manage',
  reply: z.object({ sessions: z.array(UncoveredSession).max(50) }),
})

export const listSoonSessions = defineCall({
  method: 'GET',
  path: '/api/onsite/soon',
  summary: 'On-site sessions of today and tomorrow that have not ended, the next one first',
  permission: 'businesses.manage',
  reply: z.object({ sessions: z.array(SoonSession).max(50) }),
})
