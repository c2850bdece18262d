import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { BareMoment, Day, Id, IdText, Moment, Text, Version } from '#kit/values.ts'
import { BlockState, OnsiteSession } from '../blocks/block.ts'

/** The answer to a start time that cannot be read. */
export const BAD_DATE = 'Invalid date input format for UTC conversion'

/** Read by the server, which answers in the words above. */
const StartText = z.string().max(200)

/** Who is told by mail; nobody unless asked for. */
const Notify = z
  .strictObject({
    stretcher: z.boolean().default(false),
    business: z.boolean().default(false),
    /** Those who booked a slot, when it gets another time or is cancelled. */
    participants: z.boolean().default(false),
  })
  .optional()

export const Clash = z.object({
  kind: z.enum(['booking', 'onsite']),
  starts_at: BareMoment,
  ends_at: BareMoment,
  /** The business, for an on-site session. */
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
  /** The required certification that is missing or ends before the session, for who is not certified. */
  lacks: z.object({ certification: z.string(), ended_on: Day.nullable() }).nullable(),
  /** When this stretcher could begin instead, by the clocks of the zone between 7:00 and 21:00. */
  next_starts: z.array(BareMoment).max(3),
})
export type Candidate = z.infer<typeof Candidate>

const dated = { bad_date: [400, BAD_DATE] } as const
const noSession = [404, 'No session found for this block.'] as const
const startRefusals = {
  ...dated,
  in_the_past: [422, 'This start has passed. Choose a later one.'],
  too_far: [422, 'A session can be scheduled at most two years ahead.'],
  block_expired: [409, 'This block is good for sessions until {day}.'],
} as const
const stretcherRefusals = {
  no_stretcher: [404, 'This stretcher does not exist.'],
  other_zone: [422, '{name} does not work in the zone of this business.'],
  not_ready: [422, '{name} cannot take sessions: {why}.'],
  busy: [409, '{name} is busy {when}.'],
} as const
const begun = [409, 'This session has begun; it can no longer be changed.'] as const
const cancelled = [409, 'This session was cancelled.'] as const
const stale = staleRefusal('this session', OnsiteSession)

/** Who of the zone could take a block, the free first, and when else. */
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
    /** Of anybody who is ready, the next three. */
    next_starts: z.array(z.object({ starts_at: BareMoment, stretcher_id: Id })).max(3),
  }),
  refusals: { ...dated, no_block: [404, 'This block does not exist.'] },
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
export type ActivateBlock = BodyOf<typeof activateBlock>

export const rescheduleSession = defineCall({
  method: 'POST',
  path: '/api/onsite/reschedule',
  summary:
    'Move a session to another start, with another stretcher if told; it ends as much later as its block is long',
  permission: 'businesses.manage',
  body: z.strictObject({
    session_id: Id,
    new_starts_at: StartText,
    /** Whoever has it keeps it unless told. */
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
  summary: 'Give a session to another stretcher',
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

/** So many days after its start a session can be marked as one that did not take place. */
export const NOT_HELD_DAYS = 7

/** For a session that nobody came to give: no version, as a session that has begun changes in no other way. */
export const markNotHeld = defineCall({
  method: 'POST',
  path: '/api/onsite/not-held',
  summary: 'Say that a session that has begun did not take place: its hours go back to the block, and it is not paid',
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
    not_begun: [409, 'This session has not begun yet. Cancel it instead.'],
    too_late: [409, `This session began more than ${NOT_HELD_DAYS} days ago. It can no longer be marked.`],
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

const SoonSession = z.object({
  id: Id,
  business_id: Id,
  business_name: z.string(),
  block_id: Id.nullable(),
  stretcher_name: z.string(),
  location: z.string().nullable(),
  /** By the clocks of the zone of the business. */
  is_today: z.boolean(),
  time: z.string(),
})

export const listSoonSessions = defineCall({
  method: 'GET',
  path: '/api/onsite/soon',
  summary: 'On-site sessions of today and tomorrow that have not ended, the next first',
  permission: 'businesses.manage',
  reply: z.object({ sessions: z.array(SoonSession).max(50) }),
})
