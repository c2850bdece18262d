// @module-tag slow
import {
  createBlock,
  deleteBlock,
  exportLedger,
  type Ledger,
  listBlocks,
  readLedger,
} from '@limber/contract/businesses/blocks/block.ts'
import { activateBlock, cancelSession, markNotHeld } from '@limber/contract/businesses/sessions/onsite.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'
import { addUp, type BlockSum, sessionEnd, stateOfBlock } from './block.rules.ts'

let server: TestServer
let clerk: TestCaller
let zoneId: number
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
  zoneId = (await makeZone(server.db)).id
})
afterAll(() => server.stop())

const states = ['available', 'scheduled', 'delivered', 'expired'] as const

function expectBalanced(ledger: Ledger) {
  for (const unit of ['hours', 'slots', 'blocks'] as const)
    expect(states.reduce((sum, state) => sum + ledger[state][unit], 0)).toBe(ledger.granted[unit])
}

type Step =
  | { do: 'grant'; hours: 2 | 3 | 4; slot: 10 | 15 | 20; days: number | null }
  | { do: 'schedule'; which: number; inHours: number }
  | { do: 'cancel'; which: number }
  | { do: 'miss'; which: number }
  | { do: 'withdraw'; which: number }
  | { do: 'wait'; hours: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('grant' as const),
    hours: fc.constantFrom(2 as const, 3 as const, 4 as const),
    slot: fc.constantFrom(10 as const, 15 as const, 20 as const),
    days: fc.option(fc.integer({ min: 0, max: 5 })),
  }),
  fc.record({ do: fc.constant('schedule' as const), which: fc.nat(9), inHours: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ do: fc.constant('cancel' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('miss' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('withdraw' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
)

/** An independent, simple version of the same rules: what the ledger must show after some steps. */
interface ModelBlock {
  hours: number
  slot: number
  lastDay: string | null
  session: { start: number; end: number } | null
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

class Model {
  now = Date.parse('2026-11-16T17:00:00Z')
  blocks: ModelBlock[] = []
  returned = 0

  private pick(which: number, of: (block: ModelBlock) => boolean) {
    const fit = this.blocks.filter(of)
    return fit[which % Math.max(1, fit.length)]
  }
  apply(one: Step) {
    if (one.do === 'wait') this.now += one.hours * HOUR
    if (one.do === 'grant') {
      const lastDay = one.days === null ? null : dayOf(this.now + one.days * DAY)
      this.blocks.push({ hours: one.hours, slot: one.slot, lastDay, session: null })
    }
    if (one.do === 'schedule') {
      const start = this.now + one.inHours * HOUR
      const block = this.pick(one.which, (b) => !b.session && (b.lastDay === null || b.lastDay >= dayOf(start)))
      if (block) block.session = { start, end: start + block.hours * HOUR }
    }
    if (one.do === 'cancel' || one.do === 'miss') {
      const fits = (start: number) =>
        one.do === 'cancel' ? start > this.now : start <= this.now && this.now <= start + 7 * DAY
      const block = this.pick(one.which, (b) => b.session !== null && fits(b.session.start))
      if (block) {
        block.session = null
        this.returned += block.hours
      }
    }
    if (one.do === 'withdraw') {
      const block = this.pick(one.which, (b) => b.session === null)
      this.blocks = this.blocks.filter((b) => b !== block)
    }
  }
  expected() {
    const hours = { available: 0, scheduled: 0, delivered: 0, expired: 0 }
    for (const { session, lastDay, hours: size } of this.blocks) {
      const state = session
        ? session.end <= this.now
          ? 'delivered'
          : 'scheduled'
        : lastDay !== null && lastDay < dayOf(this.now)
          ? 'expired'
          : 'available'
      hours[state] += size
    }
    return hours
  }
}

describe('the ledger', () => {
  it('adds up after each step of 2,000 random histories, by its rules alone', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const model = new Model()
        for (const one of steps) {
          model.apply(one)
          const now = new Date(model.now)
          const sums = model.blocks.map(({ hours, slot, lastDay, session }): BlockSum => {
            const used_at = session ? now : null
            const ends_at = session && sessionEnd(new Date(session.start), hours)
            const state = stateOfBlock({ used_at, expires_on: lastDay, ends_at }, now, dayOf(model.now))
            return { state, hours, slot_length: slot, blocks: 1, taken_slots: 0 }
          })
          const ledger = addUp(sums)
          expectBalanced(ledger)
          expect(Object.fromEntries(states.map((state) => [state, ledger[state].hours]))).toEqual(model.expected())
        }
      }),
      { numRuns: rounds(500, 2000), seed: 64 },
    )
  })

  it('shows the same over HTTP and the database for a dozen histories', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        const model = new Model()
        server.clock.set(new Date(model.now))
        // UTC, as in the model, and a stretcher without other bookings.
        const zone = await makeZone(server.db, { time_zone: 'UTC' })
        const business = await makeBusiness(server.db, { zone_id: zone.id })
        const ids = new Map<ModelBlock, { block: number; session?: number }>()
        for (const one of steps) {
          const before = model.blocks.map((block) => [block, block.session] as const)
          model.apply(one)
          await follow(model, before, ids, business.id, zone.id)
          const { ledger } = (await freshClerk().send(readLedger, { params: { id: String(business.id) } })).body
          expectBalanced(ledger)
          expect(Object.fromEntries(states.map((state) => [state, ledger[state].hours]))).toEqual(model.expected())
          expect(ledger.returned.hours).toBe(model.returned)
        }
      }),
      { numRuns: rounds(4, 12), seed: 8 },
    )
    server.clock.set('2026-11-16T17:00:00Z')
  })

  // Time passes in these histories, and the worker's sign-in would expire.
  const freshClerk = () => server.as('businesses.manage')

  async function follow(
    model: Model,
    before: readonly (readonly [ModelBlock, ModelBlock['session']])[],
    ids: Map<ModelBlock, { block: number; session?: number }>,
    business_id: number,
    zone_id: number,
  ) {
    server.clock.set(new Date(model.now))
    const caller = freshClerk()
    for (const block of model.blocks) {
      const known = ids.get(block)
      if (!known) {
        const body = {
          business_id,
          block_hours: block.hours,
          slot_length_minutes: block.slot,
          expires_on: block.lastDay,
        }
        ids.set(block, { block: (await caller.send(createBlock, { body })).body.id })
        continue
      }
      const old = before.find(([one]) => one === block)?.[1] ?? null
      if (block.session && !old) {
        const stretcher = await makeStretcher(server.db, { zone_id })
        const body = {
          prepaid_block_id: known.block,
          stretcher_id: stretcher.id,
          starts_at: new Date(block.session.start).toISOString(),
        }
        const reply = await caller.send(activateBlock, { body })
        expect(reply.status, reply.text).toBe(200)
        known.session = reply.body.id
      }
      if (!block.session && old && known.session)
        expect(
          (
            await caller.send(old.start > model.now ? cancelSession : markNotHeld, {
              body: { session_id: known.session, reason: 'Rain' },
            })
          ).status,
        ).toBe(200)
    }
    for (const [block] of before)
      if (!model.blocks.includes(block))
        expect((await caller.send(deleteBlock, { body: { block_id: ids.get(block)?.block ?? 0 } })).status).toBe(200)
  }

  it('shows the fill rate of delivered sessions, and exports its entries', async () => {
    const { id } = await makeBusiness(server.db, { zone_id: zoneId })
    const block = await makeBlock(server.db, { business_id: id, internal_label: '=cmd|lobby' })
    const stretcher = await makeStretcher(server.db, { zone_id: zoneId })
    const starts_at = shift(server.clock.now(), HOUR).toISOString()
    const { body } = await clerk.send(activateBlock, {
      body: { prepaid_block_id: block.id, stretcher_id: stretcher.id, starts_at },
    })
    const participant = {
      session_id: body.id,
      email: 'a@example.com',
      customer_id: null,
      rating: null,
      booked_at: server.clock.now(),
    }
    await server.db
      .insertInto('onsite_participants')
      .values([0, 1, 2, 5, 6, 7].map((slot) => ({ ...participant, slot, name: `P${slot}` })))
      .execute()
    const look = async () =>
      (await server.as('businesses.manage').send(readLedger, { params: { id: String(id) } })).body.ledger
    expect(await look()).toMatchObject({ fill_rate: null, scheduled: { hours: 2, slots: 8 } })
    server.clock.advance(3 * HOUR)
    expect(await look()).toMatchObject({
      fill_rate: 0.75,
      taken_slots: 6,
      delivered: { hours: 2, slots: 8, blocks: 1 },
    })
    const file = await server.as('businesses.manage').send(exportLedger, { params: { id: String(id) } })
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="prepaid-hours-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const lines = file.text.trim().split('\r\n')
    expect(lines[0]).toBe('ID,Time,Movement,Block,Label,Hours,Slots,By,Reason')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(',granted,')
    expect(lines[1]).toContain(",'=cmd|lobby,")
    server.clock.advance(-3 * HOUR)
  })
})

