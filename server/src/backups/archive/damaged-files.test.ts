// @module-tag slow
import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
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
import { restoreBackup, vaultOfFile, verifyBackupFile } from '../public.ts'
import { openStream } from './sealing.ts'

// Each verification restores a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const SECRET_KEY = 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'
const contents = {
  'training/hips.txt': 'open them slowly',
  'training/neck.txt': 'turn it gently',
  'training/toes.txt': 'x',
  'training/arms.txt': 'reach up and hold',
  'training/back.txt': 'round it, then arch it',
  'training/feet.txt': 'roll them on a ball',
  'training/legs.txt': 'one after the other',
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

/** Copies the backup and its files to a folder where they can be damaged. */
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

/** One kind of damage per file, and the expected reason. */
const damages: [string, (copy: string, copies: Copies) => Promise<unknown>, RegExp][] = [
  // Missing.
  [HIPS, (copy) => rm(copy), /^is missing$/],
  // Swapped with another copy.
  [
    'training/arms.txt',
    (copy, copies) => copyFile(copies['training/neck.txt'] ?? '', copy),
    /^is damaged \(The file files\/\w\w\/\w{64} was written as files\/\w\w\/\w{64}. It was renamed/,
  ],
  // Swapped with a copy in format 1, whose name is not authenticated.
  [
    'training/back.txt',
    (copy) => writeFile(copy, sealUnnamed(zstdCompressSync('turn it gently'))),
    /^is damaged \(It contains another file\)$/,
  ],
  // Truncated.
  ['training/feet.txt', (copy) => truncate(copy, 130), /^is damaged \(The file is damaged/],
  // Changed in one bit.
  [
    'training/legs.txt',
    async (copy) => {
      const bytes = await readFile(copy)
      bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 4
      await writeFile(copy, bytes)
    },
    /^is damaged \(The file is damaged/,
  ],
]

const scratch = () => ({ databaseUrl: server.running.services.config.databaseUrl })
async function restoreInto(databaseUrl: string, path: string) {
  const files = await mkdtemp(join(tmpdir(), 'limber-restored-'))
  onTestFinished(() => rm(files, { recursive: true }))
  const { vault, file } = vaultOfFile(path)
  const target = { databaseUrl, storage: diskStorage(files), clock: systemClock, keyring: makeKeyring(SECRET_KEY) }
  const restored = await restoreBackup(target, vault, file, keys, () => {})
  const there = await readdir(join(files, 'training'))
  return { ...restored, there: there.toSorted() }
}

it('finds files that are missing, swapped, truncated or changed in one bit, and restores the rest', async () => {
  const { folder, copies } = await copyBackup()
  const { vault, file } = vaultOfFile(join(folder, made))
  for (const [key, damage] of damages) await damage(copies[key] ?? '', copies)
  const lost = damages.map(([key, , why]) => ({ key, why: expect.stringMatching(why) }))
  const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key)
  const verified = await verifyBackupFile(scratch(), vault, file, keys)
  expect(verified.lost.toSorted(byKey)).toEqual(lost.toSorted(byKey))
  const target = await makeEmptyDatabase()
  const restored = await restoreInto(target.url, join(folder, made))
  expect(restored).toMatchObject({ files: 2, there: ['neck.txt', 'toes.txt'] })
  expect(restored.lost.toSorted(byKey)).toEqual(lost.toSorted(byKey))
  expect(await query(target.url, 'select from sessions where ended_at is null')).toEqual([])
  expect(await query(target.url, `select action from audit_log where action = 'backup_restored'`)).toHaveLength(1)
  await target.drop()
  await rm(folder, { recursive: true })
})

describe('backup under another name', () => {
  it('is rejected by verify and restore, and the database stays empty', async () => {
    const { folder } = await copyBackup()
    const path = join(folder, 'limber-20260101T000000Z-other.backup')
    await copyFile(join(folder, made), path)
    const { vault, file } = vaultOfFile(path)
    await expect(verifyBackupFile(scratch(), vault, file, keys)).rejects.toThrow(`was written as ${made}`)
    const target = await makeEmptyDatabase()
    await expect(restoreInto(target.url, path)).rejects.toThrow(`was written as ${made}`)
    expect(await query(target.url, `select from pg_class where relname = 'migrations'`)).toEqual([])
    await target.drop()
    await rm(folder, { recursive: true })
  })
  it('of format 1 is restored with the checks that the format allows', async () => {
    const { folder } = await copyBackup()
    const opened = openStream(keys, made)
    opened.end(await readFile(join(folder, made)))
    const older = sealUnnamed(await buffer(opened))
    await writeFile(join(folder, made), older)
    const { vault, file } = vaultOfFile(join(folder, made))
    expect(await verifyBackupFile(scratch(), vault, file, keys)).toMatchObject({ isNameSealed: false, lost: [] })
    const target = await makeEmptyDatabase()
    expect(await restoreInto(target.url, join(folder, made))).toMatchObject({ isNameSealed: false, files: 7, lost: [] })
    await target.drop()
    // The time in the name must match the header.
    await writeFile(join(folder, 'limber-20260101T000000Z-other.backup'), older)
    await expect(verifyBackupFile(scratch(), vault, 'limber-20260101T000000Z-other.backup', keys)).rejects.toThrow(
      'It was renamed or swapped with another file',
    )
    await rm(folder, { recursive: true })
  })
})

/** Runs a command and returns its output and failure. */
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

it('the commands list lost files and exit with an error', async () => {
  const { folder, copies } = await copyBackup()
  const [target, files] = [await makeEmptyDatabase(), await mkdtemp(join(tmpdir(), 'limber-restored-'))]
  vi.stubEnv('DATABASE_URL', target.url)
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('SECRET_KEY', SECRET_KEY)
  vi.stubEnv('BACKUP_KEY', BACKUP_KEY)
  vi.stubEnv('LIMBER_STORAGE', files)
  const path = join(folder, made)
  expect((await run('backup verify', path)).printed).toMatch(/ is complete: \d+ tables, [\d,]+ rows, 7 files\.\n$/)
  await rm(copies[HIPS] ?? '')
  expect(await run('backup verify', path)).toMatchObject({
    printed: `The copy of the file ${HIPS} is missing.\n`,
    failure: `${made} is incomplete: 1 of its 7 files are missing or damaged.`,
  })
  const restored = await run('restore', path)
  expect(restored).toMatchObject({ failure: undefined, exitCode: 1 })
  expect(restored.printed).toMatch(/ 6 files\.\n/)
  expect(restored.printed).toContain(`The copy of the file ${HIPS} is missing.\n`)
  await target.drop()
  await rm(folder, { recursive: true })
  await rm(files, { recursive: true })
})
