// @module-tag slow
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { listBackups, readBackup, startBackup, verifyBackup } from '@limber/contract/backups/backup.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { eventually, startTestServer, TEST_NOW, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { sumTable } from './archive/snapshot.queries.ts'
import { openVault } from './archive/vault.ts'
import { findBackup } from './backup.queries.ts'
import { BACKUP_KEY, filesIn, makeBackup, query, startBackupServer } from './backups.testing.ts'
import { backupAlarm } from './public.ts'
import { scratchPrefix, sweepScratches } from './restore/scratch.queries.ts'
import { prune, syncVault } from './retention.ts'
import { runBackup } from './run-backup.ts'

// Each verification restores a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let server: TestServer & { folder: string }
let operator: TestCaller
beforeAll(async () => {
  server = await startBackupServer()
  operator = server.asSteppedUp('backups.initiate')
})
afterAll(() => server.stop())

const clear = async () => {
  await server.db.deleteFrom('backups').execute()
  const old = (await filesIn(server.folder)).filter((name) => name.endsWith('.backup'))
  await Promise.all(old.map((name) => rm(join(server.folder, name))))
}
const verifyAgain = async (id: number) => {
  const { status } = await operator.send(verifyBackup, { params: { id: String(id) }, body: {} })
  expect(status).toBe(200)
  await runBackup(server.running.services, id)
  return findBackup(server.db, id)
}
const scratches = () =>
  query(
    server.running.services.config.databaseUrl,
    `select datname from pg_database where starts_with(datname, '${scratchPrefix({ databaseUrl: server.running.services.config.databaseUrl })}')`,
  )

describe('scratch databases', () => {
  it('of killed processes are dropped, and those in use are kept', async () => {
    const { databaseUrl } = server.running.services.config
    const [left, used] = ['left', 'used'].map((name) => scratchPrefix({ databaseUrl }) + name)
    for (const name of [left, used]) await query(databaseUrl, `create database ${name} template template0`)
    const client = new pg.Client({ connectionString: Object.assign(new URL(databaseUrl), { pathname: used }).href })
    await client.connect()
    await sweepScratches({ databaseUrl })
    expect(await scratches()).toEqual([{ datname: used }])
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await eventually(async () => {
      await sweepScratches({ databaseUrl })
      return (await scratches()).length === 0
    })
  })
})

describe('sumTable', () => {
  it('counts rows with line breaks and other special characters', async () => {
    const client = new pg.Client({ connectionString: server.running.services.config.databaseUrl })
    await client.connect()
    await client.query('create temporary table odd (words text)')
    const sum = () => sumTable(client, { name: 'odd', columns: ['words'] })
    expect(await sum()).toMatchObject({ rows: 0, bytes: 0 })
    await client.query('insert into odd select unnest($1::text[])', [['a\nb\r\n', '\\', '', null, '\\n\\.', 'é\t']])
    expect(await sum()).toMatchObject({ rows: 6 })
    await client.end()
  })
})

