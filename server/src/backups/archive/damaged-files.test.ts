import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { backupCommands } from '#cli/commands.backups.ts'
import { systemClock } from '#platform/clock.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { diskStorage } from '#platform/storage/storage-disk.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import {
  BACKUP_KEY,
  keys,
  makeBackup,
  makeEmptyDatabase,
  query,
  sealUnnamed,
  startBackupServer,
} from '../backups.testing.ts'
import { restoreBackup, vaultAround, verifyBackupFile } from '../public.ts'
import { opening } from './sealing.ts'

// Each check of a backup builds a database of its own; on a busy machine several of them take their time.
vi.setConfig({ testTimeout: 180_000 })

const SECRET_KEY = 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'
const contents = {
  'training/hips.txt': 'open them slowly',
  'training/neck.txt': 'turn it gently',
  'training/toes.txt': 'x',
}

let server: TestServer & { folder: string }
let made: string
beforeAll(async () => {
  server = await startBackupServer()
  for (const [key, text] of Object.entries(contents))
    await server.running.services.storage.put(key, Buffer.from(text), { type: 'text/plain' })
  made = (await makeBackup(server)).file ?? ''
}, 120_000)
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

/** The backup and its copies in a folder of their own, to be damaged. */
async function copyBackup() {
  const folder = await mkdtemp(join(tmpdir(), 'limber-damaged-'))
  const copies: Record<string, string> = {}
  await copyFile(join(server.folder, made), join(folder, made))
  const storage = diskStorage(folder)
  for await (const { key } of diskStorage(server.folder).list('files/'))
    await storage.put(key, await readFile(join(server.folder, key)), { type: '' })
  for (const [key, text] of Object.entries(contents)) {
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
    copies[key] = join(folder, 'files', sha256.slice(0, 2), sha256)
  }
  return { folder, copies }
}
type Copies = Record<string, string>
const HIPS = 'training/hips.txt'

