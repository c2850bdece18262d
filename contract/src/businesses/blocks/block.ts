import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination } from '#kit/page.ts'
import { BareMoment, Day, Id, IdText, Moment, Text, Version } from '#kit/values.ts'

export const blockHours = [2, 3, 4] as const
export const slotMinutes = [10, 15, 20] as const
export const DEFAULT_HOURS = 2
export const DEFAULT_SLOT = 15

/** Number of slots in a block. */
export const slotsOf = (hours: number, slotLength: number) => Math.floor((hours * 60) / slotLength)

export const SessionState = z.enum(['scheduled', 'in_progress', 'delivered', 'cancelled'])
export type SessionState = z.infer<typeof SessionState>

/** Times without an offset are UTC. */
export const OnsiteSession = z.object({
  id: Id,
  business_id: Id,
  block_id: Id.nullable(),
  stretcher_id: Id,
  stretcher_name: z.string(),
  starts_at: BareMoment,
  ends_at: BareMoment,
  state: SessionState,
  slots: z.int(),
  taken_slots: z.int(),
  version: Version,
})
export type OnsiteSession = z.infer<typeof OnsiteSession>

export const BlockState = z.enum(['available', 'scheduled', 'delivered', 'expired'])
export type BlockState = z.infer<typeof BlockState>

export const PrepaidBlock = z.object({
  id: Id,
  business_id: Id,
  block_hours: z.int(),
  slot_length_minutes: z.int(),
  internal_label: z.string(),
  is_used: z.union([z.literal(0), z.literal(1)]),
  state: BlockState,
  /** The last day a session can be scheduled; null: the block never expires. */
  expires_on: Day.nullable(),
  version: Version,
  session: OnsiteSession.optional(),
})
export type PrepaidBlock = z.infer<typeof PrepaidBlock>

const noBusiness = [404, 'This business does not exist.'] as const
const noBlock = [404, 'This block does not exist.'] as const
const lastDayPassed = [422, 'The last day of a block must be today or later.'] as const

export const listBlocks = defineCall({
  method: 'POST',
  path: '/api/businesses/blocks/list',
  summary: 'The prepaid blocks of a business, each with its session',
  permission: 'businesses.manage',
  reads: true,
  body: z.strictObject({
    business_id: Id,
    page: z.int().min(1).max(1_000_000).default(1),
    limit: z.int().min(1).max(500).default(200),
  }),
  reply: z.object({ blocks: z.array(PrepaidBlock), pagination: Pagination }),
  refusals: { not_found: noBusiness },
})

/** How many unused blocks are listed at once. */
export const MAX_UNUSED_BLOCKS = 100

/** A block without a session, with what is needed to schedule one. */
export const UnusedBlock = PrepaidBlock.pick({
  id: true,
  block_hours: true,
  slot_length_minutes: true,
  internal_label: true,
  expires_on: true,
}).extend({
  business: z.object({
    id: Id,
    name: z.string(),
    admin_email: z.string(),
    zone_name: z.string(),
    time_zone: z.string(),
  }),
})
export type UnusedBlock = z.infer<typeof UnusedBlock>

export const listUnusedBlocks = defineCall({
  method: 'GET',
  path: '/api/onsite/unused-blocks',
  summary: 'Blocks of every business that can still be scheduled, those that expire first at the top',
  permission: 'businesses.manage',
  reply: z.object({
    blocks: z.array(UnusedBlock).max(MAX_UNUSED_BLOCKS),
    /** Whether there are more blocks than returned. */
    isMore: z.boolean(),
  }),
})

export const exportBlocks = exportCall(listBlocks, 'prepaid-blocks', { filters: { business_id: IdText } })

export const createBlock = defineCall({
  method: 'POST',
  path: '/api/businesses/blocks/create',
  summary: 'Grant a prepaid block to a business',
  permission: 'businesses.manage',
  body: z.strictObject({
    business_id: Id,
    block_hours: z.number().default(DEFAULT_HOURS),
    slot_length_minutes: z.number().default(DEFAULT_SLOT),
    internal_label: Text(120, 0).default(''),
    expires_on: Day.nullish(),
  }),
  reply: PrepaidBlock,
  refusals: {
    not_found: noBusiness,
    archived: [409, 'This business is archived. Restore it first.'],
    bad_hours: [422, 'A block must be 2, 3 or 4 hours.'],
    bad_slot: [422, 'A slot must be 10, 15 or 20 minutes.'],
    lapsed: lastDayPassed,
  },
})

export const updateBlock = defineCall({
  method: 'POST',
  path: '/api/businesses/blocks/update',
  summary: 'Change the label and the last day of a block; a later day makes an expired block usable again',
  permission: 'businesses.manage',
  body: z.strictObject({
    block_id: Id,
    internal_label: Text(120, 0),
    /** Null: the block never expires. */
    expires_on: Day.nullable(),
    version: Version.optional(),
  }),
  reply: PrepaidBlock,
  refusals: {
    not_found: noBlock,
    stale: staleRefusal('this block', PrepaidBlock),
    lapsed: lastDayPassed,
    before_session: [422, 'The session of this block is on {day}. The last day cannot be before that.'],
  },
})

export const deleteBlock = defineCall({
  method: 'POST',
  path: '/api/businesses/blocks/delete',
  summary: 'Delete an unused block',
  permission: 'businesses.manage',
  body: z.strictObject({ block_id: Id }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: noBlock,
    used: [409, 'This block is used by the session {what}. Cancel the session first, then delete the block.'],
    running: [409, 'The session of this block has started, {what}. The block can no longer be deleted.'],
    delivered: [409, 'This block was delivered {what}. It stays in the ledger and cannot be deleted.'],
  },
})

const Balance = z.object({ hours: z.int(), slots: z.int(), blocks: z.int() })

/** Always: granted = available + scheduled + delivered + expired. */
export const Ledger = z.object({
  granted: Balance,
  available: Balance,
  scheduled: Balance,
  delivered: Balance,
  expired: Balance,
  /** Hours returned by canceled sessions. They also count in the other states again. */
  returned: Balance,
  /** Booked slots as a share of all slots in delivered sessions; null without a delivered session. */
  fill_rate: z.number().min(0).max(1).nullable(),
  taken_slots: z.int(),
})
export type Ledger = z.infer<typeof Ledger>

export const LedgerEntry = z.object({
  id: Id,
  kind: z.enum(['granted', 'withdrawn', 'scheduled', 'moved', 'reassigned', 'returned']),
  block_id: Id,
  label: z.string(),
  hours: z.int(),
  slots: z.int(),
  reason: z.string().nullable(),
  by: z.string().nullable(),
  at: Moment,
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

const ofBusiness = z.strictObject({ id: IdText })

/** How many entries come with the balance. The CSV has all of them. */
export const LATEST_ENTRIES = 100

export const readLedger = defineCall({
  method: 'GET',
  path: '/api/businesses/:id/ledger',
  summary: 'Prepaid hours of a business: the balance and the last 100 entries',
  permission: 'businesses.manage',
  params: ofBusiness,
  reply: z.object({ ledger: Ledger, entries: z.array(LedgerEntry) }),
  refusals: { not_found: noBusiness },
})

export const exportLedger = exportCall(readLedger, 'prepaid-hours')
