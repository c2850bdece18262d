// @module-tag slow
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listBackups } from '@limber/contract/backups/backup.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findProblems } from '#cli/doctor.ts'
import { extendAuditChain, verifyAuditChain } from '#platform/audit/audit-chain.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { writeAuditRow } from '#platform/db/work.ts'
import { makeKeyring, randomToken } from '#platform/security/secrets.ts'
import { diskStorage } from '#platform/storage/storage-disk.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { eventually, type TestServer } from '#platform/testing/testing.ts'
import { startServer } from '#serve.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeBackupKeys } from '../archive/backup-keys.ts'
import { vaultOfFile } from '../archive/vault.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { BACKUP_KEY, keys, makeBackup, makeEmptyDatabase, query, startBackupServer } from '../backups.testing.ts'
import { restoreBackup } from './restore-backup.ts'

// Each verification restores a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

let server: TestServer & { folder: string }
let files: string
const keyring = makeKeyring('test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz')

beforeAll(async () => {
  server = await startBackupServer()
  files = await mkdtemp(join(tmpdir(), 'limber-restored-'))
})
afterAll(async () => {
  await server.stop()
  await rm(files, { recursive: true })
})

const restoreInto = (databaseUrl: string, file: string, ring = keys) => {
  const { vault, file: name } = vaultOfFile(join(server.folder, file))
  const target = { databaseUrl, storage: diskStorage(files), clock: systemClock, keyring }
  return restoreBackup(target, vault, name, ring, () => {})
}

/** Lists everything in a schema as text. */
const SCHEMA = `
  select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as part
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
  union all select 'trigger ' || pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text from pg_trigger join pg_class c on c.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace
  union all select 'grants ' || relname || ' ' || coalesce(relacl::text, '') from pg_class where relnamespace = 'public'::regnamespace
  union all select 'column ' || attrelid::regclass || ' ' || attname || ' ' || atttypid::regtype || attnotnull || attidentity::text || attgenerated::text || coalesce(attacl::text, '')
      || attstorage::text from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0
  union all select 'partition ' || relname || ' ' || pg_get_expr(relpartbound, oid) from pg_class where relispartition and relnamespace = 'public'::regnamespace
  union all select 'function ' || pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f' and proname <> 'audit_tx_offset'
  order by 1`
const schemaOf = async (url: string) => (await query<{ part: string }>(url, SCHEMA)).map(({ part }) => part)

