import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../server/src/embedded/port.ts'
import { systemClock } from '../server/src/platform/clock.ts'
import { eventually, startTestServer } from '../server/src/platform/testing/testing.ts'
import { makeCustomer } from '../server/src/support/customers/customer.factory.ts'

it('the limit returns the same replies as the product, so that both can be compared', async () => {
  const server = await startTestServer()
  const { db, running } = server
  for (const last_name of ['Okafor1', 'Okafor2', 'Adeyemi']) await makeCustomer(db, { last_name })
  const { token } = await server.signIn(['support.tab', 'users.overview'])
  // The limit uses the clock of the database.
  const now = systemClock.now()
  server.clock.set(now)
  await db.updateTable('customers').set({ last_login_at: now }).execute()
  await db.updateTable('sessions').set({ created_at: now, last_seen_at: now }).execute()

  const port = await freePort()
  const limit = spawn(process.execPath, [join(import.meta.dirname, 'limit.ts')], {
    env: { ...process.env, PORT: String(port), DATABASE_URL: running.services.config.databaseUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const headers = { cookie: `sid=${token}` }
  const theirs = `http://127.0.0.1:${port}`
  try {
    await eventually(() =>
      fetch(`${theirs}/healthz`)
        .then(({ ok }) => ok)
        .catch(() => false),
    )
    for (const path of ['/api/auth/check', '/api/support/users?limit=20&status=active&search=okafor']) {
      const [product, bare] = await Promise.all(
        [running.url, theirs].map(async (url) => (await fetch(url + path, { headers })).json()),
      )
      expect(product, path).toEqual(bare)
    }
  } finally {
    limit.kill('SIGKILL')
    await server.stop()
  }
})
