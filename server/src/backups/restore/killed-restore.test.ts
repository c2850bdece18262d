// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { migrate, pendingMigrations } from '#platform/db/migrate.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { diskStorage } from '#platform/storage/storage-disk.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { bundledProgram, MAIN } from '#platform/testing/testing.programs.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { BACKUP_KEY, keys, makeBackup, makeEmptyDatabase, query, startBackupServer } from '../backups.testing.ts'
import { restoreBackup, vaultOfFile } from '../public.ts'

vi.setConfig({ testTimeout: 180_000 })

const SECRET_KEY = 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'
const program = new URL('./killed-restore.testing.ts', import.meta.url)

let server: TestServer & { folder: string }
let made: string
beforeAll(async () => {
  server = await startBackupServer()
  await server.running.services.storage.put('training/hips.txt', Buffer.from('slowly'), { type: 'text/plain' })
  await server.signIn([])
  const { databaseUrl } = server.running.services.config
  await query(
    databaseUrl,
    `insert into outbox (channel, key, payload, next_try_at, created_at) values ('mail', 'm1', '\\x00', now(), now())`,
  )
  made = (await makeBackup(server)).file ?? ''
}, 120_000)
afterAll(() => server.stop())

const startIn = (file: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })

it.each(['rows', 'files'])(
  'a restore killed while loading %s leaves a database that does not start, and can be repeated',
  async (HALT) => {
    const [target, files] = [await makeEmptyDatabase(), await mkdtemp(join(tmpdir(), 'limber-restored-'))]
    const BACKUP = join(server.folder, made)
    const settings = { DATABASE_URL: target.url, SECRET_KEY, BACKUP_KEY }
    const child = startIn(await bundledProgram(program), { ...settings, BACKUP, FILES: files, HALT })
    if (child.stdout) await once(child.stdout, 'data')
    const message = `A restore of ${made} into this database is in progress or did not finish.`
    await expect(pendingMigrations(target.url)).rejects.toThrow(message)
    child.kill('SIGKILL')
    await once(child, 'exit')

    // Neither a production process nor `npm start`, which migrates first, treats it as an empty database.
    const product = startIn(await bundledProgram(MAIN), {
      ...settings,
      PUBLIC_URL: 'http://localhost:3000',
      PORT: '0',
    })
    const [said, [code]] = await Promise.all([product.stderr ? text(product.stderr) : '', once(product, 'exit')])
    expect({ code, said }).toEqual({
      code: 1,
      said: `${message} Wait for it, or run it again: npm run limber -- restore ${made}\n`,
    })
    await expect(migrate(target.url, silentLog)).rejects.toThrow(message)

    const { vault, file } = vaultOfFile(BACKUP)
    const keyring = makeKeyring(SECRET_KEY)
    const place = { databaseUrl: target.url, storage: diskStorage(files), clock: systemClock, keyring }
    expect(await restoreBackup(place, vault, file, keys, () => {})).toMatchObject({ files: 1, lost: [], held: 1 })
    expect(await pendingMigrations(target.url)).toEqual([])
    expect(
      await query(
        target.url,
        `select (select count(*)::int from sessions where ended_at is null) as sessions,
        (select count(*)::int from outbox where state = 'waiting' and channel = 'mail') as mails`,
      ),
    ).toEqual([{ sessions: 0, mails: 0 }])
    await target.drop()
    await rm(files, { recursive: true })
  },
)

it('allows one restore into a database at a time', async () => {
  const target = await makeEmptyDatabase()
  const { vault, file } = vaultOfFile(join(server.folder, made))
  const files = await mkdtemp(join(tmpdir(), 'limber-restored-'))
  const storage = diskStorage(files)
  const place = { databaseUrl: target.url, storage, clock: systemClock, keyring: makeKeyring(SECRET_KEY) }
  const both = await Promise.allSettled([1, 2].map(() => restoreBackup(place, vault, file, keys, () => {})))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = both.find((each) => each.status === 'rejected')
  expect(String(refused?.reason)).toMatch(/Another restore into this database is in progress|The database is not empty/)
  expect(await pendingMigrations(target.url)).toEqual([])
  await target.drop()
  await rm(files, { recursive: true })
})
