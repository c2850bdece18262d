import {
  activateBlock,
  changeStretcher,
  listUncoveredSessions,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { revokeCertification } from '@limber/contract/certifications/certification.ts'
import { readStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { DAY, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

let server: TestServer
let clerk: TestCaller
let zoneId: number
let businessId: number
const types: { id: number; name: string }[] = []
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.asSteppedUp('businesses.manage')
  zoneId = (await makeZone(server.db)).id
  businessId = (await makeBusiness(server.db, { zone_id: zoneId })).id
  for (const name of ['First aid', 'Table safety'])
    types.push(await makeCertificationType(server.db, { name, is_required: true }))
  await makeCertificationType(server.db, { name: 'Pilates', is_required: false })
  await makeCertificationType(server.db, { name: 'Old', is_required: true, retired_at: server.clock.now() })
})
afterAll(() => server.stop())

let state = 17
const random = (limit: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * limit)
}
const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T
const block = () => makeBlock(server.db, { business_id: businessId })
/** Five in the afternoon of a day in California, whole days from the first one. */
const startOn = (day: number) => new Date(Date.UTC(2026, 11, 1 + day, 22))
const dayOf = (start: Date) => start.toISOString().slice(0, 10)

/** A stretcher with some of the required certifications: valid without end, until a day, revoked, or none. */
async function someone(choices: readonly ('forever' | 'until' | 'revoked' | 'none')[]) {
  const who = await makeStretcher(server.db, { zone_id: zoneId })
  for (const { id: type_id } of types) {
    const held = pick(choices)
    if (held === 'none') continue
    await makeCertification(server.db, {
      customer_id: who.customer_id,
      type_id,
      valid_until: held === 'until' ? dayOf(startOn(random(60))) : null,
      revoked_at: held === 'revoked' ? server.clock.now() : null,
    })
  }
  return who
}

/** Read on its own, without the definition that the product uses. */
async function isCertifiedOn(stretcherId: number, start: Date): Promise<boolean> {
  const { customer_id } = await server.db
    .selectFrom('stretchers')
    .select('customer_id')
    .where('id', '=', stretcherId)
    .executeTakeFirstOrThrow()
  const held = await server.db
    .selectFrom('certifications')
    .select(['type_id', 'valid_until', 'revoked_at'])
    .where('customer_id', '=', customer_id)
    .execute()
  return types.every(({ id }) =>
    held.some(
      ({ type_id, valid_until, revoked_at }) =>
        type_id === id && revoked_at === null && (valid_until === null || valid_until >= dayOf(start)),
    ),
  )
}