describe('restored backup', () => {
  it('is a consistent snapshot despite concurrent writes, with constraints, triggers and grants', async () => {
    const { db, running } = server
    const { databaseUrl } = running.services.config
    const people = await Promise.all([1, 2, 3].map(() => makeCustomer(db)))
    await query(databaseUrl, `select ensure_event_partition('2026-11-15'), ensure_event_partition('2026-11-16')`)
    const worker = await server.signIn(['backups.initiate'])
    // Rows of all sizes: hashes depend on their order.
    await query(
      databaseUrl,
      `insert into mailbox (to_address, subject, text, created_at) select 'a@example.com', 's', repeat('ä\\\\n\\t' || n, 1 + (n * 7919) % 1500), now() from generate_series(1, 400) n`,
    )
    await query(
      databaseUrl,
      `insert into outbox (channel, key, payload, next_try_at, created_at) values ('mail', 'm1', '\\x00', now(), now()), ('job', 'j1', '\\x00', now(), now())`,
    )
    // Simulates a server with much higher transaction ids.
    await query(
      databaseUrl,
      `insert into audit_log (tx, at, call, action, outcome) values ('9000000000', now(), 'x', 'far ahead', 'done')`,
    )
    let [isDone, writes] = [false, 0]
    const writers = people.map(async (person) => {
      while (!isDone) {
        await query(
          databaseUrl,
          `begin;
           insert into credit_entries (customer_id, delta, kind, worker_id, reason, created_at) values (${person.id}, 1, 'grant', ${worker.id}, 'more', now());
           insert into events (id, created_at, source, action_type, event_outcome, method, url, path, response_status, response_time)
             values (gen_random_uuid(), '2026-11-15 12:00Z', 'customer', 'search', 'success', 'GET', '/x', '/x', 200, 1.1);
           insert into event_deltas (body) values ('one');
           commit`,
        )
        writes++
        // Many writes during the backup suffice; a restore then loads each of them.
        await sleep(20)
      }
    })
    await eventually(async () => writes > 10)
    const made = await makeBackup(server)
    isDone = true
    await Promise.all(writers)
    expect(made).toMatchObject({ state: 'verified', error: null })

    const target = await makeEmptyDatabase()
    const restored = await restoreInto(target.url, made.file ?? '')
    expect(restored).toMatchObject({ applied: [], held: 1, hasOtherSecret: false, rows: made.rows })
    expect(restored.ended).toBeGreaterThan(0)
    expect(await schemaOf(target.url)).toEqual(await schemaOf(databaseUrl))
    const counts = await query<{ n: number; isWhole: boolean }>(
      target.url,
      `select (select count(*)::int from events) as n, (select count(*) from events) = (select count(*) from event_deltas)
         and not exists (select from customers c where credits <> (select coalesce(sum(delta), 0) from credit_entries where customer_id = c.id)) as "isWhole"`,
    )
    expect(counts).toMatchObject([{ isWhole: true }])
    expect(counts[0]?.n).toBeGreaterThan(10)
    expect(counts[0]?.n).toBeLessThan(writes)
    expect(
      await query(target.url, `select channel, state from outbox where key in ('m1', 'j1') order by channel`),
    ).toEqual([
      { channel: 'job', state: 'waiting' },
      { channel: 'mail', state: 'dead' },
    ])
    await expect(query(target.url, 'delete from audit_log')).rejects.toThrow('append-only')
    // Sequences continue after the restore.
    const [next] = await query<{ id: string }>(
      target.url,
      `insert into mailbox (to_address, subject, text, created_at) values ('b@example.com', '', '', now()) returning id`,
    )
    expect(Number(next?.id)).toBe(401)

    await startAndLook(target.url, worker.token)
    await target.drop()
  })

  async function startAndLook(url: string, oldSession: string) {
    const config = readConfig({
      DATABASE_URL: url,
      PUBLIC_URL: 'http://localhost:3000',
      PORT: '0',
      SECRET_KEY: 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz',
      BACKUP_KEY,
      LIMBER_EMBEDDED: '1',
      LIMBER_STORAGE: files,
      LOG_LEVEL: 'silent',
    })
    const product = await startServer(config, { log: silentLog })
    try {
      const reply = await fetch(`${product.url}/api/backups`, { headers: { cookie: `sid=${oldSession}` } })
      expect(reply.status).toBe(401)
      const { services } = product
      await writeAuditRow(services, { call: 'test' }, { action: 'after the restore' })
      const verdict = await eventually(async () => {
        await extendAuditChain(services.db)
        const found = await verifyAuditChain(services.db)
        return (!found.isWhole || found.waiting === 0) && found
        // Rows are chained once every older transaction of the cluster has ended, including those of other tests.
      }, 90_000)
      expect(verdict).toMatchObject({ isWhole: true, waiting: 0 })
      const problems = (await findProblems(config)).filter(({ problem }) => problem)
      expect(problems).toEqual([])
    } finally {
      await product.close()
    }
  }

  it('includes the files of the company', async () => {
    const { storage } = server.running.services
    await storage.put('training/hips.txt', Buffer.from('open them slowly'), { type: 'text/plain' })
    const made = await makeBackup(server)
    const target = await makeEmptyDatabase()
    expect(await restoreInto(target.url, made.file ?? '')).toMatchObject({ files: 1 })
    expect(await diskStorage(files).size('training/hips.txt')).toBe(16)
    await target.drop()
  })
})

