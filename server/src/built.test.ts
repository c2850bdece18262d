// @module-tag slow
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { uploadAsset } from '@limber/contract/training/assets/asset.ts'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { root } from '#platform/paths.ts'
import { makeCsrfToken } from '#platform/security/csrf.ts'
import { hashToken, makeKeyring, randomToken } from '#platform/security/secrets.ts'
import { formBody } from '#platform/testing/testing.form.ts'
import { copyTemplate, eventually } from '#platform/testing/testing.ts'
import { layOutImage } from './built.testing.ts'
import { freePort } from './embedded/port.ts'

const SECRET = 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'

async function signIn(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const token = randomToken()
  await client.query(
    `with made as (
       insert into workers (email, name, permissions, handle, status, created_at)
       values ('built@example.com', 'Built', '{39,65}', '\\x01', 'active', now()) returning id)
     insert into sessions (token_hash, worker_id, created_at, last_seen_at) select $1, id, now(), now() from made`,
    [hashToken(token)],
  )
  await client.query(
    `insert into training_courses (course_key, title, created_at, updated_at) values ('built', 'Built', now(), now())`,
  )
  await client.end()
  return { cookie: `sid=${token}`, 'x-csrf-token': makeCsrfToken(makeKeyring(SECRET), token) }
}

/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(() => {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build-server.ts')], { encoding: 'utf8' })
  expect(built.stderr).toBe('')
})

// Starting is slow on a busy machine.
it('the production image starts, runs worker threads, re-encodes an image and runs commands', {
  timeout: 180_000,
}, async () => {
  const image = layOutImage()
  const database = await copyTemplate()
  const port = await freePort()
  const headers = await signIn(database.url)
  const settings = {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      SECRET_KEY: SECRET,
      LOG_LEVEL: 'warn',
      LIMBER_STORAGE: join(image, 'files'),
    },
    cwd: image,
  }
  const child = spawn(process.execPath, ['server/dist/main.js'], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const post = async (path: string, body: string | Buffer, more: Record<string, string>) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { ...headers, origin: `http://localhost:${port}`, ...more },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
    return { status: reply.status, body: await reply.text(), output }
  }
  try {
    const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await eventually(async () => (await ready())?.ok, 60_000)
    // The audit runs in a worker thread, which has its own file.
    const period = JSON.stringify({ startDate: '2026-01-01', endDate: '2026-01-31' })
    expect(await post('/api/payroll/audit', period, { 'content-type': 'application/json' })).toMatchObject({
      status: 200,
      output: '',
    })
    // Images are re-encoded by a native library, which cannot be bundled.
    const { rawBody, headers: type } = formBody([
      { name: 'course_key', content: 'built' },
      { name: 'file', filename: 'white.png', content: PNG },
    ])
    expect(await post(uploadAsset.path, rawBody, type)).toMatchObject({ status: 200, output: '' })
    const invite = ['worker', 'invite', '--email', 'owner@example.com', '--name', 'First', '--role', 'Owner']
    const { stdout, stderr } = spawnSync(process.execPath, ['server/src/cli/limber.ts', ...invite], {
      ...settings,
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('/onboarding?token='), stderr: '' })
  } finally {
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    await database.drop()
    await rm(image, { recursive: true, force: true })
    expect(code).toBe(0)
  }
})

it('the production entry point reports an outdated Node in one line', { timeout: 120_000 }, () => {
  const entry = join(root, 'server/dist/main.js')
  // Node 20 cannot link the server's imports, so the entry point must not have any.
  expect(readFileSync(entry, 'utf8')).not.toMatch(/^import\b|\bfrom "/m)
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, entry]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Limber needs Node 24 or newer, and this is Node 20\.19\.0\..*\n$/),
  })
})
