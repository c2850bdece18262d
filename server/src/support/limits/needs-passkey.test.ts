import { changeLimits, readLimits } from '@limber/contract/access/limits/limits.ts'
import { sendOutreach } from '@limber/contract/growth/partners/partner.ts'
import { adjustCredits } from '@limber/contract/support/customers/account.ts'
import {
  previewNotification,
  sendNotification,
  undoNotification,
} from '@limber/contract/support/notifications/notification.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, TEST_NOW, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { of, reason } from '../customers/account-action.testing.ts'
import { draftCustomer, makeCustomer } from '../customers/customer.factory.ts'

let server: TestServer
let sender: TestCaller
beforeAll(async () => {
  server = await startTestServer({ env: { COMPANY_ADDRESS: '1 Main Street, Riverside' } })
})
afterAll(() => server.stop())
beforeEach(() => {
  server.clock.set(TEST_NOW)
  sender = server.as('notifications.send', 'growth.tab', 'users.overview')
})

/** Advances the clock without ending the sessions. */
async function wait(ms: number) {
  server.clock.advance(ms)
  const now = server.clock.now()
  await server.db
    .updateTable('sessions')
    .set({ created_at: now, last_seen_at: now } as never)
    .execute()
}

const asked = { status: 403, failure: { code: 'step_up_required' } }
const times = (count: number, name = 'p') => Array.from({ length: count }, (_, n) => `${name}${n}@many.example`)

describe('bulk email', () => {
  const write = (count: number, who = sender) => {
    const words = { subject: 'Sessions', header: 'Hello', body: 'Shall we talk?', businessId: null }
    return who.send(sendOutreach, { body: { recipients: times(count), ...words } })
  }
  const draft = {
    title: 'New times',
    body: 'Look in the app.',
    audience: { kind: 'all', zoneId: null, valueTier: null },
    channel: 'mail',
  } as const
  const notify = (who = sender) => who.send(sendNotification, { body: draft })

  beforeAll(async () => {
    const joined_at = shift(new Date(TEST_NOW), -30 * DAY)
    const people = times(40, 'c').map((email) => draftCustomer({ email, joined_at, email_verified_at: joined_at }))
    await server.db.insertInto('customers').values(people).execute()
  })

  it('requires a passkey above 100 people per hour, on any channel', async () => {
    expect((await write(30)).status).toBe(200)
    expect((await notify()).status).toBe(200)
    expect((await write(30)).status).toBe(200)
    expect(await write(1)).toMatchObject(asked)
    expect(await notify()).toMatchObject(asked)
    expect((await sender.send(previewNotification, { body: draft })).body).toMatchObject({
      people: 40,
      needsPasskey: true,
    })
    // The other worker has a separate count.
    expect((await write(100, server.as('growth.tab'))).status).toBe(200)
    await wait(HOUR - MINUTE)
    expect(await write(1)).toMatchObject(asked)
    await wait(2 * MINUTE)
    expect((await write(1)).status).toBe(200)
  })

  it('is sent with a passkey', async () => {
    const strong = server.asSteppedUp('growth.tab')
    expect((await write(90, strong)).status).toBe(200)
    expect((await write(90, strong)).status).toBe(200)
  })

  it('does not count undone notifications', async () => {
    const { id } = (await notify()).body
    expect((await sender.send(undoNotification, { params: { id: String(id) } })).status).toBe(200)
    expect((await write(100)).status).toBe(200)
  })

  it('counts concurrent sends', async () => {
    const replies = await Promise.all([write(60), write(60), write(60)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
  })
})

describe('credits', () => {
  const give = async (delta: number, who = sender) =>
    who.send(adjustCredits, { ...of(await makeCustomer(server.db, { credits: 50 })), body: { delta, reason } })

  it('one worker can adjust up to 200 per day without a passkey', async () => {
    for (const delta of [50, -50, 50, -49]) expect((await give(delta)).status).toBe(200)
    expect(await give(2)).toMatchObject(asked)
    expect((await give(1)).status).toBe(200)
    expect(await give(-1)).toMatchObject(asked)
    expect((await give(50, server.as('users.overview'))).status).toBe(200)
    expect((await give(50, server.asSteppedUp('users.overview'))).status).toBe(200)
    await wait(DAY)
    expect((await give(50)).status).toBe(200)
  })

  it('counts concurrent adjustments', async () => {
    await Promise.all([give(50), give(50), give(50)])
    const replies = await Promise.all([give(30), give(30), give(30)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
  })

  it('uses the limit in the company settings', async () => {
    const keeper = server.asSteppedUp('access.manage')
    expect((await keeper.send(readLimits)).body).toEqual({ creditsPerDay: 200 })
    expect(await server.as('access.manage').send(changeLimits, { body: { creditsPerDay: 10 } })).toMatchObject(asked)
    expect((await keeper.send(changeLimits, { body: { creditsPerDay: 10 } })).body).toEqual({ creditsPerDay: 10 })
    for (const creditsPerDay of [-1, 1.5, 100_001])
      expect((await keeper.send(changeLimits, { body: { creditsPerDay } })).status).toBe(400)
    expect((await give(10)).status).toBe(200)
    expect(await give(1)).toMatchObject(asked)
    const { rows } = await sql`select before, after from audit_log where action = 'limits_changed'`.execute(server.db)
    expect(rows).toEqual([{ before: { creditsPerDay: 200 }, after: { creditsPerDay: 10 } }])
  })
})
