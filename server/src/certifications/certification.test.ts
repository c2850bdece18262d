import {
  createCertification,
  deleteCertification,
  findHolders,
  listCertifications,
  readCertification,
  revokeCertification,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import { verifyCertification } from '@limber/contract/certifications/verification.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCertification, makeCertificationType } from './certification.factory.ts'

let server: TestServer
let staff: TestCaller
let userId: number
let typeId: number
beforeAll(async () => {
  server = await startTestServer()
  staff = server.as('businesses.manage')
  userId = (await makeCustomer(server.db, { first_name: 'Maya', last_name: 'Chen' })).id
})
beforeEach(async () => {
  typeId = (await makeCertificationType(server.db, { valid_months: 24 })).id
})
afterAll(() => server.stop())

const draft = (over: Record<string, unknown> = {}) => ({
  userId,
  certificationTypeId: typeId,
  name: 'Maya Chen',
  instructor: 'Ines Park',
  ...over,
})
const issue = (over: Record<string, unknown> = {}) => staff.send(createCertification, { body: draft(over) })
const params = (id: number) => ({ id: String(id) })
const rows = () => server.db.selectFrom('certifications').select('id').execute()
const audited = async (id: number) =>
  (
    await server.db
      .selectFrom('audit_log')
      .select(['action', 'reason'])
      .where('subject', '=', 'certification')
      .where('subject_id', '=', String(id))
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('POST /certifications', () => {
  it('issues a certification with a random short id and the validity of its type', async () => {
    const { status, body } = await issue()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user_id: userId,
      userId,
      userName: 'Maya Chen',
      certificationTypeId: typeId,
      name: 'Maya Chen',
      instructor: 'Ines Park',
      dateIssued: '2026-11-16',
      validUntil: '2028-11-16',
      status: 'valid',
      openedAt: null,
      verificationUrl: `http://localhost:3000/verify/${body.shortId}`,
    })
    expect(body.shortId).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/)
    expect((await issue()).body.shortId).not.toBe(body.shortId)
    expect(await audited(body.id)).toEqual(['certification_issued'])
  })
  it('accepts user_id as well, and ids as text', async () => {
    const body = { ...draft(), userId: undefined, user_id: String(userId), certificationTypeId: String(typeId) }
    expect((await staff.send(createCertification, { body })).body).toMatchObject({ user_id: userId, userId })
    const same = await issue({ user_id: userId })
    expect(same.status).toBe(200)
  })
  it('accepts an issue date and an expiration date', async () => {
    const given = await issue({ dateIssued: '2026-02-28', validUntil: '2026-12-31' })
    expect(given.body).toMatchObject({ dateIssued: '2026-02-28', validUntil: '2026-12-31' })
    expect((await issue({ validUntil: null })).body.validUntil).toBeNull()
    expect((await issue({ dateIssued: '2024-01-31' })).body).toMatchObject({
      validUntil: '2026-01-31',
      status: 'expired',
    })
  })
  it.each([
    ['no name', { name: '' }, 400, 'name: is required'],
    ['a blank name', { name: '   ' }, 400, 'name: is required'],
    ['no instructor', { instructor: undefined }, 400, undefined],
    ['no user', { userId: undefined }, 400, 'userId: is required'],
    ['two users', { user_id: 999_999 }, 400, 'userId: must match user_id'],
    ['no type', { certificationTypeId: undefined }, 400, 'certificationTypeId: is required'],
    ['a user ID that is not a number', { userId: 'abc' }, 400, 'userId: must be a whole number'],
    ['an unknown key', { isAdmin: true }, 400, undefined],
    ['a control character in the name', { name: 'a\u0007b' }, 400, 'name: must not contain control characters'],
    ['a long name', { name: 'x'.repeat(121) }, 400, 'name: must be at most 120 characters'],
    ['a name of one megabyte', { name: 'x'.repeat(1_000_000) }, 413, 'The request is too large.'],
    ['an unknown user', { userId: 999_999 }, 422, 'There is no user with this ID.'],
    ['an unknown type', { certificationTypeId: 999_999 }, 422, 'There is no certification type with this ID.'],
    ['a future issue date', { dateIssued: '2026-11-17' }, 422, 'The issue date cannot be in the future.'],
    ['an invalid date', { dateIssued: '2026-02-30' }, 400, 'dateIssued: is not a valid date'],
    [
      'an expiration before the issue date',
      { validUntil: '2020-01-01' },
      422,
      'The last valid day cannot be before the issue date.',
    ],
  ])('rejects %s', async (_name, over, status, text) => {
    const before = (await rows()).length
    const reply = await issue(over)
    expect(reply.status).toBe(status)
    if (text) expect(reply.failure).toMatchObject({ error: text, message: text })
    expect((await rows()).length).toBe(before)
  })
  it('rejects a retired type', async () => {
    const retired = await makeCertificationType(server.db, { retired_at: server.clock.now() })
    expect((await issue({ certificationTypeId: retired.id })).failure.code).toBe('retired')
  })
  it('issues once when the request is repeated', async () => {
    const before = (await rows()).length
    const headers = { 'idempotency-key': 'press-0001' }
    const body = draft()
    const both = await Promise.all([1, 2].map(() => staff.send(createCertification, { body }, { headers })))
    expect(new Set(both.map((reply) => reply.body.id)).size).toBe(1)
    expect((await rows()).length).toBe(before + 1)
  })
})