describe('POST /api/backups', () => {
  it('makes a backup, verifies it by a restore, and lists it', async () => {
    const who = server.asOwner({ name: 'Robin Vale', isSteppedUp: true })
    const { status, body } = await who.send(startBackup, { body: {} })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { state: 'waiting', kind: 'manual', by: 'Robin Vale' },
    })
    expect(
      await server.db
        .selectFrom('outbox')
        .select(['channel', 'about'])
        .where('key', 'like', `backup-${body.id}-%`)
        .execute(),
    ).toEqual([{ channel: 'job', about: 'Make a backup' }])
    expect(
      await server.db.selectFrom('audit_log').select('worker_id').where('action', '=', 'backup_started').execute(),
    ).toEqual([{ worker_id: (await who.worker()).id }])
    const { body: waiting } = await operator.send(listBackups)
    expect(waiting).toMatchObject({ underWay: { id: body.id, state: 'waiting' } })

    const heard: string[] = []
    const stop = server.running.services.live.listen({
      workerId: 1,
      permissions: new Set(['initiate_backups']),
      send: ({ topic }) => heard.push(topic),
      end() {},
    })
    await runBackup(server.running.services, body.id)
    await eventually(async () => heard.includes('backups'))
    stop()
    const { body: list } = await operator.send(listBackups)
    const [made] = list.backups
    expect(made).toMatchObject({ id: body.id, state: 'verified', error: null, keptAs: ['daily', 'weekly', 'monthly'] })
    expect(made?.rows).toBeGreaterThan(0)
    expect(list).toMatchObject({
      underWay: null,
      place: server.folder,
      alarm: { isAlarm: false },
      pagination: { totalItems: 1 },
    })
    expect(list.keyId).toBe(made?.keyId)
    expect(await filesIn(server.folder)).toEqual([made?.file])
    expect((await readFile(join(server.folder, made?.file ?? ''))).length).toBe(made?.size)
    expect(await scratches()).toEqual([])

    const { body: detail } = await operator.send(readBackup, { params: { id: String(body.id) } })
    expect(detail.contents.find(({ name }) => name === 'workers')?.rows).toBeGreaterThan(0)
    expect(detail.contents.map(({ name }) => name)).not.toContain('backups')
  })
  it('requires a fresh passkey', async () => {
    expect(await server.as('backups.initiate').send(startBackup, { body: {} })).toMatchObject({
      status: 403,
      failure: { code: 'step_up_required' },
    })
  })
  it('rejects a second backup while one is in progress, until its process is lost', async () => {
    await clear()
    const { body: first } = await operator.send(startBackup, { body: {} })
    expect(await operator.send(startBackup, { body: {} })).toMatchObject({
      status: 409,
      failure: { code: 'under_way' },
    })
    expect(await operator.send(verifyBackup, { params: { id: String(first.id) }, body: {} })).toMatchObject({
      status: 409,
    })
    const silentFor = (ms: number) =>
      sql`update backups set state = 'copying', beat_at = clock_timestamp() - ${ms} * interval '1 millisecond'`.execute(
        server.db,
      )
    await silentFor(60_000)
    // A process whose clock is ahead does not treat it as lost.
    server.clock.advance(3 * 60_000)
    expect((await operator.send(startBackup, { body: {} })).status).toBe(409)
    server.clock.set(TEST_NOW)
    await silentFor(121_000)
    expect((await operator.send(startBackup, { body: {} })).status).toBe(200)
    expect(await findBackup(server.db, first.id)).toMatchObject({
      state: 'failed',
      error: 'The process working on it was lost.',
    })
    await clear()
  })
  it('accepts one of several concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => operator.send(startBackup, { body: {} })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    await clear()
  })
  it('reports that backups are not set up without a key', async () => {
    const bare = await startTestServer()
    const who = bare.asSteppedUp('backups.initiate')
    expect(await who.send(startBackup, { body: {} })).toMatchObject({ status: 409, failure: { code: 'not_set_up' } })
    expect((await who.send(listBackups)).body).toMatchObject({
      keyId: null,
      alarm: { isAlarm: true, text: 'Backups are not set up. Set BACKUP_KEY and restart the server.' },
    })
    await bare.stop()
  })
  it('needs the permission backups.initiate, as do all backup calls', async () => {
    const other = server.asSteppedUp('health.view', 'automation.manage', 'access.manage')
    const params = { id: '1' }
    for (const reply of [
      await other.send(listBackups),
      await other.send(readBackup, { params }),
      await other.send(startBackup, { body: {} }),
      await other.send(verifyBackup, { params, body: {} }),
    ])
      expect(reply.status).toBe(403)
    expect((await server.anonymous().send(listBackups)).status).toBe(401)
  })
  it('rejects an invalid body, id and page', async () => {
    expect((await operator.send(startBackup, { body: { path: '/etc' } as never })).status).toBe(400)
    expect((await operator.send(readBackup, { params: { id: 'x' } })).status).toBe(400)
    expect((await operator.send(readBackup, { params: { id: '999999' } })).status).toBe(404)
    expect((await operator.send(verifyBackup, { params: { id: '999999' }, body: {} })).status).toBe(404)
    expect((await operator.send(listBackups, { query: { limit: '1000' } })).status).toBe(400)
  })
})

