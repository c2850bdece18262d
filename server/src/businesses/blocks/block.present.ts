import {
  type LedgerEntry,
  type OnsiteSession,
  type PrepaidBlock,
  slotsOf,
} from '@limber/contract/businesses/blocks/block.ts'
import type { BlockRecord, SessionRecord } from './block.queries.ts'
import { stateOfBlock, stateOfSession } from './block.rules.ts'
import type { EntryRow } from './ledger.queries.ts'

/** A UTC time without an offset, as the calls of this area send it. */
export const bareMoment = (at: Date) => at.toISOString().slice(0, -1)

export const presentSession = (session: SessionRecord, slots: number, now: Date): OnsiteSession => ({
  id: session.id,
  business_id: session.business_id,
  block_id: session.block_id,
  stretcher_id: session.stretcher_id,
  stretcher_name: session.stretcher_name,
  starts_at: bareMoment(session.starts_at),
  ends_at: bareMoment(session.ends_at),
  state: stateOfSession(session, now),
  slots,
  taken_slots: session.taken_slots,
  version: session.version,
})

export const presentBlock = (
  block: BlockRecord,
  session: SessionRecord | undefined,
  now: Date,
  today: string,
): PrepaidBlock => ({
  id: block.id,
  business_id: block.business_id,
  block_hours: block.block_hours,
  slot_length_minutes: block.slot_length_minutes,
  internal_label: block.internal_label,
  is_used: block.used_at ? 1 : 0,
  state: stateOfBlock({ ...block, ends_at: session?.ends_at ?? null }, now, today),
  expires_on: block.expires_on,
  version: block.version,
  ...(session && { session: presentSession(session, slotsOf(block.block_hours, block.slot_length_minutes), now) }),
})

export const presentEntry = ({ created_at, ...row }: EntryRow): LedgerEntry => ({
  id: row.id,
  kind: row.kind,
  block_id: row.block_id,
  label: row.label,
  hours: row.hours,
  slots: row.slots,
  reason: row.reason,
  by: row.by,
  at: created_at.toISOString(),
})