describe('GET /certifications', () => {
  it('serves the app to a browser at the same path', async () => {
    const worker = await staff.worker()
    const page = await fetch(`${server.url}/certifications`, {
      headers: { accept: 'text/html,*/*;q=0.8', cookie: `sid=${worker.token}` },
    })
    expect(page.headers.get('content-type')).toMatch(/^text\/(html|plain)/)
    const { status, body } = await staff.send(listCertifications)
    expect(status).toBe(200)
    expect(body.pagination.page).toBe(1)
  })
  it('filters by status, type and user, searches by name, email, instructor and short id, and counts all', async () => {
    const type_id = (await makeCertificationType(server.db)).id
    const other = await makeCustomer(server.db, { first_name: 'Zoltan', last_name: 'Quigley' })
    const make = (over: object) => makeCertification(server.db, { type_id, customer_id: other.id, ...over })
    const valid = await make({ instructor: 'Ximena Ybarra' })
    const expiring = await make({ valid_until: '2026-12-10' })
    const expired = await make({ valid_until: '2026-11-15' })
    const revoked = await make({ revoked_at: server.clock.now() })
    const find = async (query: object) =>
      (await staff.send(listCertifications, { query: { type: String(type_id), ...query } })).body
    const ids = async (query: object) => (await find(query)).certifications.map(({ id }) => id)
    expect(await ids({ status: 'valid' })).toEqual([expiring.id, valid.id])
    expect(await ids({ status: 'expiring' })).toEqual([expiring.id])
    expect(await ids({ status: 'expired' })).toEqual([expired.id])
    expect(await ids({ status: 'revoked' })).toEqual([revoked.id])
    expect(await ids({ user: String(other.id) })).toHaveLength(4)
    expect(await ids({ user: String(userId) })).toEqual([])
    expect(await ids({ search: 'zoltan quig' })).toHaveLength(4)
    expect(await ids({ search: other.email })).toHaveLength(4)
    expect(await ids({ search: 'XIMENA' })).toEqual([valid.id])
    expect(await ids({ search: valid.short_id })).toEqual([valid.id])
    expect(await ids({ search: '%' })).toEqual([])
    expect(await ids({ sort: 'until', order: 'asc' })).toEqual([expired.id, expiring.id, valid.id, revoked.id])
    const page = await find({ limit: '3', page: '2' })
    expect(page.certifications).toHaveLength(1)
    expect(page.pagination).toMatchObject({ totalItems: 4, totalPages: 2 })
    expect(page.counts.revoked).toBeGreaterThan(0)
  })
  it.each(['page=0', 'page=-1', 'limit=101', 'limit=1.5', 'status=gone', 'sort=id;drop', 'type=x', 'order=up', 'q=1'])(
    'rejects ?%s',
    async (query) => {
      const reply = await staff.send(listCertifications, { query: Object.fromEntries(new URLSearchParams(query)) })
      expect(reply.status).toBe(400)
    },
  )
  it('reads one by its id', async () => {
    const { body } = await issue()
    expect((await staff.send(readCertification, { params: params(body.id) })).body).toEqual(body)
    expect((await staff.send(readCertification, { params: params(999_999) })).failure.code).toBe('not_found')
    expect((await staff.send(readCertification, { params: { id: 'x' } })).status).toBe(400)
  })
  it('finds possible holders by name or id, stretchers first', async () => {
    const word = 'Holderly'
    const plain = await makeCustomer(server.db, { first_name: 'Ann', last_name: word })
    const stretcher = await makeStretcher(server.db, { first_name: 'Ben', last_name: word })
    const find = async (search: string) =>
      (await staff.send(findHolders, { query: { search } })).body.holders.map(({ id, isStretcher }) => [
        id,
        isStretcher,
      ])
    expect(await find(word)).toEqual([
      [stretcher.customer_id, true],
      [plain.id, false],
    ])
    expect((await find(String(plain.id)))[0]).toEqual([plain.id, false])
    expect(await find('nobody-at-all')).toEqual([])
  })
  it('rejects a merged or erased account as a new holder, but allows edits for the current one', async () => {
    const word = 'Zsofia'
    const now = server.clock.now()
    const closed = { blocked_at: now, blocked_reason: 'Closed' }
    const open = await makeCustomer(server.db, { first_name: word })
    const merged = await makeCustomer(server.db, { first_name: word, merged_into_id: open.id, ...closed })
    const erased = await makeCustomer(server.db, { first_name: word, erased_at: now, ...closed })
    const ids = async (search: string) =>
      (await staff.send(findHolders, { query: { search } })).body.holders.map(({ id }) => id)
    expect(await ids(word)).toEqual([open.id])
    expect(await ids(String(merged.id))).not.toContain(merged.id)
    for (const { id } of [merged, erased]) {
      const reply = await issue({ userId: id })
      expect([reply.status, reply.failure.code]).toEqual([422, 'closed_user'])
    }
    const { body } = await issue({ userId: open.id })
    const put = (userId: number) =>
      staff.send(updateCertification, {
        params: params(body.id),
        body: { userId, certificationTypeId: body.certificationTypeId, name: 'Zs.', instructor: 'Ines Park' },
      })
    expect((await put(merged.id)).failure.code).toBe('closed_user')
    const gone = { erased_at: now, ...closed }
    await server.db.updateTable('customers').set(gone).where('id', '=', open.id).execute()
    expect((await put(open.id)).status).toBe(200)
  })
})