describe('restore', () => {
  const head = async () => ({
    takenAt: '2026-11-16T17:00:00.000Z',
    product: '9.9.9',
    postgres: '18',
    isSample: false,
    secretKeyId: 'another',
    migrations: (await readMigrations()).map(({ name, checksum }) => ({ name, checksum })),
  })
  const none = { tables: [], files: [], rows: async function* () {}, sequences: async () => [] }
  const write = async (name: string, migrations: { name: string; checksum: string }[]) => {
    const { vault, file } = vaultOfFile(join(server.folder, name))
    await writeArchive(vault, file, keys, { ...none, head: { ...(await head()), migrations } })
  }

  it('rejects a database that is not empty, and does not change it', async () => {
    const target = await makeEmptyDatabase()
    await query(target.url, 'create table notes (words text)')
    await write('complete.backup', (await head()).migrations)
    await expect(restoreInto(target.url, 'complete.backup')).rejects.toThrow('The database is not empty (1 tables')
    expect(await query(target.url, `select relname from pg_class where relname in ('migrations', 'workers')`)).toEqual(
      [],
    )
    await target.drop()
  })
  it('rejects a wrong key, and leaves the database empty', async () => {
    const target = await makeEmptyDatabase()
    const other = makeBackupKeys('another key 0123456789 abcdefghijklmnopqrst')
    await expect(restoreInto(target.url, 'complete.backup', other)).rejects.toThrow(
      `encrypted with the key ${keys.keyId}`,
    )
    expect(await query(target.url, `select from pg_class where relname = 'migrations'`)).toEqual([])
    await target.drop()
  })
  it('rejects a backup of an unknown version, and names it', async () => {
    const target = await makeEmptyDatabase()
    const known = (await head()).migrations
    await write('later.backup', [...known, { name: '9999_later', checksum: 'x' }])
    await expect(restoreInto(target.url, 'later.backup')).rejects.toThrow(
      'This backup was made by another version of Limber (9.9.9): its migration 9999_later is unknown here.',
    )
    await write(
      'changed.backup',
      known.map((each) => ({ ...each, checksum: 'x' })),
    )
    await expect(restoreInto(target.url, 'changed.backup')).rejects.toThrow('0001_platform is different here')
    expect(await query(target.url, `select from pg_class where relname = 'migrations'`)).toEqual([])
    await target.drop()
  })
  it('migrates a backup of an earlier version', async () => {
    const target = await makeEmptyDatabase()
    const known = (await head()).migrations
    await write('earlier.backup', known.slice(0, -2))
    expect(await restoreInto(target.url, 'earlier.backup')).toMatchObject({
      applied: known.slice(-2).map(({ name }) => name),
      hasOtherSecret: true,
    })
    expect((await migrate(target.url, silentLog)).applied).toEqual([])
    await target.drop()
  })
  it.each([
    ['rows', { rows: 2 }, 'The table installation has 1 rows after the restore instead of 2.'],
    ['content', { sha256: '00' }, 'The rows of the table installation differ after the restore.'],
  ])('rolls back when the result differs from the backup: %s', async (_, wrong, words) => {
    const target = await makeEmptyDatabase()
    const row = Buffer.from('words\t"one"\t2026-11-16 17:00:00+00\n')
    const sha256 = createHash('sha256').update(row).digest('hex')
    const { vault, file } = vaultOfFile(join(server.folder, 'differing.backup'))
    const sum = { name: 'installation', rows: 1, bytes: row.length, sha256 }
    await writeArchive(vault, file, keys, {
      ...none,
      head: await head(),
      tables: [{ name: 'installation', columns: ['key', 'value', 'changed_at'], partition: null }],
      rows: async function* (_table, ended) {
        yield row
        ended({ ...sum, ...wrong })
      },
    })
    await expect(restoreInto(target.url, 'differing.backup')).rejects.toThrow(words)
    expect(await query(target.url, `select from pg_class where relname = 'migrations'`)).toEqual([])
    await target.drop()
  })
  it('needs the owner of the database, not a superuser', async () => {
    const target = await makeEmptyDatabase()
    const role = `restorer_${randomToken(4).replace(/\W/g, '').toLowerCase()}`
    const admin = process.env.LIMBER_TEST_DATABASE ?? ''
    const owned = new URL(target.url)
    await query(admin, `create role ${role} login password 'restorer'`)
    await query(admin, `alter database ${owned.pathname.slice(1)} owner to ${role}`)
    Object.assign(owned, { username: role, password: 'restorer' })
    const [made] = (await server.as('backups.initiate').send(listBackups)).body.backups
    expect(await restoreInto(owned.href, made?.file ?? '')).toMatchObject({ rows: made?.rows, applied: [] })
    await expect(query(owned.href, 'delete from payroll_entries')).rejects.toThrow('permission denied')
    await target.drop()
    await query(admin, `drop role ${role}`)
  })
  it('is not available over HTTP, and neither is a download', async () => {
    const operator = server.asSteppedUp('backups.initiate')
    const { body } = await operator.send(listBackups)
    const token = await server.signIn(['backups.initiate'], { isSteppedUp: true })
    for (const path of [
      `/api/backups/${body.backups[0]?.id}/restore`,
      `/api/backups/${body.backups[0]?.id}/download`,
      `/api/backups/${body.backups[0]?.file}`,
    ]) {
      for (const method of ['GET', 'POST']) {
        const reply = await fetch(server.url + path, {
          method,
          headers: {
            cookie: `sid=${token.token}`,
            origin: 'http://localhost:3000',
            'x-csrf-token': token.csrf,
            'content-type': 'application/json',
          },
          ...(method === 'POST' && { body: '{}' }),
        })
        expect([400, 404]).toContain(reply.status)
      }
    }
  })
})