describe('nobody without every required valid certification is scheduled', () => {
  it('by any call, for any stretcher and day', async () => {
    const people = []
    // One after the other, so that the drawn numbers are the same each time. Two are surely certified.
    for (let nth = 0; nth < 12; nth++)
      people.push(await someone(nth < 2 ? ['forever'] : ['forever', 'until', 'until', 'revoked', 'none']))
    const outcomes = { scheduled: 0, refused: 0 }
    for (let round = 0; round < rounds(60, 400); round++) {
      const at = startOn(random(60))
      const other = startOn(random(60))
      const [first, second] = [pick(people), pick(people)]
      const { id } = await block()
      const made = await clerk.send(activateBlock, {
        body: { prepaid_block_id: id, stretcher_id: first.id, starts_at: at.toISOString() },
      })
      const mayFirst = await isCertifiedOn(first.id, at)
      if (made.status !== 200) {
        // A certified stretcher is refused only for being busy.
        if (mayFirst) expect(made.failure.error).toContain('is busy')
        else expect(made.failure.error).toContain('a certification is missing or expired')
        outcomes.refused++
        continue
      }
      expect(mayFirst).toBe(true)
      outcomes.scheduled++
      const session = made.body
      const changed =
        random(2) === 0
          ? await clerk.send(rescheduleSession, {
              body: { session_id: session.id, new_starts_at: other.toISOString(), new_stretcher_id: second.id },
            })
          : await clerk.send(changeStretcher, { body: { session_id: session.id, new_stretcher_id: second.id } })
      if (changed.status !== 200) continue
      const { stretcher_id, starts_at } = await server.db
        .selectFrom('onsite_sessions')
        .select(['stretcher_id', 'starts_at'])
        .where('id', '=', session.id)
        .executeTakeFirstOrThrow()
      expect(await isCertifiedOn(stretcher_id, starts_at)).toBe(true)
    }
    expect(outcomes.scheduled).toBeGreaterThan(3)
    expect(outcomes.refused).toBeGreaterThan(3)
  })

  it('by whatever writes to the table: a new session, another day, another stretcher, a canceled one brought back', async () => {
    const lacks = 'The stretcher lacks a required certification on that day'
    const all = async (valid_until: string | null) => {
      const who = await makeStretcher(server.db, { zone_id: zoneId })
      for (const { id: type_id } of types)
        await makeCertification(server.db, { customer_id: who.customer_id, type_id, valid_until })
      return who
    }
    const [able, until] = [await all(null), await all(dayOf(startOn(100)))]
    const none = await makeStretcher(server.db, { zone_id: zoneId })
    await expect(makeSession(server.db, { stretcher_id: none.id, starts_at: startOn(90) })).rejects.toThrow(lacks)
    const { id } = await makeSession(server.db, { stretcher_id: until.id, starts_at: startOn(100) })
    const change = (set: object) => server.db.updateTable('onsite_sessions').set(set).where('id', '=', id).execute()
    const next = { starts_at: startOn(101), ends_at: shift(startOn(101), DAY / 12) }
    await expect(change(next)).rejects.toThrow(lacks)
    await expect(change({ stretcher_id: none.id })).rejects.toThrow(lacks)
    await change({ stretcher_id: able.id, ...next })
    await change({ cancelled_at: server.clock.now(), cancel_reason: 'Rain' })
    await change({ stretcher_id: none.id })
    await expect(change({ cancelled_at: null, cancel_reason: null })).rejects.toThrow(lacks)
  })

  it('when a certification is revoked while the session is scheduled', async () => {
    const who = await makeStretcher(server.db, { zone_id: zoneId })
    const [first] = await Promise.all(
      types.map(({ id: type_id }) => makeCertification(server.db, { customer_id: who.customer_id, type_id })),
    )
    if (!first) throw new Error('No certification was made')
    const { id: blockId } = await block()
    const [scheduled, revoked] = await Promise.all([
      clerk.send(activateBlock, {
        body: { prepaid_block_id: blockId, stretcher_id: who.id, starts_at: startOn(120).toISOString() },
      }),
      clerk.send(revokeCertification, { params: { id: String(first.id) }, body: { reason: 'Given by mistake' } }),
    ])
    expect(revoked.status).toBe(200)
    // Either the session came first and is listed, or it was refused.
    const { sessions } = (await clerk.send(listUncoveredSessions, {})).body
    if (scheduled.status === 200) expect(sessions.map(({ id }) => id)).toContain(scheduled.body.id)
    else expect([409, 422]).toContain(scheduled.status)
  })
})

describe('GET /api/onsite/uncovered', () => {
  it('lists the sessions after a lapse with the certification and free, certified substitutes of the zone', async () => {
    const zone = await makeZone(server.db)
    const business = await makeBusiness(server.db, { zone_id: zone.id, name: 'Foothill Logistics' })
    const certified = async (first_name: string, zone_id = zone.id) => {
      const who = await makeStretcher(server.db, { zone_id, first_name, last_name: 'Q' })
      const held = []
      for (const { id: type_id } of types)
        held.push(await makeCertification(server.db, { customer_id: who.customer_id, type_id }))
      return { ...who, held }
    }
    const lapsing = await certified('Lea')
    const ana = await certified('Ana')
    const bea = await certified('Bea')
    await certified('Cora', zoneId)
    await makeStretcher(server.db, { zone_id: zone.id, first_name: 'Dora' })
    const at = startOn(200)
    const session = async (stretcher_id: number, starts_at: Date) => {
      const { id } = await makeBlock(server.db, { business_id: business.id })
      return makeSession(server.db, { block_id: id, stretcher_id, starts_at })
    }
    await session(bea.id, at)
    await session(lapsing.id, shift(at, -2 * DAY))
    const affected = await session(lapsing.id, at)
    const ownList = async () =>
      (await clerk.send(listUncoveredSessions, {})).body.sessions.filter(
        ({ business_id }) => business_id === business.id,
      )
    expect(await ownList()).toEqual([])
    // The certification lapses the day before the second session.
    await sql`update certifications set valid_until = ${dayOf(shift(at, -DAY))} where id = ${lapsing.held[1]?.id}`.execute(
      server.db,
    )
    expect(await ownList()).toMatchObject([
      {
        id: affected.id,
        business_name: 'Foothill Logistics',
        stretcher_name: 'Lea Q',
        lacks: 'Table safety',
        day: dayOf(at),
        substitutes: [{ id: ana.id, name: 'Ana Q' }],
      },
    ])
    const { body } = await clerk.send(readStretcher, { params: { id: String(lapsing.id) } })
    expect(body.sessions.map(({ lacks }) => lacks)).toEqual([null, 'Table safety'])
    const substitute = { session_id: affected.id, new_stretcher_id: ana.id }
    expect((await clerk.send(changeStretcher, { body: substitute })).status).toBe(200)
    expect(await ownList()).toEqual([])
  })

  it('is closed without the permission', async () => {
    expect((await server.as('growth.tab').send(listUncoveredSessions, {})).status).toBe(403)
  })
})