describe('PUT /certifications/{id}', () => {
  it('changes every field and keeps omitted dates', async () => {
    const { body } = await issue({ dateIssued: '2026-01-05' })
    const other = await makeCustomer(server.db)
    const change = { userId: other.id, certificationTypeId: typeId, name: 'M. Chen', instructor: 'Lee Wu' }
    const changed = await staff.send(updateCertification, { params: params(body.id), body: change })
    expect(changed.body).toMatchObject({
      user_id: other.id,
      name: 'M. Chen',
      instructor: 'Lee Wu',
      dateIssued: '2026-01-05',
      validUntil: '2028-01-05',
      version: body.version + 1,
      shortId: body.shortId,
    })
    expect(await audited(body.id)).toEqual(['certification_issued', 'certification_changed'])
  })
  it('rejects a stale version with the current record, and accepts a call without a version', async () => {
    const { body } = await issue()
    const first = await staff.send(updateCertification, {
      params: params(body.id),
      body: draft({ name: 'First', version: body.version }),
    })
    expect(first.status).toBe(200)
    const second = await staff.send(updateCertification, {
      params: params(body.id),
      body: draft({ name: 'Second', version: body.version }),
    })
    expect(second.status).toBe(409)
    expect(second.failure).toMatchObject({ code: 'stale', current: { name: 'First', version: body.version + 1 } })
    expect((await staff.send(readCertification, { params: params(body.id) })).body.name).toBe('First')
    const third = await staff.send(updateCertification, { params: params(body.id), body: draft({ name: 'Third' }) })
    expect(third.body.name).toBe('Third')
  })
  it('rejects a change of user and type once the link was opened', async () => {
    const { body } = await issue()
    await server.anonymous().send(verifyCertification, { params: { shortId: body.shortId } })
    const other = await makeCustomer(server.db)
    const put = (over: Record<string, unknown>) =>
      staff.send(updateCertification, { params: params(body.id), body: draft(over) })
    expect((await put({ userId: other.id })).failure.code).toBe('opened')
    const type = await makeCertificationType(server.db)
    expect((await put({ certificationTypeId: type.id })).failure.code).toBe('opened')
    expect((await put({ instructor: 'Lee Wu' })).body.instructor).toBe('Lee Wu')
  })
  it('rejects invalid changes', async () => {
    const { body } = await issue()
    const put = async (over: Record<string, unknown>, id = body.id) => {
      const reply = await staff.send(updateCertification, { params: params(id), body: draft(over) })
      return [reply.status, reply.failure.code]
    }
    expect(await put({ userId: 999_999 })).toEqual([422, 'no_user'])
    expect(await put({ certificationTypeId: 999_999 })).toEqual([422, 'no_type'])
    expect(await put({ name: '' })).toEqual([400, 'bad_request'])
    expect(await put({}, 999_999)).toEqual([404, 'not_found'])
  })
})

