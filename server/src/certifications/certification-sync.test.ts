import { certificationCalls } from '@limber/contract/certifications/certification-sync.ts'
import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCertification, makeCertificationType } from './certification.factory.ts'

const { list, read, readByExternalId, attach } = certificationCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db, 'certifications', 'certification_types')
  app = await asProgram(server)
})

const ids = async () => (await app.send(list)).body.items.map(({ id }) => id)
const readOne = (id: number) => app.send(read, { params: { id: String(id) } })

describe('GET /api/v1/certifications', () => {
  it('shows the holder, the type and the days', async () => {
    const type = await makeCertificationType(server.db, { name: 'Table stretching' })
    const { id: stretcher, customer_id } = await makeStretcher(server.db, {})
    const { id, short_id } = await makeCertification(server.db, { customer_id, type_id: type.id })
    const { body } = await readOne(id)
    expect(body).toMatchObject({
      id,
      short_id,
      external_ids: {},
      customer: customer_id,
      stretcher,
      type_id: type.id,
      type: 'Table stretching',
      revoked_at: null,
    })
    expect(body).not.toHaveProperty('revoke_reason')
  })

  it('lists the latest change last: of itself, its type, and its holder', async () => {
    const type = await makeCertificationType(server.db)
    const other = await makeCertificationType(server.db)
    const { id: customer_id, email } = await makeCustomer(server.db)
    const one = await makeCertification(server.db, { type_id: type.id })
    const two = await makeCertification(server.db, { type_id: other.id })
    const three = await makeCertification(server.db, { type_id: other.id, customer_id })
    await sql`update certifications set revoked_at = now(), revoke_reason = 'Lapsed' where id = ${two.id}`.execute(
      server.db,
    )
    expect(await ids()).toEqual([one.id, three.id, two.id])
    await sql`update certification_types set name = 'Another' where id = ${type.id}`.execute(server.db)
    expect(await ids()).toEqual([three.id, two.id, one.id])
    await makeStretcher(server.db, { customer_id, email })
    expect(await ids()).toEqual([two.id, one.id, three.id])
  })

  it('shows those of erased customers and deleted ones as tombstones', async () => {
    const { id: customer_id, email } = await makeCustomer(server.db)
    const erased = await makeCertification(server.db, { customer_id })
    const deleted = await makeCertification(server.db, {})
    const done = await server.asOwner({ isSteppedUp: true }).send(eraseUser, {
      params: { id: String(customer_id) },
      body: { reason: 'They asked.', email },
    })
    expect(done.status, done.text).toBe(200)
    await sql`delete from certifications where id = ${deleted.id}`.execute(server.db)
    const { body } = await app.send(list)
    expect(body.items).toMatchObject([
      { id: erased.id, reason: 'erased' },
      { id: deleted.id, reason: 'deleted' },
    ])
    expect((await readOne(erased.id)).status).toBe(404)
  })

  it('takes the id of another system, and is closed without the scope', async () => {
    const { id } = await makeCertification(server.db, {})
    expect((await app.send(attach, { params: { id: String(id) }, body: { external_id: 'k-1' } })).status).toBe(200)
    const params = { source: 'app', external_id: 'k-1' }
    expect((await app.send(readByExternalId, { params })).body.id).toBe(id)
    const other = await asProgram(server, { scopes: ['leads:read'] })
    expect((await other.send(list)).status).toBe(403)
  })
})