const damages: [string, (copies: Copies) => Promise<unknown>, RegExp][] = [
  ['missing', (copies) => rm(copies[HIPS] ?? ''), /^is gone$/],
  [
    'swapped with another copy',
    (copies) => copyFile(copies['training/neck.txt'] ?? '', copies[HIPS] ?? ''),
    /^is damaged \(The file files\/\w\w\/\w{64} was written as files\/\w\w\/\w{64}: it was renamed/,
  ],
  [
    'swapped with a copy of the first format, whose name is not sealed',
    (copies) => writeFile(copies[HIPS] ?? '', sealUnnamed(zstdCompressSync('turn it gently'))),
    /^is damaged \(It holds the content of another file\)$/,
  ],
  ['truncated', (copies) => truncate(copies[HIPS] ?? '', 130), /^is damaged \(The file is damaged/],
  [
    'changed in one bit',
    async (copies) => {
      const bytes = await readFile(copies[HIPS] ?? '')
      bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 4
      await writeFile(copies[HIPS] ?? '', bytes)
    },
    /^is damaged \(The file is damaged/,
  ],
]

const scratch = () => ({ databaseUrl: server.running.services.config.databaseUrl })
async function restoreInto(databaseUrl: string, path: string) {
  const files = await mkdtemp(join(tmpdir(), 'limber-restored-'))
  const { vault, file } = vaultAround(path)
  const target = { databaseUrl, storage: diskStorage(files), clock: systemClock, keyring: makeKeyring(SECRET_KEY) }
  const restored = await restoreBackup(target, vault, file, keys, () => {})
  const there = await readdir(join(files, 'training'))
  await rm(files, { recursive: true })
  return { ...restored, there: there.toSorted() }
}

describe('a file of a backup', () => {
  it.each(damages)(
    'that is %s is found by verify and by restore, which brings all the rest',
    async (_, damage, why) => {
      const { folder, copies } = await copyBackup()
      const { vault, file } = vaultAround(join(folder, made))
      expect((await verifyBackupFile(scratch(), vault, file, keys)).lost).toEqual([])
      await damage(copies)
      const lost = [{ key: HIPS, why: expect.stringMatching(why) }]
      expect(await verifyBackupFile(scratch(), vault, file, keys)).toMatchObject({ lost })
      const target = await makeEmptyDatabase()
      expect(await restoreInto(target.url, join(folder, made))).toMatchObject({
        files: 2,
        lost,
        there: ['neck.txt', 'toes.txt'],
      })
      expect(await query(target.url, 'select from sessions where ended_at is null')).toEqual([])
      expect(await query(target.url, `select action from audit_log where action = 'backup_restored'`)).toHaveLength(1)
      await target.drop()
      await rm(folder, { recursive: true })
    },
  )
})

describe('a backup under another name', () => {
  it('is refused by verify and by restore, and the database stays empty', async () => {
    const { folder } = await copyBackup()
    const path = join(folder, 'limber-20260101T000000Z-other.backup')
    await copyFile(join(folder, made), path)
    const { vault, file } = vaultAround(path)
    await expect(verifyBackupFile(scratch(), vault, file, keys)).rejects.toThrow(`was written as ${made}`)
    const target = await makeEmptyDatabase()
    await expect(restoreInto(target.url, path)).rejects.toThrow(`was written as ${made}`)
    expect(await query(target.url, `select from pg_class where relname = 'migrations'`)).toEqual([])
    await target.drop()
    await rm(folder, { recursive: true })
  })
  it('of the first format is restored with the checks it allows', async () => {
    const { folder } = await copyBackup()
    const opened = opening(keys, made)
    opened.end(await readFile(join(folder, made)))
    const older = sealUnnamed(await buffer(opened))
    await writeFile(join(folder, made), older)
    const { vault, file } = vaultAround(join(folder, made))
    expect(await verifyBackupFile(scratch(), vault, file, keys)).toMatchObject({ isNameSealed: false, lost: [] })
    const target = await makeEmptyDatabase()
    expect(await restoreInto(target.url, join(folder, made))).toMatchObject({ isNameSealed: false, files: 3, lost: [] })
    await target.drop()
    // Its name says when it was taken, and so does its content.
    await writeFile(join(folder, 'limber-20260101T000000Z-other.backup'), older)
    await expect(verifyBackupFile(scratch(), vault, 'limber-20260101T000000Z-other.backup', keys)).rejects.toThrow(
      'it was renamed, or put in the place of another',
    )
    await rm(folder, { recursive: true })
  })
})

/** What a command prints, and the failure it ends with. */
async function run(name: 'backup verify' | 'restore', path: string) {
  let printed = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  const exitCode = process.exitCode
  try {
    const failure = await backupCommands[name]?.run({}, [path]).catch((error: Error) => error.message)
    return { printed, failure, exitCode: process.exitCode }
  } finally {
    process.exitCode = exitCode
    stdout.mockRestore()
  }
}

it('the commands list lost files and do not end as if nothing had happened', async () => {
  const { folder, copies } = await copyBackup()
  const [target, files] = [await makeEmptyDatabase(), await mkdtemp(join(tmpdir(), 'limber-restored-'))]
  vi.stubEnv('DATABASE_URL', target.url)
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('SECRET_KEY', SECRET_KEY)
  vi.stubEnv('BACKUP_KEY', BACKUP_KEY)
  vi.stubEnv('LIMBER_STORAGE', files)
  const path = join(folder, made)
  expect((await run('backup verify', path)).printed).toMatch(/ is whole: \d+ tables, [\d,]+ rows, 3 files\.\n$/)
  await rm(copies[HIPS] ?? '')
  expect(await run('backup verify', path)).toMatchObject({
    printed: `The copy of the file ${HIPS} is gone.\n`,
    failure: `${made} is not whole: 1 of its 3 files are gone or damaged.`,
  })
  const restored = await run('restore', path)
  expect(restored).toMatchObject({ failure: undefined, exitCode: 1 })
  expect(restored.printed).toMatch(/ 2 files\.\n/)
  expect(restored.printed).toContain(`The copy of the file ${HIPS} is gone.\n`)
  await target.drop()
  await rm(folder, { recursive: true })
  await rm(files, { recursive: true })
})
