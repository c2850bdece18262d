// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { verifyOnboarding } from '@limber/contract/access/onboarding/onboarding.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundledProgram, MAIN } from '#platform/testing/testing.programs.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'

let server: TestServer
let client: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.running.services.config.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.stop()
})

/** The output of a production process until it listens. */
async function start(env: Record<string, string> = {}): Promise<string> {
  const { config } = server.running.services
  const child = spawn(process.execPath, [await bundledProgram(MAIN)], {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      SECRET_KEY: config.secretKey,
      PORT: '0',
      LOG_LEVEL: 'info',
      OWNER_EMAIL: 'Olga@Example.com',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (said.includes('"listening"')) child.kill('SIGTERM')
  })
  await once(child, 'exit')
  return said
}
const linksIn = (said: string) => [...said.matchAll(/\/onboarding\?token=([\w-]+)/g)].map(([, token]) => token ?? '')

// Processes start slowly on a busy machine.
it('an empty system prints one link for the first Owner when several processes start', {
  timeout: 90_000,
}, async () => {
  const [one, other, unset] = await Promise.all([start(), start(), start({ OWNER_EMAIL: '' })])
  const tokens = [one, other].flatMap(linksIn)
  expect(tokens).toHaveLength(1)
  expect(linksIn(unset)).toEqual([])
  expect(unset).toContain('no one has signed in yet')
  const { rows } = await client.query('select email, role, status from workers')
  expect(rows).toEqual([{ email: 'olga@example.com', role: 'Owner', status: 'invited' }])
  const reply = await server.anonymous().send(verifyOnboarding, { body: { token: tokens[0] ?? '' } })
  expect(reply.body).toMatchObject({ email: 'olga@example.com', isRecovery: false })

  await client.query("update workers set status = 'active', onboarded_at = now()")
  const after = await start()
  expect([linksIn(after), after.includes('no one')]).toEqual([[], false])
})