describe('POST /api/businesses/blocks', () => {
  const create = (body: object) => clerk.send(createBlock, { body: body as never })

  it('creates a block of two hours with 15-minute slots by default', async () => {
    const { id } = await makeBusiness(server.db, { zone_id: zoneId })
    const reply = await create({ business_id: id })
    expect(reply.body).toMatchObject({ block_hours: 2, slot_length_minutes: 15, internal_label: '', is_used: 0 })
    expect(reply.body).not.toHaveProperty('session')
  })
  it.each([
    [{ block_hours: 1 }, 422],
    [{ block_hours: 5 }, 422],
    [{ block_hours: 2.5 }, 422],
    [{ block_hours: '2' }, 400],
    [{ slot_length_minutes: 7 }, 422],
    [{ slot_length_minutes: 60 }, 422],
    [{ internal_label: 'x'.repeat(121) }, 400],
    [{ expires_on: '2026-11-15' }, 422],
    [{ expires_on: '2026-02-30' }, 400],
    [{ is_used: 1 }, 400],
    [{ business_id: 999_999 }, 404],
  ])('J11 refuses %o', async (wrong, status) => {
    const { id } = await makeBusiness(server.db, { zone_id: zoneId })
    expect((await create({ business_id: id, ...wrong })).status).toBe(status)
    expect((await clerk.send(listBlocks, { body: { business_id: id } })).body.blocks).toEqual([])
  })
  it('J12 refuses to delete a used block, and names the session that uses it', async () => {
    const { id } = await makeBusiness(server.db, { zone_id: zoneId })
    const block = await makeBlock(server.db, { business_id: id })
    const stretcher = await makeStretcher(server.db, { zone_id: zoneId })
    await clerk.send(activateBlock, {
      body: { prepaid_block_id: block.id, stretcher_id: stretcher.id, starts_at: '2026-11-18T17:00:00Z' },
    })
    const reply = await clerk.send(deleteBlock, { body: { block_id: block.id } })
    expect([reply.status, reply.failure.error]).toEqual([
      409,
      'This block is used by the session on Wed, Nov 18, 2026, 9:00 AM. Cancel the session first, then delete the block.',
    ])
    expect((await clerk.send(deleteBlock, { body: { block_id: 999_999 } })).status).toBe(404)
  })
  it('refuses to delete a block whose session has started or was delivered, without offering to cancel it', async () => {
    const { id } = await makeBusiness(server.db, { zone_id: zoneId })
    const refusalOf = async (starts_at: string) => {
      const block = await makeBlock(server.db, { business_id: id })
      await makeSession(server.db, { block_id: block.id, starts_at: new Date(starts_at) })
      return (await clerk.send(deleteBlock, { body: { block_id: block.id } })).failure.error
    }
    expect(await refusalOf('2026-11-16T16:00:00Z')).toBe(
      'The session of this block has started, on Mon, Nov 16, 2026, 8:00 AM. The block can no longer be deleted.',
    )
    expect(await refusalOf('2026-11-11T17:00:00Z')).toBe(
      'This block was delivered on Wed, Nov 11, 2026, 9:00 AM. It stays in the ledger and cannot be deleted.',
    )
  })
  it('keeps a canceled session when its block is deleted', async () => {
    const { id } = await makeBusiness(server.db, { zone_id: zoneId })
    const block = await makeBlock(server.db, { business_id: id })
    const stretcher = await makeStretcher(server.db, { zone_id: zoneId })
    const { body } = await clerk.send(activateBlock, {
      body: { prepaid_block_id: block.id, stretcher_id: stretcher.id, starts_at: '2026-12-18T17:00:00Z' },
    })
    await clerk.send(cancelSession, { body: { session_id: body.id, reason: 'Rain' } })
    expect((await clerk.send(deleteBlock, { body: { block_id: block.id } })).status).toBe(200)
    const row = await server.db.selectFrom('onsite_sessions').select('block_id').where('id', '=', body.id).execute()
    expect(row).toEqual([{ block_id: null }])
  })
})