/** A storage that fails in the middle of a file. */
const breaking = (storage: Storage, after: number, error: Error): Storage => ({
  ...storage,
  put(key, content, options) {
    let seen = 0
    const broken = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        seen += chunk.length
        if (seen > after) done(error)
        else done(null, chunk)
      },
    })
    broken.on('error', () => {})
    return storage.put(
      key,
      Buffer.isBuffer(content) ? content : content.on('error', (e) => broken.destroy(e)).pipe(broken),
      options,
    )
  },
})

describe('backup that cannot be written', () => {
  it.each([
    [
      'a full disk',
      0,
      Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
      'The backup storage is full.',
    ],
    ['a bucket that closes the connection', 100, new Error('The bucket hung up.'), 'The bucket hung up.'],
  ])('fails with the reason and leaves no partial file: %s', async (_, after, error, reason) => {
    const own = await startTestServer({ env: { BACKUP_KEY } })
    const storage = breaking(own.running.services.storage, after, error)
    expect(await makeBackup(own, { storage })).toMatchObject({ state: 'failed', error: reason, file: null })
    expect(await filesIn(own.running.services.config.storagePath)).toEqual([])
    expect((await own.asSteppedUp('backups.initiate').send(listBackups)).body).toMatchObject({
      backups: [{ state: 'failed', error: reason }],
      underWay: null,
    })
    await own.stop()
  })
  it('fails with the reason when the storage is not writable', async () => {
    const own = await startBackupServer({ BACKUP_STORAGE: '/dev/null/backups' })
    expect(await makeBackup(own)).toMatchObject({
      state: 'failed',
      file: null,
      error: 'The backup storage is not writable.',
    })
    await own.stop()
  })
})

