import { addEarner, listEarnerCandidates, listEarners, readEarner } from '@limber/contract/payroll/earners/earner.ts'
import { addEntry } from '@limber/contract/payroll/entries/entry.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { createSessionEntries } from '../entries/pay-sessions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const clerk = () => server.asSteppedUp('payroll.details')
const add = (body: object) => clerk().send(addEarner, { body: body as never })

describe('POST /api/payroll/earners', () => {
  it('puts a stretcher on payroll before the first session, who can then be paid', async () => {
    const { id: stretcher_id } = await makeStretcher(server.db, { first_name: 'Odile', last_name: 'Marchetti' })
    const { status, body, text } = await add({ stretcher_id })
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ name: 'Odile Marchetti', kind: 'stretcher', person_id: stretcher_id, profile: null })
    expect(body.year_to_date).toMatchObject({ year: 2026, wages: 0, withheld: 0, history: { wages: 0 } })
    const entry = { earner_id: body.id, type: 'bonus', amount: 50, work_date: '2026-11-12' } as const
    expect((await clerk().send(addEntry, { body: entry })).status).toBe(200)
    // The first session uses the same earner.
    await makeBooking(server.db, { stretcher_id, status: 'completed', starts_at: new Date('2026-11-12T17:00:00Z') })
    await createSessionEntries(server.running.services)
    const earners = await server.db
      .selectFrom('earners')
      .select('id')
      .where('stretcher_id', '=', stretcher_id)
      .execute()
    expect(earners).toEqual([{ id: body.id }])
    const log = await server.db
      .selectFrom('audit_log')
      .select(['subject_id', 'after'])
      .where('action', '=', 'payroll.earner_added')
      .execute()
    expect(log).toEqual([{ subject_id: String(body.id), after: { stretcher_id } }])
  })

  it('puts a worker on payroll', async () => {
    const { id: worker_id, name } = await makeWorker(server.db, { name: 'Tobias Renner' })
    const { body } = await add({ worker_id })
    expect(body).toMatchObject({ name, kind: 'worker', person_id: worker_id })
    const params = { id: String(body.id) }
    expect((await server.as('payroll.audit').send(readEarner, { params })).body.name).toBe(name)
  })

  it('does it once, however many ask', async () => {
    const { id: worker_id } = await makeWorker(server.db, { name: 'Ines Castellanos' })
    const replies = await Promise.all([1, 2, 3, 4].map(() => add({ worker_id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.failure).toMatchObject({
      code: 'already',
      error: 'Ines Castellanos is already on payroll.',
    })
  })

  it.each([
    ['nobody', {}, 400],
    ['two people', { stretcher_id: 1, worker_id: 1 }, 400],
    ['an unknown stretcher', { stretcher_id: 987_654 }, 404],
    ['an unknown worker', { worker_id: 987_654 }, 404],
    ['text', { worker_id: '1' }, 400],
  ])('rejects %s', async (_title, body, status) => {
    expect((await add(body)).status).toBe(status)
  })

  it('needs payroll details or settings', async () => {
    const { id: worker_id } = await makeWorker(server.db)
    const body = { worker_id }
    expect((await server.as('payroll.audit', 'payroll.summary').send(addEarner, { body })).status).toBe(403)
    expect((await server.as('payroll.settings').send(addEarner, { body })).status).toBe(200)
  })
})

describe('GET /api/payroll/earner-candidates', () => {
  it('finds people who are not on payroll, by name or email', async () => {
    const { id } = await makeStretcher(server.db, {
      first_name: 'Wilhelmina',
      last_name: 'Stroud',
      email: 'mina@example.com',
    })
    const { id: worker } = await makeWorker(server.db, { name: 'Wilhelmina Stroud' })
    const find = async (search: string) =>
      (await clerk().send(listEarnerCandidates, { query: { search } })).body.candidates.map((one) => [
        one.kind,
        one.person_id,
      ])
    expect(await find('wilhelmina STR')).toEqual([
      ['stretcher', id],
      ['worker', worker],
    ])
    expect(await find('mina@example')).toEqual([['stretcher', id]])
    expect(await find('100%')).toEqual([])
    await add({ stretcher_id: id })
    expect(await find('wilhelmina')).toEqual([['worker', worker]])
    const query = { search: 'Wilhelmina' }
    expect((await clerk().send(listEarners, { query })).body.earners).toHaveLength(1)
    expect((await clerk().send(listEarnerCandidates)).body.candidates.length).toBeLessThanOrEqual(20)
    expect((await server.as('payroll.audit').send(listEarnerCandidates)).status).toBe(403)
  })
})
