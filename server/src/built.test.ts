import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { makeCsrfToken } from '#platform/csrf.ts'
import { root } from '#platform/places.ts'
import { hashToken, makeKeyring, randomToken } from '#platform/secrets.ts'
import { copyTemplate, eventually } from '#platform/testing.ts'

const SECRET = 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  return typeof address === 'object' && address ? address.port : 0
}

async function signIn(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const token = randomToken()
  await client.query(
    `with made as (
       insert into workers (email, name, permissions, handle, status, created_at)
       values ('built@example.com', 'Built', '{39}', '\\x01', 'active', now()) returning id)
     insert into sessions (token_hash, worker_id, created_at, last_seen_at) select $1, id, now(), now() from made`,
    [hashToken(token)],
  )
  await client.end()
  return { cookie: `sid=${token}`, 'x-csrf-token': makeCsrfToken(makeKeyring(SECRET), token) }
}

// Building and starting takes its time on a busy machine.
it('the built server starts, finds its files and works in its threads', { timeout: 90_000 }, async () => {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build-server.ts')], { encoding: 'utf8' })
  expect(built.stderr).toBe('')
  const database = await copyTemplate()
  const port = await freePort()
  const headers = await signIn(database.url)
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      SECRET_KEY: SECRET,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  try {
    const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await eventually(async () => (await ready())?.ok, 60_000)
    // The audit runs in a worker thread, whose file is one of its own.
    const audit = await fetch(`http://127.0.0.1:${port}/api/payroll/audit`, {
      method: 'POST',
      headers: { ...headers, origin: `http://localhost:${port}`, 'content-type': 'application/json' },
      body: JSON.stringify({ startDate: '2026-01-01', endDate: '2026-01-31' }),
    })
    expect({ status: audit.status, body: await audit.text(), output }).toMatchObject({ status: 200, output: '' })
  } finally {
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    await database.drop()
    expect(code).toBe(0)
  }
})
