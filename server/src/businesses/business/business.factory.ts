import { slotsOf } from '@limber/contract/businesses/blocks/block.ts'
import type { Insertable } from 'kysely'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

type BusinessRow = Insertable<Tables['businesses']>
type BlockRow = Insertable<Tables['prepaid_blocks']>
type SessionRow = Insertable<Tables['onsite_sessions']>

/** The row of a business in its pilot. Other stages get their dates. */
export function draftBusiness(overrides: Partial<BusinessRow> & { zone_id: number }): BusinessRow {
  const { created_at = factoryNow(), stage = 'pending' } = overrides
  const day = (days: number) =>
    shift(new Date(created_at), days * DAY)
      .toISOString()
      .slice(0, 10)
  return {
    name: 'Mission Inn Hospitality',
    custom_path:
      overrides.custom_path ??
      `mission-inn-${randomToken(6)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, 'x')}`,
    admin_email: 'wellness@example.com',
    rep_name: null,
    location: null,
    stage,
    pilot_ends_on: stage === 'pending' ? day(90) : null,
    renews_on: stage === 'active' ? day(365) : null,
    ended_reason: stage === 'ended' ? 'Budget was cut' : null,
    times_contacted: 0,
    last_contact_at: null,
    archived_at: null,
    created_at,
    ...overrides,
  }
}

/** A business; creates its zone by default. */
export async function makeBusiness(db: Db, overrides: Partial<BusinessRow> = {}) {
  const zone_id = overrides.zone_id ?? (await makeZone(db)).id
  return db
    .insertInto('businesses')
    .values(draftBusiness({ ...overrides, zone_id }))
    .returning(['id', 'name', 'custom_path', 'admin_email', 'zone_id', 'version'])
    .executeTakeFirstOrThrow()
}

/** The row of an unused two-hour block with 15-minute slots. */
export const draftBlock = (overrides: Partial<BlockRow> & { business_id: number }): BlockRow => ({
  block_hours: 2,
  slot_length_minutes: 15,
  internal_label: 'Front desk team',
  expires_on: null,
  used_at: null,
  created_at: factoryNow(),
  ...overrides,
})

/** A block with its ledger entry; creates its business by default. */
export async function makeBlock(db: Db, overrides: Partial<BlockRow> = {}) {
  const business_id = overrides.business_id ?? (await makeBusiness(db)).id
  const block = await db
    .insertInto('prepaid_blocks')
    .values(draftBlock({ ...overrides, business_id }))
    .returning(['id', 'business_id', 'block_hours', 'slot_length_minutes', 'internal_label', 'created_at', 'version'])
    .executeTakeFirstOrThrow()
  const { id, block_hours, slot_length_minutes, internal_label, created_at } = block
  await db
    .insertInto('block_entries')
    .values({
      business_id,
      block_id: id,
      kind: 'granted',
      hours: block_hours,
      slots: slotsOf(block_hours, slot_length_minutes),
      label: internal_label,
      session_id: null,
      worker_id: null,
      reason: null,
      created_at,
    })
    .execute()
  return block
}

/** A session that uses a block, with a stretcher of the business's zone. Creates what is missing. */
export async function makeSession(db: Db, overrides: Partial<SessionRow> & { starts_at: Date }) {
  const block = overrides.block_id
    ? await db
        .selectFrom('prepaid_blocks')
        .select(['id', 'business_id', 'block_hours'])
        .where('id', '=', overrides.block_id)
        .executeTakeFirstOrThrow()
    : await makeBlock(db)
  const { zone_id } = await db
    .selectFrom('businesses')
    .select('zone_id')
    .where('id', '=', block.business_id)
    .executeTakeFirstOrThrow()
  const stretcher_id = overrides.stretcher_id ?? (await makeStretcher(db, { zone_id })).id
  await db.updateTable('prepaid_blocks').set({ used_at: factoryNow() }).where('id', '=', block.id).execute()
  return db
    .insertInto('onsite_sessions')
    .values({
      business_id: block.business_id,
      block_id: block.id,
      stretcher_id,
      ends_at: shift(overrides.starts_at, block.block_hours * HOUR),
      cancelled_at: null,
      cancel_reason: null,
      created_at: factoryNow(),
      ...overrides,
    })
    .returning(['id', 'business_id', 'block_id', 'stretcher_id', 'starts_at', 'ends_at', 'version'])
    .executeTakeFirstOrThrow()
}
