// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { runSchedule } from '@limber/contract/automation/schedule.ts'
import { startBackup } from '@limber/contract/backups/backup.ts'
import { receiveMetaLeads } from '@limber/contract/marketing/meta/meta.ts'
import { sendNotification } from '@limber/contract/support/notifications/notification.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { BACKUP_KEY } from '#backups/backups.testing.ts'
import { create } from '#marketing/campaigns/campaign.testing.ts'
import { announce, sign, startTestGraph, type TestGraph } from '#marketing/meta/meta.testing.ts'
import { MINUTE, shift, systemClock } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { draftCustomer } from '#support/customers/customer.factory.ts'

const program = new URL('./killed-workers.testing.ts', import.meta.url)
const LEAD = '900719925474109931'
const SCHEDULE = 'tidy'

let graph: TestGraph
let server: TestServer
let second: TestServer
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

/** Each kind of background work: its row after the start, and after it completed exactly once. */
const workers: Record<string, { row: () => Promise<unknown>; begun: object; ended: object }> = {
  'an outbox message': {
    row: () =>
      server.db
        .selectFrom('outbox')
        .select(['state', 'tries', sql<boolean>`leased_until is not null`.as('leased')])
        .select(sql<number>`(select count(*)::int from mailbox where to_address = 'mail@example.com')`.as('mails'))
        .where('key', '=', 'one-mail')
        .executeTakeFirst(),
    begun: { leased: true, tries: 1, mails: 0 },
    ended: { state: 'sent', tries: 2, mails: 1 },
  },
  'a scheduled run': {
    row: () => server.db.selectFrom('schedule_runs').selectAll().where('schedule', '=', SCHEDULE).executeTakeFirst(),
    begun: { state: 'running', tries: 1 },
    ended: { state: 'done', tries: 2 },
  },
  'a backup': {
    row: () => server.db.selectFrom('backups').selectAll().executeTakeFirst(),
    begun: { state: 'copying', tries: 1 },
    ended: { state: 'verified', tries: 2 },
  },
  'a notification': {
    row: () =>
      server.db
        .selectFrom('notifications')
        .select('status')
        .select(sql<number>`(select count(*)::int from mailbox where to_address like 'p%@example.com')`.as('mails'))
        .select(sql<number>`(select count(*)::int from outbox where channel = 'mail') - 1`.as('posted'))
        .executeTakeFirst(),
    begun: { status: 'sending', posted: 3, mails: 0 },
    ended: { status: 'sent', posted: 3, mails: 3 },
  },
  'an ad lead': {
    row: () =>
      server.db
        .selectFrom('meta_leadgens')
        .select(['state', 'tries', sql<boolean>`leased_until is not null`.as('leased')])
        .select(sql<number>`(select count(*)::int from leads where leadgen_id = ${LEAD})`.as('leads'))
        .executeTakeFirst(),
    begun: { leased: true, tries: 1, leads: 0 },
    ended: { state: 'done', tries: 2, leads: 1 },
  },
  'a campaign push to Meta': {
    row: async () => ({
      ...(await server.db.selectFrom('campaign_pushes').select(['state', 'lease']).executeTakeFirst()),
      made: graph.ads.of('campaigns').length,
    }),
    begun: { lease: expect.any(String), made: 0 },
    ended: { state: 'done', lease: null, made: 1 },
  },
}

const reaches = (row: () => Promise<unknown>, goal: object) =>
  vi.waitFor(async () => expect(await row()).toMatchObject(goal), { timeout: 300_000, interval: 200 })

async function requestAll() {
  const { services, courier } = server.running
  // This process delivers nothing, so that the other one starts all work.
  await courier.close()
  await runWork(services, { call: 'test' }, async ({ enqueue }) =>
    enqueue({ channel: 'mail', key: 'one-mail', payload: { to: 'mail@example.com', subject: 'One', text: 'One' } }),
  )
  const joined_at = new Date('2026-01-01T00:00:00Z')
  const people = [1, 2, 3].map((n) =>
    draftCustomer({ email: `p${n}@example.com`, joined_at, email_verified_at: joined_at }),
  )
  await server.db.insertInto('customers').values(people).execute()
  await server.db
    .insertInto('schedules')
    .values({
      name: SCHEDULE,
      title: SCHEDULE,
      cron: '0 0 1 1 *',
      zone: 'UTC',
      next_run_at: shift(systemClock.now(), MINUTE),
      paused_by: null,
      paused_at: null,
      paused_reason: null,
    })
    .execute()
  const audience = { kind: 'all', zoneId: null, valueTier: null } as const
  const notification = { title: 'New times', body: 'Hello', audience, channel: 'mail' } as const
  const lead = announce(LEAD)
  const replies = [
    await server.as('automation.manage').send(runSchedule, { params: { name: SCHEDULE }, body: {} }),
    await server.asSteppedUp('backups.initiate').send(startBackup, { body: {} }),
    await server.asSteppedUp('notifications.send').send(sendNotification, { body: notification }),
    await server.anonymous().send(
      receiveMetaLeads,
      {},
      {
        rawBody: lead,
        headers: { origin: undefined, 'content-type': 'application/json', 'x-hub-signature-256': sign(lead) },
      },
    ),
    await create(server.as('growth.tab', 'campaigns.create')),
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
}

beforeAll(async () => {
  graph = await startTestGraph()
  closers.push(() => graph.close())
  graph.leads.set(LEAD, {
    fields: [{ name: 'email', values: ['sam@example.com'] }],
    createdTime: '2026-11-16T16:40:00+0000',
  })
  const env = { ...graph.env, ...graph.adEnv, BACKUP_KEY }
  server = await startTestServer({ now: systemClock.now().toISOString(), env })
  closers.push(() => server.stop())
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  closers.push(() => silent.close())
  await requestAll()
  const { config } = server.running.services
  const child = spawn(process.execPath, [await bundledProgram(program)], {
    env: {
      ...process.env,
      ...env,
      META_GRAPH_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      PORT: '0',
      SECRET_KEY: config.secretKey,
      LIMBER_STORAGE: config.storagePath,
      LIMBER_EMBEDDED: '1',
      LOG_LEVEL: 'silent',
    },
    stdio: 'inherit',
  })
  closers.push(() => child.kill('SIGKILL'))
  await Promise.all(Object.values(workers).map(({ row, begun }) => reaches(row, begun)))
  child.kill('SIGKILL')
  await once(child, 'exit')
  // Two minutes pass on the database's clock.
  for (const table of ['outbox', 'meta_leadgens', 'campaign_pushes'])
    await sql`update ${sql.ref(table)} set leased_until = leased_until - interval '2 minutes'`.execute(server.db)
  second = await startTestServer({
    now: shift(systemClock.now(), 3 * MINUTE).toISOString(),
    env: { ...env, LIMBER_STORAGE: config.storagePath },
    withJobs: true,
    database: { url: config.databaseUrl, drop: async () => {} },
  })
  closers.push(() => second.stop())
}, 600_000)

it.each(Object.entries(workers))(
  '%s is resumed and completed once after its process was killed',
  (_, { row, ended }) => reaches(row, ended),
  360_000,
)
