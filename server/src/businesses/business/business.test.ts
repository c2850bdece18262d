import { listBlocks } from '@limber/contract/businesses/blocks/block.ts'
import {
  archiveBusiness,
  createBusiness,
  deleteBusiness,
  listBusinesses,
  readBusiness,
  restoreBusiness,
  updateBusiness,
} from '@limber/contract/businesses/business/business.ts'
import { listEmails } from '@limber/contract/businesses/emails/allowed-email.ts'
import { cancelSession } from '@limber/contract/businesses/sessions/onsite.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeZone } from '../zones/zone.factory.ts'
import { makeBlock, makeBusiness, makeSession } from './business.factory.ts'
import { countInWords, statusOf } from './business.rules.ts'

let server: TestServer
let clerk: TestCaller
let zoneId: number
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.asSteppedUp('businesses.manage')
  zoneId = (await makeZone(server.db, { name: 'Riverside' })).id
})
afterAll(() => server.stop())

let serial = 0
const form = (overrides: Record<string, unknown> = {}) => ({
  name: 'Arrowhead Credit Union',
  custom_path: `arrowhead-${++serial}`,
  admin_email: 'people@example.com',
  zone_id: zoneId,
  ...overrides,
})
const create = (body: object) => clerk.send(createBusiness, { body: body as never })
const counts = async (table: 'businesses' | 'prepaid_blocks' | 'business_emails') =>
  (await server.db.selectFrom(table).select('id').execute()).length

describe('POST /api/businesses/create', () => {
  it('adds a business in its pilot, with a dated note and an audit entry', async () => {
    const reply = await create(form({ admin_email: ' People@Example.com ', rep_name: 'Ana Ruiz', location: '' }))
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      admin_email: 'people@example.com',
      zone_name: 'Riverside',
      time_zone: 'America/Los_Angeles',
      rep_name: 'Ana Ruiz',
      location: null,
      status: 'pending',
      version: 1,
    })
    const row = await server.db
      .selectFrom('businesses')
      .select(['pilot_ends_on'])
      .where('id', '=', reply.body.id)
      .executeTakeFirstOrThrow()
    expect(row.pilot_ends_on).toBe('2027-02-14')
    const notes = await server.db
      .selectFrom('business_notes')
      .selectAll()
      .where('business_id', '=', reply.body.id)
      .execute()
    expect(notes).toHaveLength(1)
    const audited = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', 'business')
      .where('subject_id', '=', String(reply.body.id))
      .execute()
    expect(audited).toEqual([{ action: 'business_created' }])
  })
  it.each([
    ['../', 422, 'bad_path'],
    ['api', 422, 'reserved_path'],
    ['Mission-Inn', 422, 'bad_path'],
    ['müller', 422, 'bad_path'],
    ['mission inn', 422, 'bad_path'],
    ['-inn', 422, 'bad_path'],
    ['a--b', 422, 'bad_path'],
    ['a', 422, 'bad_path'],
    ['', 422, 'bad_path'],
    ['\u212Aelvin', 422, 'bad_path'],
    ['x'.repeat(61), 422, 'bad_path'],
    ['onboarding', 422, 'reserved_path'],
  ])('J8 refuses the path %j', async (custom_path, status, code) => {
    const before = await counts('businesses')
    const reply = await create(form({ custom_path }))
    expect([reply.status, reply.failure.code]).toEqual([status, code])
    expect(await counts('businesses')).toBe(before)
  })
  it('J8 refuses a path that another business has', async () => {
    const { custom_path } = (await create(form())).body
    const again = await create(form({ custom_path }))
    expect([again.status, again.failure.code]).toEqual([409, 'path_taken'])
    const other = (await create(form())).body
    const moved = await clerk.send(updateBusiness, { body: { ...form({ custom_path }), id: other.id } as never })
    expect([moved.status, moved.failure.code]).toEqual([409, 'path_taken'])
  })
  it('assigns a path to one of twenty simultaneous requests', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(form({ custom_path: 'raced' }))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })
  it.each([
    [{ admin_email: 'nobody' }, 400],
    [{ admin_email: `${'x'.repeat(250)}@example.com` }, 400],
    [{ name: '' }, 400],
    [{ name: 'x'.repeat(121) }, 400],
    [{ name: 'a\u0007b' }, 400],
    [{ zone_id: 999_999 }, 422],
    [{ zone_id: '1' }, 400],
    [{ is_admin: true }, 400],
    [{ name: null }, 400],
  ])('refuses %o', async (wrong, status) => {
    const before = await counts('businesses')
    expect((await create(form(wrong))).status).toBe(status)
    expect(await counts('businesses')).toBe(before)
  })
  it('says that the zone is required, in a text that continues its label', async () => {
    const reply = await create(form({ zone_id: undefined }))
    expect([reply.status, reply.failure.fields]).toEqual([400, [{ path: 'zone_id', text: 'is required' }]])
  })
  it('refuses callers without permission', async () => {
    expect((await server.as('growth.tab').send(createBusiness, { body: form() as never })).status).toBe(403)
    expect((await server.as('growth.tab').send(listBusinesses)).status).toBe(403)
  })
})

