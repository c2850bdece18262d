// @module-tag slow
import { deleteBlock } from '@limber/contract/businesses/blocks/block.ts'
import { deleteBusiness } from '@limber/contract/businesses/business/business.ts'
import {
  activateBlock,
  cancelSession,
  changeStretcher,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

let server: TestServer
let clerk: TestCaller
let zoneId: number
let businessId: number
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.asSteppedUp('businesses.manage')
  zoneId = (await makeZone(server.db)).id
  businessId = (await makeBusiness(server.db, { zone_id: zoneId })).id
})
afterAll(() => server.stop())

const stretcher = () => makeStretcher(server.db, { zone_id: zoneId })
const block = () => makeBlock(server.db, { business_id: businessId })
let day = 0
const aStart = () => new Date(Date.UTC(2027, 0, 1 + day++, 17))
const activate = (prepaid_block_id: number, stretcher_id: number, at: Date) =>
  clerk.send(activateBlock, { body: { prepaid_block_id, stretcher_id, starts_at: at.toISOString() } })

/** The time and stretcher of a session. */
interface Plan {
  at: Date
  who: number
}

async function countOverlaps() {
  const { rows } = await sql<{ count: number }>`
    select count(*) from onsite_sessions a join onsite_sessions b on a.id < b.id and a.stretcher_id = b.stretcher_id
      and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
    where a.cancelled_at is null and b.cancelled_at is null`.execute(server.db)
  return rows[0]?.count
}

