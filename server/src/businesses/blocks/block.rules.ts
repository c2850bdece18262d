import {
  type BlockState,
  blockHours,
  type Ledger,
  type SessionState,
  slotMinutes,
  slotsOf,
} from '@limber/contract/businesses/blocks/block.ts'

const HOUR = 3_600_000

export const isBlockHours = (hours: number) => blockHours.some((one) => one === hours)
export const isSlotMinutes = (minutes: number) => slotMinutes.some((one) => one === minutes)

/** A session is as long as its block, in hours that pass, whatever the clocks do meanwhile. */
export const sessionEnd = (startsAt: Date, hours: number) => new Date(startsAt.getTime() + hours * HOUR)

interface Session {
  starts_at: Date
  ends_at: Date
  cancelled_at: Date | null
}

export function stateOfSession({ starts_at, ends_at, cancelled_at }: Session, now: Date): SessionState {
  if (cancelled_at) return 'cancelled'
  if (ends_at <= now) return 'delivered'
  return starts_at <= now ? 'in_progress' : 'scheduled'
}

/** Has the last day passed on which a block can be used? Days are `YYYY-MM-DD` by the clocks of the zone. */
export const isLapsed = (expiresOn: string | null, day: string) => expiresOn !== null && expiresOn < day

/** Where the hours of a block are: each block is in exactly one state, which is what makes the ledger add up. */
export function stateOfBlock(
  block: { used_at: Date | null; expires_on: string | null; ends_at: Date | null },
  now: Date,
  today: string,
): BlockState {
  if (block.used_at) return block.ends_at && block.ends_at <= now ? 'delivered' : 'scheduled'
  return isLapsed(block.expires_on, today) ? 'expired' : 'available'
}

/** Blocks of one kind and state. */
export interface BlockSum {
  state: BlockState | 'returned'
  hours: number
  slot_length: number
  blocks: number
  taken_slots: number
}

const nothing = () => ({ hours: 0, slots: 0, blocks: 0 })

/** The balance of a business from its blocks; nothing is counted twice. */
export function addUp(sums: readonly BlockSum[]): Ledger {
  const ledger = {
    granted: nothing(),
    available: nothing(),
    scheduled: nothing(),
    delivered: nothing(),
    expired: nothing(),
    returned: nothing(),
  }
  let taken = 0
  for (const { state, hours, slot_length, blocks, taken_slots } of sums) {
    const targets = state === 'returned' ? [ledger.returned] : [ledger[state], ledger.granted]
    for (const target of targets) {
      target.hours += hours * blocks
      target.slots += slotsOf(hours, slot_length) * blocks
      target.blocks += blocks
    }
    if (state === 'delivered') taken += taken_slots
  }
  const offered = ledger.delivered.slots
  return { ...ledger, taken_slots: taken, fill_rate: offered === 0 ? null : taken / offered }
}