describe('POST /api/businesses/update', () => {
  it('O1 refuses a stale version with the current record, and keeps the other change', async () => {
    const seen = (await create(form())).body
    const { id, version } = seen
    const base = form({ custom_path: seen.custom_path })
    const theirs = await clerk.send(updateBusiness, { body: { ...base, id, name: 'Theirs', version } as never })
    expect([theirs.status, theirs.body.version]).toEqual([200, 2])
    const mine = await clerk.send(updateBusiness, { body: { ...base, id, name: 'Mine', version } as never })
    expect([mine.status, mine.failure.code]).toEqual([409, 'stale'])
    expect(mine.failure.current).toMatchObject({ name: 'Theirs', version: 2 })
    expect((await clerk.send(readBusiness, { params: { id: String(id) } })).body.name).toBe('Theirs')
    // The specified call sends no version.
    expect((await clerk.send(updateBusiness, { body: { ...base, id, name: 'Later' } as never })).body.name).toBe(
      'Later',
    )
  })
  it('keeps fields that are not sent', async () => {
    const { id, custom_path } = (await create(form({ rep_name: 'Ana Ruiz' }))).body
    const reply = await clerk.send(updateBusiness, {
      body: { ...form({ custom_path }), id, location: 'Lobby' } as never,
    })
    expect(reply.body).toMatchObject({ rep_name: 'Ana Ruiz', location: 'Lobby' })
  })
  it('refuses an unknown business', async () => {
    expect((await clerk.send(updateBusiness, { body: { ...form(), id: 999_999 } as never })).status).toBe(404)
    expect((await clerk.send(readBusiness, { params: { id: '999999' } })).status).toBe(404)
    expect((await clerk.send(listBlocks, { body: { business_id: 999_999 } })).status).toBe(404)
    expect((await clerk.send(listEmails, { body: { business_id: 999_999 } })).status).toBe(404)
  })

  it('refuses a new zone while the business has upcoming sessions with stretchers of its zone', async () => {
    const zone = await makeZone(server.db, { name: 'Temecula' })
    const { id } = await makeBusiness(server.db, { zone_id: zone.id })
    const move = () => clerk.send(updateBusiness, { body: { ...form({ custom_path: 'temecula-mill' }), id } })
    const { id: sessionId } = await makeSession(server.db, {
      business_id: id,
      starts_at: shift(server.clock.now(), DAY),
    })
    const refused = await move()
    expect([refused.status, refused.failure.error]).toEqual([
      409,
      'This business has 1 session coming up with stretchers of Temecula. Cancel upcoming sessions first.',
    ])
    const stays = { ...form({ custom_path: 'temecula-mill' }), id, zone_id: zone.id }
    expect((await clerk.send(updateBusiness, { body: stays })).status).toBe(200)
    const cancelled = await clerk.send(cancelSession, { body: { session_id: sessionId, reason: 'They move' } })
    expect(cancelled.status).toBe(200)
    expect((await move()).body.zone_id).toBe(zoneId)
  })
})

describe('POST /api/businesses/delete', () => {
  it('D1 also deletes unused blocks and addresses', async () => {
    const { id } = await makeBusiness(server.db)
    await makeBlock(server.db, { business_id: id })
    await server.db
      .insertInto('business_emails')
      .values({ business_id: id, email: 'a@example.com', created_at: server.clock.now() })
      .execute()
    const reply = await clerk.send(deleteBusiness, { body: { id } })
    expect(reply.body).toEqual({ id, deleted_blocks: 1, deleted_emails: 1 })
    expect(await server.db.selectFrom('prepaid_blocks').where('business_id', '=', id).select('id').execute()).toEqual(
      [],
    )
    expect((await clerk.send(deleteBusiness, { body: { id } })).status).toBe(404)
  })
  it('J10 names the records of a business with sessions, and keeps all of them', async () => {
    const session = await makeSession(server.db, { starts_at: shift(server.clock.now(), DAY) })
    const before = [await counts('businesses'), await counts('prepaid_blocks')]
    const reply = await clerk.send(deleteBusiness, { body: { id: session.business_id } })
    expect([reply.status, reply.failure.error]).toEqual([
      409,
      'This business has 1 upcoming session. It cannot be deleted; archive it instead.',
    ])
    expect([await counts('businesses'), await counts('prepaid_blocks')]).toEqual(before)
    const archived = await clerk.send(archiveBusiness, { body: { id: session.business_id } })
    expect([archived.status, archived.failure.error]).toEqual([
      409,
      'This business has 1 session coming up. Cancel upcoming sessions first.',
    ])
  })
  it('requires a passkey', async () => {
    const { id } = await makeBusiness(server.db)
    const reply = await server.as('businesses.manage').send(deleteBusiness, { body: { id } })
    expect([reply.status, reply.failure.code]).toEqual([403, 'step_up_required'])
  })
})

