// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readNotification, sendNotification } from '@limber/contract/support/notifications/notification.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE, shift, systemClock } from '#platform/clock.ts'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { draftCustomer } from '../customers/customer.factory.ts'
import { resumeNotifications } from './send-notification.ts'

const program = new URL('./killed-notification.testing.ts', import.meta.url)
const PEOPLE = 430
let server: TestServer
beforeAll(async () => {
  // The other process uses the real clock. This one is a few minutes behind, so that the send is due there.
  server = await startTestServer({ now: shift(systemClock.now(), -5 * MINUTE).toISOString() })
})
afterAll(() => server.stop())

it('reaches everyone once although its process was killed halfway', async () => {
  const joined_at = new Date('2026-01-01T00:00:00Z')
  const customers = Array.from({ length: PEOPLE }, (_, n) =>
    draftCustomer({ email: `p${n}@example.com`, joined_at, email_verified_at: joined_at }),
  )
  await server.db.insertInto('customers').values(customers).execute()
  const audience = { kind: 'all', zoneId: null, valueTier: null } as const
  const body = { title: 'New times', body: 'Hello', audience, channel: 'mail' } as const
  const { id } = (await server.asSteppedUp('notifications.send').send(sendNotification, { body })).body
  const { config } = server.running.services
  const child = spawn(process.execPath, [await bundledProgram(program)], {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      PORT: '0',
      SECRET_KEY: config.secretKey,
      LIMBER_EMBEDDED: '1',
      LOG_LEVEL: 'silent',
      NOTIFICATION: String(id),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const states = () =>
    server.db.selectFrom('notification_recipients').select('state').where('state', '=', 'posted').execute()
  expect(await states()).toHaveLength(200)

  // Wait out the lease of the killed process; the database clock decides.
  server.clock.advance(15 * MINUTE)
  await server.db.updateTable('outbox').set({ leased_until: null }).execute()
  const who = server.as('notifications.view')
  const done = await eventually(async () => {
    await resumeNotifications(server.running.services)
    await server.running.courier.run()
    const found = (await who.send(readNotification, { params: { id: String(id) } })).body
    return found.status === 'sent' ? found : undefined
  })
  expect(done.counts).toMatchObject({ people: PEOPLE, sent: PEOPLE, waiting: 0 })
  const keys = await server.db.selectFrom('outbox').select('key').where('channel', '=', 'mail').execute()
  expect(keys).toHaveLength(PEOPLE)
}, 120_000)
