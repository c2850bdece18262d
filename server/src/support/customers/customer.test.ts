import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { containing } from '#platform/db/like.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from './customer.factory.ts'
import { statusOf } from './customer.rules.ts'

let server: TestServer
const day = (n: number) => new Date(server.clock.now().getTime() - n * 86_400_000)

beforeAll(async () => {
  server = await startTestServer()
  await makeCustomer(server.db, {
    first_name: 'Camille',
    last_name: 'Okafor',
    email: 'camille@example.com',
    phone: '+19515550101',
    joined_at: day(10),
    last_login_at: day(1),
  })
  await makeCustomer(server.db, {
    first_name: 'Tomás',
    last_name: 'Arriaga',
    email: 'tomas_a@example.com',
    phone: null,
    joined_at: day(200),
    last_login_at: day(120),
  })
  await makeCustomer(server.db, {
    first_name: 'Bridget',
    last_name: '100% Nolan',
    email: 'bridget@example.com',
    joined_at: day(30),
    last_login_at: day(2),
    blocked_at: day(1),
    blocked_reason: 'charge-back',
  })
})
afterAll(() => server.stop())

const names = async (query: Record<string, string | number>) =>
  (await server.as('users.overview').send(listUsers, { query: query as never })).body.users.map((user) => user.name)

describe('GET /api/support/users', () => {
  it('lists customers newest first with the number of pages', async () => {
    const reply = await server.as('users.directory').send(listUsers, { query: { limit: '2' } })
    expect(reply.status).toBe(200)
    expect(reply.body.users.map((user) => user.name)).toEqual(['Camille Okafor', 'Bridget 100% Nolan'])
    expect(reply.body.pagination).toEqual({ page: 1, limit: 2, totalItems: 3, totalPages: 2, pages: 2 })
    expect(reply.body.users[0]).toMatchObject({ email: 'camille@example.com', phone: '+19515550101', status: 'active' })
  })
  it('returns the total on a page past the end', async () => {
    const reply = await server.as('users.overview').send(listUsers, { query: { page: '9' } })
    expect(reply.body).toMatchObject({ users: [], pagination: { totalItems: 3 } })
  })
  it.each([
    ['a name', 'OKAFOR', ['Camille Okafor']],
    ['an accent', 'tomás', ['Tomás Arriaga']],
    ['a phone', '5550101', ['Camille Okafor']],
    ['a phone with brackets', '(951) 555-0101', ['Camille Okafor']],
    ['a phone with dots and the country', '+1 951.555.0101', ['Camille Okafor']],
    ['a part of a phone', '555-0101', ['Camille Okafor']],
    ['no phone in other text', '555-0101x', []],
    ['a literal percent sign', '100%', ['Bridget 100% Nolan']],
    ['a literal underscore', 's_a', ['Tomás Arriaga']],
    ['a literal backslash', '\\', []],
    ['literal SQL', "'; drop table customers; --", []],
    ['10 kB', 'x'.repeat(10_000), []],
  ])('finds %s', async (_, search, expected) => {
    expect(await names({ search })).toEqual(expected)
  })
  it('puts the customer with that id first', async () => {
    const { id } = await makeCustomer(server.db, { first_name: 'Ada', last_name: 'Number', joined_at: day(400) })
    await makeCustomer(server.db, { first_name: `Room ${id}`, last_name: 'Younger', joined_at: day(300) })
    expect(await names({ search: String(id) })).toEqual(expect.arrayContaining([`Room ${id} Younger`]))
    expect((await names({ search: String(id) }))[0]).toBe('Ada Number')
    expect(await names({ search: '999999999' })).toEqual([])
    await server.db.deleteFrom('customers').where('joined_at', '<=', day(300)).execute()
  })
  it.each([
    ['active', ['Camille Okafor']],
    ['inactive', ['Tomás Arriaga']],
    ['blocked', ['Bridget 100% Nolan']],
    ['', ['Camille Okafor', 'Bridget 100% Nolan', 'Tomás Arriaga']],
  ])('filters by "%s"', async (status, expected) => {
    expect(await names({ status })).toEqual(expected)
  })
  it.each(['-1', '0', '1e9', '1.5', '2;drop', ''])('refuses page "%s"', async (page) => {
    expect((await server.as('users.overview').send(listUsers, { query: { page } })).status).toBe(400)
  })
  it('refuses an unknown status', async () => {
    expect((await server.as('users.overview').send(listUsers, { query: { status: 'gone' as never } })).status).toBe(400)
  })
  it('refuses callers without the permission', async () => {
    expect((await server.as('analytics.view').send(listUsers)).status).toBe(403)
    expect((await server.anonymous().send(listUsers)).status).toBe(401)
  })
})

describe('customer status and search', () => {
  const now = new Date('2026-11-16T00:00:00Z')
  it.each([
    ['blocked', { blocked_at: now, last_login_at: now }],
    ['active', { blocked_at: null, last_login_at: new Date('2026-08-18T00:00:01Z') }],
    ['inactive', { blocked_at: null, last_login_at: new Date('2026-08-18T00:00:00Z') }],
    ['inactive', { blocked_at: null, last_login_at: null }],
  ] as const)('a customer is %s', (expected, customer) => {
    expect(statusOf(customer, now)).toBe(expected)
  })
  it('escapes LIKE wildcards', () => {
    expect(containing('50%_\\')).toBe('%50\\%\\_\\\\%')
  })
})

describe('merged and erased accounts', () => {
  it('are marked in the list and excluded from pickers', async () => {
    const closed = { last_name: 'Ended', blocked_at: day(1), blocked_reason: 'Closed', joined_at: day(5) }
    const living = await makeCustomer(server.db, { first_name: 'Living', last_name: 'Ended', joined_at: day(5) })
    await makeCustomer(server.db, { ...closed, first_name: 'Merged', merged_into_id: living.id })
    await makeCustomer(server.db, { ...closed, first_name: 'Erased', erased_at: day(1) })
    const { users } = (await server.as('users.overview').send(listUsers, { query: { search: 'ended' } })).body
    expect(users.map(({ name, ended }) => [name, ended]).toSorted()).toEqual([
      ['Erased Ended', 'erased'],
      ['Living Ended', null],
      ['Merged Ended', 'merged'],
    ])
    expect(await names({ search: 'ended', living: 'yes' })).toEqual(['Living Ended'])
  })

  it('are skipped by pickers, which take the newest matches without counting them', async () => {
    for (const nth of [3, 1, 4, 2])
      await makeCustomer(server.db, { first_name: `Nth${nth}`, last_name: 'Frequent', joined_at: day(10 * nth) })
    const gone = { erased_at: day(1), blocked_at: day(1), blocked_reason: 'Closed', joined_at: day(1) }
    await makeCustomer(server.db, { ...gone, first_name: 'Gone', last_name: 'Frequent' })
    const find = async (limit: string, page = '1') => {
      const { body } = await server
        .as('users.overview')
        .send(listUsers, { query: { search: 'frequent', living: 'yes', limit, page } })
      return [body.users.map(({ name }) => name.slice(0, 4)), body.pagination.isMore ?? body.pagination.totalItems]
    }
    expect(await find('3')).toEqual([['Nth1', 'Nth2', 'Nth3'], true])
    expect(await find('3', '2')).toEqual([['Nth4'], 4])
    expect(await find('5')).toEqual([['Nth1', 'Nth2', 'Nth3', 'Nth4'], 4])
  })
})