describe('a business with a running session', () => {
  it('gets no advice to cancel a session that can no longer be canceled', async () => {
    // 8:30 to 10:30 AM in California; it is 9 AM.
    const zone = await makeZone(server.db, { name: 'Corona' })
    const { id } = await makeBusiness(server.db, { zone_id: zone.id })
    const block = await makeBlock(server.db, { business_id: id })
    await makeSession(server.db, { block_id: block.id, starts_at: shift(server.clock.now(), -DAY / 48) })
    const archived = await clerk.send(archiveBusiness, { body: { id } })
    expect([archived.status, archived.failure.error]).toEqual([
      409,
      'A session of this business is in progress until 10:30 AM. Archive the business after that.',
    ])
    const moved = await clerk.send(updateBusiness, { body: { ...form(), id } })
    expect([moved.status, moved.failure.error]).toEqual([
      409,
      'A session with a stretcher of Corona is in progress until 10:30 AM. Change the zone after that.',
    ])
    const deleted = await clerk.send(deleteBusiness, { body: { id } })
    expect(deleted.failure.error).toBe('This business has 1 running session. It cannot be deleted; archive it instead.')
  })
})

describe('archive', () => {
  it('hides a business from the list until it is restored', async () => {
    const { id, name } = (await create(form({ name: 'Foothill Logistics' }))).body
    expect((await clerk.send(archiveBusiness, { body: { id } })).body.archived_at).not.toBeNull()
    expect((await clerk.send(archiveBusiness, { body: { id } })).failure.code).toBe('archived')
    const names = async (state: 'current' | 'archived' | 'all') =>
      (await clerk.send(listBusinesses, { query: { state, search: 'foothill' } })).body.businesses.map(
        (one) => one.name,
      )
    expect([await names('current'), await names('archived'), await names('all')]).toEqual([[], [name], [name]])
    expect((await clerk.send(restoreBusiness, { body: { id, version: 2 } })).body.archived_at).toBeNull()
    expect((await clerk.send(restoreBusiness, { body: { id } })).failure.code).toBe('not_archived')
    expect(await names('current')).toEqual([name])
  })
})

describe('GET /api/businesses/list', () => {
  it('searches by name, path, email and representative, and adds up the available hours', async () => {
    const names = { name: '100% Citrus', custom_path: 'citrus-belt', rep_name: 'Noor Solano' }
    const { id } = await makeBusiness(server.db, { ...names, zone_id: zoneId })
    await makeBlock(server.db, { business_id: id, block_hours: 3 })
    await makeBlock(server.db, { business_id: id, block_hours: 4, expires_on: '2026-11-15' })
    await makeBlock(server.db, { business_id: id, block_hours: 2, expires_on: '2026-11-16' })
    for (const search of ['CITRUS', 'citrus-b', '100%', 'noor sol']) {
      const { body } = await clerk.send(listBusinesses, { query: { search } })
      expect(body.businesses.map((one) => one.id)).toEqual([id])
      expect([body.available_hours, body.businesses[0]?.available_hours]).toEqual([5, 5])
    }
    expect((await clerk.send(listBusinesses, { query: { search: '_' } })).body.businesses).toEqual([])
    const page = await clerk.send(listBusinesses, { query: { limit: '1', page: '2' } })
    expect(page.body.businesses).toHaveLength(1)
    expect(page.body.pagination.totalPages).toBe(page.body.pagination.totalItems)
  })
  it.each(['-1', '0', '1e9', '1.5', '2;drop'])('refuses page %s', async (page) => {
    expect((await clerk.send(listBusinesses, { query: { page } as never })).status).toBe(400)
  })
})

describe('business rules', () => {
  it.each([
    ['contacted', null, 'contacted'],
    ['pending', null, 'pending'],
    ['active', '2027-01-01', 'active'],
    ['active', null, 'inactive'],
    ['ended', '2027-01-01', 'inactive'],
  ])('show %s with renewal %s as %s', (stage, renews_on, status) => {
    expect(statusOf({ stage, renews_on })).toBe(status)
  })
  it('list counts as text', () => {
    expect(countInWords({ business: 2, stretcher: 1, customer: 0, booking: 3400 })).toBe(
      '2 businesses, 1 stretcher, and 3,400 bookings',
    )
    expect(countInWords({ business: 0 })).toBe('nothing')
  })
})