/** The number of deadlocks PostgreSQL has resolved. Each connection must report its statistics first. */
async function countDeadlocks() {
  const flush = () => sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`.execute(server.db)
  await Promise.all(Array.from({ length: 20 }, flush))
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(server.db)
  return rows[0]?.deadlocks
}

describe('simultaneous requests', () => {
  it('S1 fifty activations of one block: one succeeds', async () => {
    const { id } = await block()
    const people = await Promise.all(Array.from({ length: 50 }, stretcher))
    const at = aStart()
    const replies = await Promise.all(people.map((one) => activate(id, one.id, at)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ failure }) => failure.code === 'block_taken')).toHaveLength(49)
    const sessions = await server.db.selectFrom('onsite_sessions').select('id').where('block_id', '=', id).execute()
    expect(sessions).toHaveLength(1)
  })

  it('S2 twenty clients for two stretchers: no overlap, no error but "busy"', async () => {
    const two = [(await stretcher()).id, (await stretcher()).id] as const
    const start = aStart()
    const blocks = await Promise.all(Array.from({ length: 120 }, block))
    const answers = new Set<string>()
    const before = await countDeadlocks()
    let next = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let n = next++; n < blocks.length; n = next++) {
          const at = shift(start, (n % 24) * (HOUR / 2))
          const { status, failure } = await activate(blocks[n]?.id ?? 0, two[n % 2] ?? 0, at)
          answers.add(status === 200 ? '200' : `${status} ${failure.code}`)
        }
      }),
    )
    expect([...answers].sort()).toEqual(['200', '409 busy'])
    expect(await countOverlaps()).toBe(0)
    expect(await countDeadlocks()).toBe(before)
  })

  /** The results of a move and a stretcher change, one after the other. */
  function inTurn(order: readonly ('move' | 'give')[], start: Plan, taken: readonly Plan[], to: Plan) {
    const statuses: Record<string, number> = {}
    let plan = start
    for (const step of order) {
      const next = step === 'move' ? { ...plan, at: to.at } : { ...plan, who: to.who }
      const isFree = !taken.some((one) => one.who === next.who && Math.abs(Number(one.at) - Number(next.at)) < 2 * HOUR)
      statuses[step] = isFree ? 200 : 409
      if (isFree) plan = next
    }
    return { ...plan, move: statuses.move, give: statuses.give }
  }

  it('S4 a move and a stretcher change always end as in one of the two orders', {
    timeout: 120_000,
  }, async () => {
    const round = async ([a, b]: readonly [number, number], number: number) => {
      const at = aStart()
      const to = { at: shift(at, 6 * HOUR), who: b }
      // Every mix of conflicts: none; the other stretcher then, or now; the first stretcher then; and pairs of these.
      const inTheWay = [
        { who: b, at: shift(to.at, HOUR) },
        { who: b, at: shift(at, HOUR) },
        { who: a, at: shift(to.at, HOUR) },
      ].filter((_, bit) => (number >> bit) & 1)
      for (const { who, at: starts_at } of inTheWay)
        await makeBooking(server.db, { stretcher_id: who, starts_at, ends_at: shift(starts_at, HOUR) })
      const { id } = await makeSession(server.db, { block_id: (await block()).id, stretcher_id: a, starts_at: at })
      const [moved, given] = await Promise.all([
        clerk.send(rescheduleSession, { body: { session_id: id, new_starts_at: to.at.toISOString() } }),
        clerk.send(changeStretcher, { body: { session_id: id, new_stretcher_id: b } }),
      ])
      const row = await server.db
        .selectFrom('onsite_sessions')
        .select(['starts_at', 'ends_at', 'stretcher_id', 'version'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row.ends_at).toEqual(shift(row.starts_at, 2 * HOUR))
      const orders = [inTurn(['move', 'give'], { at, who: a }, inTheWay, to)]
      orders.push(inTurn(['give', 'move'], { at, who: a }, inTheWay, to))
      expect(orders).toContainEqual({
        at: row.starts_at,
        who: row.stretcher_id,
        move: moved.status,
        give: given.status,
      })
      expect(row.version).toBe(1 + [moved, given].filter(({ status }) => status === 200).length)
    }
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async () => [(await stretcher()).id, (await stretcher()).id] as const),
    )
    await Promise.all(
      pairs.map(async (pair) => {
        for (let number = 0; number < rounds(8, 25); number++) await round(pair, number)
      }),
    )
    expect(await countOverlaps()).toBe(0)
  })

  it('S6 deleting a block while it is activated never leaves a session without a block', {
    timeout: 120_000,
  }, async () => {
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const one = await stretcher()
        for (let round = 0; round < rounds(8, 20); round++) {
          const { id } = await block()
          const remove = () => clerk.send(deleteBlock, { body: { block_id: id } })
          const early = round % 2 ? remove() : undefined
          const [made, gone] = await Promise.all([activate(id, one.id, aStart()), early ?? remove()])
          expect(`${made.status} ${gone.status}`).toBe(made.status === 200 ? '200 409' : '404 200')
        }
      }),
    )
    const lost = await server.db.selectFrom('onsite_sessions').select('id').where('block_id', 'is', null).execute()
    expect(lost).toEqual([])
  })

  it('deleting a business while a block is activated: only one succeeds', async () => {
    const one = await stretcher()
    for (let round = 0; round < 20; round++) {
      const business = await makeBusiness(server.db, { zone_id: zoneId })
      const { id } = await makeBlock(server.db, { business_id: business.id })
      const [made, gone] = await Promise.all([
        activate(id, one.id, aStart()),
        clerk.send(deleteBusiness, { body: { id: business.id } }),
      ])
      expect([`${made.status} ${gone.status}`]).toEqual([made.status === 200 ? '200 409' : '404 200'])
    }
  })

  it('two cancellations return the block once', async () => {
    const { id } = await block()
    const { body } = await activate(id, (await stretcher()).id, aStart())
    const cancel = () => clerk.send(cancelSession, { body: { session_id: body.id, reason: 'Rain' } })
    const replies = await Promise.all(Array.from({ length: 10 }, cancel))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const entries = await server.db
      .selectFrom('block_entries')
      .select('kind')
      .where('block_id', '=', id)
      .where('kind', '=', 'returned')
      .execute()
    expect(entries).toHaveLength(1)
  })

  it('a booking and a session for the same time: only one succeeds', async () => {
    const one = await stretcher()
    for (let round = 0; round < 20; round++) {
      const at = aStart()
      const { id } = await block()
      const [made, booked] = await Promise.allSettled([
        activate(id, one.id, at),
        makeBooking(server.db, { stretcher_id: one.id, starts_at: at }),
      ])
      const isMade = made.status === 'fulfilled' && made.value.status === 200
      expect([isMade, booked.status === 'fulfilled'].filter(Boolean)).toHaveLength(1)
    }
  })
})

describe('a stretcher who changes zones while a session is being scheduled', () => {
  /** Sends a request, changes the stretcher's zone while it waits for the lock, and lets it continue. */
  async function moveWhileWaiting<R>(id: number, send: () => Promise<R>): Promise<R> {
    const other = (await makeZone(server.db)).id
    const { reply } = await server.db.transaction().execute(async (tx) => {
      await sql`select from stretchers where id = ${id} for no key update`.execute(tx)
      const waiting = send()
      await eventually(async () => (await countWaiting()) > 0)
      await tx.updateTable('stretchers').set({ zone_id: other }).where('id', '=', id).execute()
      return { reply: waiting }
    })
    return reply
  }
  async function countWaiting() {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from stretchers s%'`.execute(
      server.db,
    )
    return rows[0]?.count ?? 0
  }

  it('is refused, and the block stays unused', async () => {
    const [{ id: blockId }, one] = [await block(), await stretcher()]
    const reply = await moveWhileWaiting(one.id, () => activate(blockId, one.id, aStart()))
    expect([reply.status, reply.failure.code]).toEqual([422, 'other_zone'])
    const row = await server.db.selectFrom('prepaid_blocks').select('used_at').where('id', '=', blockId).execute()
    expect(row).toEqual([{ used_at: null }])
  })
  it('is refused for an existing session too', async () => {
    const [first, one] = [await stretcher(), await stretcher()]
    const { body: session } = await activate((await block()).id, first.id, aStart())
    const reply = await moveWhileWaiting(one.id, () =>
      clerk.send(changeStretcher, { body: { session_id: session.id, new_stretcher_id: one.id } }),
    )
    expect([reply.status, reply.failure.code]).toEqual([422, 'other_zone'])
  })
})