describe('POST /api/backups/:id/verify', () => {
  it('finds one changed byte, and the alarm ignores that backup', async () => {
    await clear()
    const made = await makeBackup(server)
    const path = join(server.folder, made.file ?? '')
    const bytes = await readFile(path)
    for (const at of [0, 20, 60, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await writeFile(path, changed)
      const found = await verifyAgain(made.id)
      expect(found).toMatchObject({ state: 'unverified', verified_at: null })
      expect(found?.error).toMatch(/damaged|not a Limber backup|encrypted with the key/)
    }
    expect(await backupAlarm(server.db, server.clock.now())).toMatchObject({ newestAt: null })
    await writeFile(path, bytes)
    expect(await verifyAgain(made.id)).toMatchObject({ state: 'verified', error: null })
    expect(await scratches()).toEqual([])
    expect(
      await server.db
        .selectFrom('audit_log')
        .select('subject_id')
        .where('action', '=', 'backup_verify_started')
        .execute(),
    ).toHaveLength(6)
  })
  it('requires a fresh passkey', async () => {
    const { body } = await operator.send(listBackups)
    const params = { id: String(body.backups[0]?.id) }
    expect(await server.as('backups.initiate').send(verifyBackup, { params, body: {} })).toMatchObject({
      failure: { code: 'step_up_required' },
    })
  })
  it('reports a missing file', async () => {
    await clear()
    const made = await makeBackup(server)
    await rm(join(server.folder, made.file ?? ''))
    expect(await verifyAgain(made.id)).toMatchObject({ state: 'failed', error: 'Its file is missing from storage.' })
    expect(await operator.send(verifyBackup, { params: { id: String(made.id) }, body: {} })).toMatchObject({
      status: 409,
      failure: { code: 'no_file' },
    })
  })
})

describe('backup list', () => {
  const tidy = async () => {
    const vault = await openVault(server.running.services.config)
    await syncVault(server.db, vault)
    await prune(server.running.services, vault)
  }
  it('raises the alarm when the newest verified backup is older than 26 hours', async () => {
    await clear()
    const now = server.clock.now()
    await server.db
      .insertInto('backups')
      .values({
        kind: 'nightly',
        state: 'verified',
        worker_id: null,
        created_at: now,
        beat_at: now,
        file: 'x',
        taken_at: shift(now, -26 * HOUR),
        verified_at: now,
      })
      .execute()
    expect((await operator.send(listBackups)).body.alarm.isAlarm).toBe(false)
    server.clock.advance(1_000)
    expect((await server.as('backups.initiate').send(listBackups)).body.alarm).toEqual({
      isAlarm: true,
      newestAt: shift(now, -26 * HOUR).toISOString(),
      text: 'The newest verified backup is 26 hours old.',
    })
    server.clock.set(now)
    await clear()
  })
  it('adopts files from storage, and deletes those past their retention', async () => {
    await clear()
    const now = server.clock.now()
    const old = shift(now, -400 * DAY)
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')
    const made = await makeBackup(server)
    const bytes = await readFile(join(server.folder, made.file ?? ''))
    await writeFile(join(server.folder, `limber-${old}-abc.backup`), bytes)
    await writeFile(join(server.folder, 'notes.txt'), 'not a backup')
    await tidy()
    // Old and never verified: it is adopted and immediately deleted.
    const { body } = await operator.send(listBackups)
    expect(body.backups.map(({ file }) => file)).toEqual([made.file])
    expect((await filesIn(server.folder)).toSorted()).toEqual([made.file, 'notes.txt'].toSorted())

    const adopted = async (file: string | null) => {
      await tidy()
      const { body: again } = await operator.send(listBackups)
      const found = again.backups.find((each) => each.file === file)
      expect(found).toMatchObject({
        kind: 'adopted',
        state: 'unverified',
        error: 'Found in storage and not verified yet.',
      })
      return found?.id ?? 0
    }
    await server.db.deleteFrom('backups').execute()
    expect(await verifyAgain(await adopted(made.file))).toMatchObject({
      state: 'verified',
      key_id: made.key_id,
      rows: made.rows,
    })
    // The same content under another name is rejected.
    const recent = shift(now, -2 * DAY)
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')
    const renamed = `limber-${recent}-abc.backup`
    await writeFile(join(server.folder, renamed), bytes)
    expect(await verifyAgain(await adopted(renamed))).toMatchObject({
      state: 'unverified',
      error: expect.stringContaining('It was renamed or swapped with another file'),
    })
    await rm(join(server.folder, 'notes.txt'))
  })
  it('is paged, newest first', async () => {
    await clear()
    const now = server.clock.now()
    const rows = Array.from({ length: 13 }, (_, n) => ({
      kind: 'nightly' as const,
      state: 'verified' as const,
      worker_id: null,
      created_at: shift(now, -n * DAY),
      beat_at: now,
      taken_at: shift(now, -n * DAY),
      verified_at: now,
      file: `f${n}`,
    }))
    await server.db.insertInto('backups').values(rows).execute()
    const { body } = await operator.send(listBackups, { query: { page: '2', limit: '10' } })
    expect(body.backups.map(({ file }) => file)).toEqual(['f10', 'f11', 'f12'])
    expect(body.pagination.totalItems).toBe(13)
    await clear()
  })
})

describe('company files', () => {
  it('are copied once, encrypted, verified, and deleted with the last backup that contains them', {
    timeout: 360_000,
  }, async () => {
    await clear()
    const { storage } = server.running.services
    await storage.put('training/one.mp4', Buffer.from('a video about hips'), { type: 'video/mp4' })
    await storage.put('training/two.mp4', Buffer.from('a video about hips'), { type: 'video/mp4' })
    const first = await makeBackup(server)
    expect(first).toMatchObject({ state: 'verified', files: 2 })
    const copies = async () => (await filesIn(server.folder)).filter((name) => /^[0-9a-f]{64}$/.test(name))
    const [copy] = await copies()
    expect(await copies()).toHaveLength(1)
    const path = join(server.folder, 'files', copy?.slice(0, 2) ?? '', copy ?? '')
    const bytes = await readFile(path)
    expect(bytes.includes('hips')).toBe(false)

    await writeFile(path, Buffer.concat([bytes.subarray(0, -1), Buffer.of(0)]))
    expect(await verifyAgain(first.id)).toMatchObject({ state: 'unverified', verified_at: null })
    await rm(path)
    expect(await verifyAgain(first.id)).toMatchObject({
      error: 'The copy of the file training/one.mp4 is missing. 1 more is missing or damaged.',
    })
    // The next backup replaces the missing copy.
    expect(await makeBackup(server)).toMatchObject({ state: 'verified' })
    expect(await copies()).toHaveLength(1)

    await storage.delete('training/one.mp4')
    await storage.delete('training/two.mp4')
    await clear()
    expect(await makeBackup(server)).toMatchObject({ state: 'verified', files: 0 })
    expect(await copies()).toEqual([])
  })
})