describe('POST /certifications/{id}/revoke', () => {
  it('revokes permanently, with a reason', async () => {
    const { body } = await issue()
    const { id, version } = body
    const revoke = (over: object = {}) =>
      staff.send(revokeCertification, { params: params(id), body: { reason: 'Not trained after all', ...over } })
    expect((await revoke({ reason: ' ' })).status).toBe(400)
    expect((await revoke({ version: version + 1 })).failure.code).toBe('stale')
    const revoked = await revoke({ version })
    expect(revoked.body).toMatchObject({ status: 'revoked', revoked: { reason: 'Not trained after all' } })
    expect(revoked.body.revoked?.by).toMatch(/^Worker/)
    expect((await revoke()).failure.code).toBe('revoked')
    // A stale edit gets the same refusal, not a conflict.
    for (const over of [{}, { version }])
      expect((await staff.send(updateCertification, { params: params(id), body: draft(over) })).failure.code).toBe(
        'revoked',
      )
    expect(await audited(id)).toEqual(['certification_issued', 'certification_revoked'])
  })
})

describe('DELETE /certifications/{id}', () => {
  it('deletes a certification whose link was never opened', async () => {
    const { id } = (await issue()).body
    expect((await staff.send(deleteCertification, { params: params(id) })).body).toEqual({ id, outcome: 'deleted' })
    expect((await staff.send(deleteCertification, { params: params(id) })).status).toBe(404)
    expect(await audited(id)).toEqual(['certification_issued', 'certification_deleted'])
  })
  it('revokes a certification whose link was opened, and never deletes it', async () => {
    const { id, shortId } = (await issue()).body
    await server.anonymous().send(verifyCertification, { params: { shortId } })
    expect((await staff.send(deleteCertification, { params: params(id) })).body).toEqual({ id, outcome: 'revoked' })
    const page = await server.anonymous().send(verifyCertification, { params: { shortId } })
    expect(page.body.status).toBe('revoked')
    expect((await staff.send(deleteCertification, { params: params(id) })).failure.code).toBe('kept')
    await expect(server.db.deleteFrom('certifications').where('id', '=', id).execute()).rejects.toThrow('was opened')
  })
  it('never shows a certification that is deleted at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const { id, shortId } = (await issue()).body
      const stranger = server.anonymous()
      const headers = { 'x-forwarded-for': '203.0.113.7' }
      const [seen, gone] = await Promise.all([
        stranger.send(verifyCertification, { params: { shortId } }, { headers }),
        staff.send(deleteCertification, { params: params(id) }),
      ])
      expect(gone.status).toBe(200)
      // What was shown once stays available, at least as revoked.
      expect(gone.body.outcome).toBe(seen.status === 200 ? 'revoked' : 'deleted')
    }
  })
})