describe('the database', () => {
  it('refuses overlapping sessions of a stretcher, a second session of a block, and changes to the ledger', async () => {
    const at = aStart()
    const first = await makeSession(server.db, { block_id: (await block()).id, starts_at: at })
    const again = (overrides: object) => makeSession(server.db, { starts_at: at, ...overrides })
    await expect(again({ stretcher_id: first.stretcher_id })).rejects.toThrow('onsite_sessions_stretcher_in_one_place')
    await expect(again({ block_id: first.block_id ?? 0 })).rejects.toThrow('onsite_sessions_block_once')
    await expect(sql`update block_entries set hours = 4`.execute(server.db)).rejects.toThrow('append-only')
  })
  it('refuses an inactive stretcher for a new or moved session', async () => {
    const { id } = await stretcher()
    const session = await makeSession(server.db, { stretcher_id: id, starts_at: aStart() })
    const gone = { status: 'inactive', deactivated_at: server.clock.now() } as const
    await server.db.updateTable('stretchers').set(gone).where('id', '=', id).execute()
    const hasLeft = 'The stretcher is inactive'
    await expect(makeSession(server.db, { stretcher_id: id, starts_at: aStart() })).rejects.toThrow(hasLeft)
    const change = (set: { starts_at?: Date; ends_at?: Date; cancelled_at?: Date; cancel_reason?: string }) =>
      server.db.updateTable('onsite_sessions').set(set).where('id', '=', session.id).execute()
    const later = aStart()
    await expect(change({ starts_at: later, ends_at: shift(later, 2 * HOUR) })).rejects.toThrow(hasLeft)
    await change({ cancelled_at: server.clock.now(), cancel_reason: 'Left' })
  })
})
