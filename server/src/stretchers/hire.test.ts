import { onboardStretcher, promoteToStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { allRoutes } from '../app.ts'
import { hireRoutes } from './hire.routes.ts'
import { makeStretcher } from './stretcher.factory.ts'

let server: TestServer
let staff: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  staff = server.as('businesses.manage')
})
afterAll(() => server.stop())

let serial = 0
const anAddress = () => `new-stretcher-${++serial}@example.com`
const person = (over: Record<string, unknown> = {}) => ({
  firstName: 'Noah',
  lastName: 'Kim',
  email: anAddress(),
  dateOfBirth: '1996-04-12',
  needsTraining: true,
  ...over,
})
const create = (over: Record<string, unknown> = {}) => staff.send(onboardStretcher, { body: person(over) })
const promote = (email: string, over: Record<string, unknown> = {}) =>
  staff.send(promoteToStretcher, { body: { email, needsTraining: true, ...over } })
const count = async (table: 'customers' | 'stretchers') =>
  (await server.db.selectFrom(table).select('id').execute()).length
const audited = (id: number) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'after'])
    .where('subject', '=', 'stretcher')
    .where('subject_id', '=', String(id))
    .execute()

describe('POST /api/stretchers/onboard-stretcher', () => {
  it('creates an account and a stretcher in training', async () => {
    const email = anAddress()
    const { status, body } = await create({ email: ` ${email.toUpperCase()} ` })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: 'Stretcher account created successfully.',
      enrolledCourses: 0,
      stretcher: {
        firstName: 'Noah',
        lastName: 'Kim',
        email,
        zone: null,
        status: 'in_training',
        readiness: 'in_training',
      },
    })
    const account = await server.db
      .selectFrom('customers')
      .select(['first_name', 'email', 'credits'])
      .where('id', '=', body.stretcher.userId)
      .executeTakeFirst()
    expect(account).toEqual({ first_name: 'Noah', email, credits: 0 })
    expect(await audited(body.stretcher.id)).toMatchObject([
      { action: 'stretcher_created', after: { needsTraining: true } },
    ])
  })
  it('activates a stretcher who needs no training', async () => {
    const { body } = await create({ needsTraining: false })
    expect(body.stretcher).toMatchObject({ status: 'active', readiness: 'ready' })
  })
  it('requires training by default', async () => {
    const { needsTraining: _, ...rest } = person()
    expect((await staff.send(onboardStretcher, { body: rest })).body.stretcher.status).toBe('in_training')
  })
  it.each([
    ['a future date of birth', { dateOfBirth: '2026-11-17' }, 422, 'Enter a valid date of birth.'],
    ['a date of birth in 1800', { dateOfBirth: '1800-01-01' }, 422, 'Enter a valid date of birth.'],
    ['someone under 18', { dateOfBirth: '2008-11-17' }, 422, 'A stretcher must be at least 18 years old.'],
    ['an invalid date', { dateOfBirth: '1996-02-30' }, 400, 'dateOfBirth: is not a valid date'],
    [
      'a date of birth with a time',
      { dateOfBirth: '1996-04-12T00:00:00Z' },
      400,
      'dateOfBirth: must be a date such as 2026-05-01',
    ],
    ['no first name', { firstName: '' }, 400, 'firstName: is required'],
    ['no last name', { lastName: '   ' }, 400, 'lastName: is required'],
    ['no email', { email: '' }, 400, 'Invalid email format.'],
    ['an email of 60 kB', { email: `${'.'.repeat(60_000)}@x` }, 400, 'Invalid email format.'],
    ['an email that is an array', { email: ['a@example.com'] }, 400, undefined],
    ['training as text', { needsTraining: 'yes' }, 400, undefined],
    ['an unknown key', { zone_id: 1 }, 400, undefined],
    ['a name of a megabyte', { firstName: 'x'.repeat(1_000_000) }, 413, 'The request is too large.'],
  ])('J17 rejects %s', async (_name, over, status, text) => {
    const before = [await count('customers'), await count('stretchers')]
    const reply = await create(over)
    expect(reply.status).toBe(status)
    if (text) expect(reply.failure).toMatchObject({ error: text, message: text })
    expect([await count('customers'), await count('stretchers')]).toEqual(before)
  })
  it('J17 rejects an email in use, and says what to do', async () => {
    const user = await makeCustomer(server.db)
    const taken = await create({ email: user.email })
    expect([taken.status, taken.failure.error]).toEqual([
      409,
      'A user with this email already exists. Use Promote Existing User.',
    ])
    const stretcher = await makeStretcher(server.db, { first_name: 'Lia', last_name: 'Sol' })
    const again = await create({ email: stretcher.email })
    expect([again.status, again.failure.error]).toEqual([409, 'Lia Sol is already a stretcher.'])
  })
  it('treats look-alike letters in emails as different', async () => {
    await create({ email: 'kelvin@example.com' })
    expect((await create({ email: '\u212Aelvin@example.com' })).status).toBe(200)
  })
  it('creates one account for twenty concurrent requests', async () => {
    const body = person()
    const replies = await Promise.all(Array.from({ length: 20 }, () => staff.send(onboardStretcher, { body })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const rows = await server.db.selectFrom('customers').select('id').where('email', '=', body.email).execute()
    expect(rows).toHaveLength(1)
  })
  it('answers a repeated request with the first reply', async () => {
    const body = person()
    const headers = { 'idempotency-key': 'create-press-1' }
    const [one, two] = await Promise.all([1, 2].map(() => staff.send(onboardStretcher, { body }, { headers })))
    expect([one?.status, two?.status]).toEqual([200, 200])
    expect(one?.body.stretcher.id).toBe(two?.body.stretcher.id)
  })
})

