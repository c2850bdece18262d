import { readFileSync } from 'node:fs'
import { verifyOnboarding } from '@limber/contract/access/onboarding/onboarding.ts'
import { exportEvents, ingestEvents, listEvents, readEvent } from '@limber/contract/analytics/events/event.ts'
import { verifyCertification } from '@limber/contract/certifications/verification.ts'
import { unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import { listErrors } from '@limber/contract/tech/errors/error-log.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '#platform/paths.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { draftInput } from './event.factory.ts'

const KEY = 'ingest-key-0123456789-0123456789'
// Fake tokens in place of real ones.
const tokens = { mail: 'canary-Tm90LXJlYWwtdG9rZW4', page: 'c4n4ryc4n4ryc4n4', link: 'canaryOnb0ard1ngT0ken' }
const secret = /canary|c4n4ry/i

let server: TestServer
let logged = ''
beforeAll(async () => {
  const write = (line: string) => {
    logged += line
  }
  server = await startTestServer({ env: { EVENT_INGEST_KEY: KEY }, log: makeLog('debug', { write } as never) })
})
afterAll(() => server.stop())

const stored = async () => {
  await server.running.services.events.flush()
  const { rows } = await server.running.services.pool.query<{ line: string }>(
    `select e::text as line from events e union all select f::text from event_failures f
     union all select d::text from event_deltas d union all select a::text from audit_log a`,
  )
  return rows.map(({ line }) => line).join('\n')
}

describe('a link with a token', () => {
  it('is recorded by its route only, wherever its call is recorded', async () => {
    const nobody = server.anonymous()
    await nobody.send(unsubscribe, { params: { token: tokens.mail } })
    await nobody.send(verifyCertification, { params: { shortId: tokens.page } })
    await nobody.send(verifyOnboarding, { body: { token: tokens.link } as never })
    for (const path of [
      `/verify/${tokens.page}`,
      `/onboarding?token=${tokens.link}`,
      `/api/unsubscribe/${tokens.mail}/x`,
    ])
      await fetch(server.url + path, { headers: { accept: 'text/html' } })
    const all = await stored()
    expect(all).toContain('/api/unsubscribe/:token')
    expect(all).toContain('/api/verify/:shortId')
    expect(all).not.toMatch(secret)
    expect(logged).not.toMatch(secret)
  })

  it('is recorded by its route only when the customer product reports it', async () => {
    const urls = [`/unsubscribe/${tokens.mail}`, `/login?token=${tokens.link}`, '/people/canary@example.com/bookings']
    const events = urls.map((url) => draftInput({ url, event_outcome: 'failure', response_status: 500 }))
    const { body } = await server
      .anonymous()
      .send(ingestEvents, { body: { events } }, { headers: { 'x-ingest-key': KEY } })
    expect(body.accepted).toBe(3)
    expect(await stored()).not.toMatch(secret)
  })

  it('is hidden and removed by the migration when it was stored before', async () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    const row = `'${server.clock.now().toISOString()}', 'staff', 'unsubscribe', 'success', 'GET',
      '/api/unsubscribe/${tokens.mail}', '/api/unsubscribe/:token', 200, 3`
    await server.running.services.pool.query(
      `insert into events (id, created_at, source, action_type, event_outcome, method, url, path, response_status, response_time)
       values ('${id}', ${row})`,
    )
    const analyst = server.as('analytics.view', 'errors.view')
    const shown = [
      await analyst.send(listEvents, { query: { limit: '50' } }),
      await analyst.send(readEvent, { params: { id } }),
      await analyst.send(exportEvents),
      await analyst.send(listErrors),
    ]
    for (const { status, text } of shown) {
      expect(status).toBe(200)
      expect(text).not.toMatch(secret)
    }
    expect(await stored()).toMatch(secret)
    await server.running.services.pool.query(
      readFileSync(`${root}/server/migrations/0181_events_without_links.sql`, 'utf8'),
    )
    expect(await stored()).not.toMatch(secret)
  })
})
