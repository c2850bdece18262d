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

/** The end of a session: block hours in elapsed time, independent of daylight saving time. */
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

/** Whether the last day of a block has passed. Days are `YYYY-MM-DD` in the zone's time zone. */
export const isExpired = (expiresOn: string | null, day: string) => expiresOn !== null && expiresOn < day

/** The state of a block's hours. Each block is in exactly one state, so the ledger adds up. */
export function stateOfBlock(
  block: { used_at: Date | null; expires_on: string | null; ends_at: Date | null },
  now: Date,
  today: string,
): BlockState {
  if (block.used_at) return block.ends_at && block.ends_at <= now ? 'delivered' : 'scheduled'
  return isExpired(block.expires_on, today) ? 'expired' : 'available'
}

/** Blocks of one size and state. */
export interface BlockSum {
  state: BlockState | 'returned'
  hours: number
  slot_length: number
  blocks: number
  taken_slots: number
}

const zero = () => ({ hours: 0, slots: 0, blocks: 0 })

/** The balance of a business from its blocks. Nothing counts twice. */
export function addUp(sums: readonly BlockSum[]): Ledger {
  const ledger = {
    granted: zero(),
    available: zero(),
    scheduled: zero(),
    delivered: zero(),
    expired: zero(),
    returned: zero(),
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