describe('POST /api/stretchers/promote-to-stretcher', () => {
  it('promotes a user, in the zone of their address', async () => {
    const zone = await makeZone(server.db)
    const user = await makeCustomer(server.db, {
      first_name: 'Rosa',
      last_name: 'Diaz',
      latitude: 33.97,
      longitude: -117.37,
      zone_id: zone.id,
    })
    const { status, body } = await promote(user.email, { needsTraining: false })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: 'User promoted to stretcher successfully.',
      stretcher: { userId: user.id, firstName: 'Rosa', zone: { id: zone.id }, status: 'active' },
    })
    expect(await audited(body.stretcher.id)).toMatchObject([{ action: 'stretcher_promoted' }])
  })
  it.each([
    ['an unknown email', 'nobody@example.com', 404, 'There is no user with this email.'],
    ['no email', '', 400, 'Invalid email format.'],
    ['an incomplete email', 'rosa@', 400, 'Invalid email format.'],
  ])('J16 rejects %s', async (_name, email, status, text) => {
    const reply = await promote(email)
    expect([reply.status, reply.failure.error]).toEqual([status, text])
  })
  it('J16 rejects active, inactive and blocked users', async () => {
    const hired_at = new Date('2026-01-05T17:00:00Z')
    const active = await makeStretcher(server.db, { first_name: 'Lia', last_name: 'Sol', hired_at })
    const left = await makeStretcher(server.db, { first_name: 'Ben', last_name: 'Ito', hired_at, status: 'inactive' })
    const blocked = await makeCustomer(server.db, { blocked_at: server.clock.now(), blocked_reason: 'Rude' })
    const says = async (email: string) => {
      const { status, failure } = await promote(email)
      return [status, failure.error]
    }
    expect(await says(active.email)).toEqual([409, 'Lia Sol is already a stretcher.'])
    expect(await says(left.email)).toEqual([
      409,
      'Ben Ito is an inactive stretcher. Activate them in the list instead.',
    ])
    expect(await says(blocked.email)).toEqual([409, 'This account is blocked. Unblock it first.'])
  })
  it('creates one stretcher for twenty concurrent promotions', async () => {
    const user = await makeCustomer(server.db)
    const before = await count('stretchers')
    const replies = await Promise.all(Array.from({ length: 20 }, () => promote(user.email)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(await count('stretchers')).toBe(before + 1)
  })
  it('accepts only the promotion when the same email is also created', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await makeCustomer(server.db)
      const both = await Promise.all([promote(user.email), create({ email: user.email })])
      expect(both.map(({ status }) => status)).toEqual([200, 409])
    }
  })
})

describe('required courses', () => {
  it('are enrolled in the same transaction, only for those who need training', async () => {
    const asked: number[] = []
    const training = {
      enroll: async (_db: unknown, userIds: readonly number[]) => asked.push(...userIds) && 3,
      findProgress: async (_db: unknown, ids: readonly number[]) =>
        new Map(ids.map((id) => [id, { required: 3, completed: 1 }])),
      findCourses: async () =>
        ['Body', 'Care', 'Safety'].map((title, at) => ({
          course_key: title,
          title,
          completed_at: at === 0 ? server.clock.now() : null,
        })),
    }
    const replaced = hireRoutes(training)
    const routes = allRoutes(server.db).routes.map((route) => replaced.find(({ call }) => call === route.call) ?? route)
    const school = await startTestServer({ routes })
    const clerk = school.as('businesses.manage')
    const { body } = await clerk.send(onboardStretcher, { body: person() })
    expect(body).toMatchObject({ enrolledCourses: 3, stretcher: { training: { required: 3, completed: 1 } } })
    await clerk.send(onboardStretcher, { body: person({ needsTraining: false }) })
    expect(asked).toEqual([body.stretcher.userId])
    await school.stop()
  })
  it('roll back the new account when enrolling fails', async () => {
    const training = {
      enroll: async () => {
        throw new Error('no')
      },
      findProgress: async () => new Map(),
      findCourses: async () => [],
    }
    const replaced = hireRoutes(training)
    const routes = allRoutes(server.db).routes.map((route) => replaced.find(({ call }) => call === route.call) ?? route)
    const school = await startTestServer({ routes })
    const body = person()
    expect((await school.as('businesses.manage').send(onboardStretcher, { body })).status).toBe(500)
    const rows = await school.db.selectFrom('customers').select('id').where('email', '=', body.email).execute()
    expect(rows).toEqual([])
    await school.stop()
  })
})
