import { createCertification } from '@limber/contract/certifications/certification.ts'
import {
  createCertificationType,
  deleteCertificationType,
  listCertificationTypes,
  updateCertificationType,
} from '@limber/contract/certifications/type.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCertification } from './certification.factory.ts'

let server: TestServer
let staff: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  staff = server.as('businesses.manage')
})
afterAll(() => server.stop())

const create = (over: Record<string, unknown>) =>
  staff.send(createCertificationType, { body: { certificationName: 'Level 1', ...over } })
const params = (id: number) => ({ id: String(id) })
const list = async () => (await staff.send(listCertificationTypes)).body.types

describe('certification types', () => {
  it('are listed by name, with the number of certifications', async () => {
    const { body } = await create({ certificationName: 'Table stretching', validMonths: 24, isRequired: true })
    expect(body).toMatchObject({ certificationName: 'Table stretching', validMonths: 24, isRequired: true, valid: 0 })
    await create({ certificationName: 'assessment' })
    await makeCertification(server.db, { type_id: body.id })
    await makeCertification(server.db, { type_id: body.id, valid_until: '2026-11-15' })
    const types = await list()
    expect(types.map(({ certificationName }) => certificationName)).toEqual(['assessment', 'Table stretching'])
    expect(types[1]).toMatchObject({ certifications: 2, valid: 1 })
  })
  it.each([
    ['a name in use, regardless of case', { certificationName: 'TABLE STRETCHING' }, 409, 'name_taken'],
    ['no name', { certificationName: ' ' }, 400, 'bad_request'],
    ['0 months', { certificationName: 'A', validMonths: 0 }, 400, 'bad_request'],
    ['too many months', { certificationName: 'A', validMonths: 241 }, 400, 'bad_request'],
    ['a fraction of a month', { certificationName: 'A', validMonths: 1.5 }, 400, 'bad_request'],
    ['an unknown key', { certificationName: 'A', price: 1 }, 400, 'bad_request'],
  ])('are rejected with %s', async (_name, over, status, code) => {
    const reply = await create(over)
    expect([reply.status, reply.failure.code]).toEqual([status, code])
  })
  it('are changed, retired and restored; a stale change is rejected with the current type', async () => {
    const { body } = await create({ certificationName: 'Cupping' })
    const put = (over: Record<string, unknown>) =>
      staff.send(updateCertificationType, { params: params(body.id), body: { certificationName: 'Cupping', ...over } })
    const retired = await put({ isRetired: true, version: body.version })
    expect(retired.body).toMatchObject({ isRetired: true, version: body.version + 1 })
    const stale = await put({ certificationName: 'Cups', version: body.version })
    expect(stale.status).toBe(409)
    expect(stale.failure).toMatchObject({ code: 'stale', current: { isRetired: true } })
    const draft = {
      userId: (await makeCustomer(server.db)).id,
      certificationTypeId: body.id,
      name: 'A',
      instructor: 'B',
    }
    expect((await staff.send(createCertification, { body: draft })).failure.code).toBe('retired')
    expect((await put({ isRetired: false })).body.isRetired).toBe(false)
    expect((await put({ certificationName: 'assessment' })).failure.code).toBe('name_taken')
    const gone = await staff.send(updateCertificationType, {
      params: params(999_999),
      body: { certificationName: 'X' },
    })
    expect(gone.status).toBe(404)
  })
  it('D3 are not deleted while in use; the refusal says by how many', async () => {
    const { id } = (await create({ certificationName: 'Gait' })).body
    const held = await makeCertification(server.db, { type_id: id, revoked_at: server.clock.now() })
    const remove = () => staff.send(deleteCertificationType, { params: params(id) })
    expect((await remove()).failure).toMatchObject({
      code: 'in_use',
      error: 'This type is used by 1 certification and cannot be deleted. Retire it instead.',
    })
    await makeCertification(server.db, { type_id: id })
    expect((await remove()).failure.error).toContain('2 certifications')
    await server.db.deleteFrom('certifications').where('type_id', '=', id).execute()
    expect(held.type_id).toBe(id)
    expect((await remove()).body).toEqual({ id })
    expect((await remove()).status).toBe(404)
  })
  it('D3 are never deleted while a certification is being issued', async () => {
    const userId = (await makeCustomer(server.db)).id
    for (let round = 0; round < 6; round++) {
      const { id } = (await create({ certificationName: `Race ${round}` })).body
      const draft = { userId, certificationTypeId: id, name: 'A', instructor: 'B' }
      const [issued, removed] = await Promise.all([
        staff.send(createCertification, { body: draft }),
        staff.send(deleteCertificationType, { params: params(id) }),
      ])
      expect([`${issued.status} ${removed.status}`]).toContainEqual(issued.status === 200 ? '200 409' : '422 200')
    }
  })
})
