import { AsyncLocalStorage } from 'node:async_hooks'
import { calls } from '@limber/contract/calls.ts'
import { type CallDefinition, isMutation } from '@limber/contract/kit/call.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeSchedule } from '#automation/schedule.factory.ts'
import { type Db, openDb, openPool } from '#platform/db.ts'
import type { Route } from '#platform/routes.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing.ts'
import { copyStory, STORY_TIMEOUT } from '../seed/story.testing.ts'
import { allRoutes } from './app.ts'

/** Five with the look-up of the session, which comes before every call; two more for one record with all that hangs on it. */
const MOST_OF_A_LIST = 4
const MOST_OF_A_RECORD = 6

const statements = new AsyncLocalStorage<string[]>()
let latest: string[] = []

/** A route that notes its statements, and only those: what else the server does meanwhile is not its doing. */
const watched = (route: Route): Route => ({
  ...route,
  handle: async (context) => {
    const own: string[] = []
    try {
      return await statements.run(own, () => route.handle(context))
    } finally {
      latest = own
    }
  },
})

let server: TestServer
let boss: TestCaller
let database: Awaited<ReturnType<typeof copyStory>>
beforeAll(async () => {
  const { query } = pg.Client.prototype as unknown as { query: (...all: unknown[]) => unknown }
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...all: unknown[]) {
    const [first] = all as [{ text?: string } | string]
    statements.getStore()?.push(typeof first === 'string' ? first : (first.text ?? ''))
    return query.apply(this, all)
  } as never)
  // Building the routes opens no connection.
  const routes = allRoutes(openDb(openPool('postgres://localhost/none'))).routes.map(watched)
  database = await copyStory()
  server = await startTestServer({ database, routes })
  boss = server.asOwner({ isSteppedUp: true })
  await addWhatComesLater(server.db)
}, STORY_TIMEOUT)
afterAll(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

/** The value that stands most often in a column: of a business, the one with the most blocks. */
async function fullest(table: string, column: string): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null
    group by 1 order by count(*) desc, 1 limit 1`.execute(server.db)
  if (!rows[0]) throw new Error(`The sample company has no ${table}`)
  return rows[0].value
}

/** What the sample company has only once it runs. */
async function addWhatComesLater(db: Db) {
  const at = server.clock.now()
  await makeSchedule(db, { name: 'nightly', nextRunAt: at })
  await db
    .insertInto('backups')
    .values({
      kind: 'nightly',
      state: 'verified',
      worker_id: null,
      created_at: at,
      beat_at: at,
      taken_at: at,
      file: 'f',
    })
    .execute()
  await sql`insert into training_assets (name, type, filename, mime_type, quality, original_size, final_size, created_at)
    values (repeat('q', 26) || '.mp4', 'video', 'x', 'video/mp4', 'high', 1, 1, now())`.execute(db)
}

type Input = { params?: object; query?: object; body?: object }
const byId =
  (table: string, column = 'id') =>
  async (): Promise<Input> => ({
    params: { id: String(await fullest(table, column)) },
  })
const withBody =
  (name: string, table: string, column: string, more: object = {}) =>
  async (): Promise<Input> => ({
    body: { [name]: await fullest(table, column), ...more },
  })
const ofCourse = async (): Promise<Input> => {
  const id = await fullest('training_lessons', 'course_id')
  const { rows } = await sql<{ key: string }>`select course_key as key from training_courses where id = ${id}`.execute(
    server.db,
  )
  return { body: { course_key: rows[0]?.key } }
}
const referred = async (): Promise<Input> => {
  const { rows } = await sql<{ id: number }>`
    select id from customers where referred_by_customer_id is not null order by id limit 1`.execute(server.db)
  return { params: { id: String(rows[0]?.id) } }
}
const ofUser = byId('tickets', 'customer_id')

/** What calls need beside a page and its length. */
const inputs: Record<string, () => Promise<Input>> = {
  'GET /api/access/audit/entries/:id': byId('audit_log'),
  'GET /api/access/workers/:id': byId('sessions', 'worker_id'),
  'GET /api/analytics/events/:id': async () => ({ params: { id: await fullest('events', 'id') } }),
  'GET /api/maintenance/schedules/:name': async () => ({ params: { name: await fullest('schedules', 'name') } }),
  'GET /api/backups/:id': byId('backups'),
  'GET /api/payroll/details/:id': byId('payroll_entries'),
  'GET /api/payroll/entries/:id/explanation': byId('payroll_entries'),
  'GET /api/payroll/earners/:id': byId('payroll_entries', 'earner_id'),
  'GET /api/payroll/earners/:id/unpaid-sessions': byId('payroll_entries', 'earner_id'),
  'GET /api/businesses/:id': byId('prepaid_blocks', 'business_id'),
  'POST /api/businesses/blocks/list': withBody('business_id', 'prepaid_blocks', 'business_id'),
  'GET /api/businesses/:id/ledger': byId('block_entries', 'business_id'),
  'POST /api/businesses/emails/list': withBody('business_id', 'business_emails', 'business_id'),
  'POST /api/businesses/emails/check': withBody('business_id', 'business_emails', 'business_id', {
    list: 'a@b.example',
  }),
  'POST /api/onsite/candidates': withBody('prepaid_block_id', 'onsite_sessions', 'block_id', {
    starts_at: '2026-12-01T17:00:00Z',
  }),
  'GET /api/onsite/sessions': async () => ({ query: { from: '2026-11-02', to: '2026-12-13' } }),
  'GET /api/onsite/sessions/:id': byId('onsite_participants', 'session_id'),
  'GET /api/zones/:id': byId('customers', 'zone_id'),
  'GET /certifications/:id': byId('certifications'),
  'GET /api/certifications/holders': async () => ({ query: { search: 'a' } }),
  'GET /api/stretchers/:id': byId('onsite_sessions', 'stretcher_id'),
  'POST /api/stretchers/by-zone': withBody('zone_id', 'stretchers', 'zone_id'),
  'POST /api/training/courses/get': ofCourse,
  'POST /api/training/courses/readiness': ofCourse,
  'POST /api/training/courses/analytics': ofCourse,
  'POST /api/training/modules/list': ofCourse,
  'POST /api/training/lessons/list': ofCourse,
  'POST /api/training/enrolments/list': ofCourse,
  'POST /api/training/enrolments/candidates': async () => ({ body: { ...(await ofCourse()).body, search: 'a' } }),
  'POST /api/training/lessons/get': withBody('lesson_id', 'training_lessons', 'id'),
  'POST /api/training/assets/usage': withBody('asset_id', 'training_assets', 'id'),
  'GET /api/support/users/:id': ofUser,
  'GET /api/support/users/:id/tickets': ofUser,
  'GET /api/support/users/:id/rewards': byId('credit_entries', 'customer_id'),
  'GET /api/support/users/:id/transactions': byId('customer_transactions', 'customer_id'),
  'GET /api/support/users/:id/bookings': byId('bookings', 'customer_id'),
  'GET /api/support/users/:id/analytics': byId('bookings', 'customer_id'),
  'GET /api/support/users/:id/notes': byId('customer_notes', 'customer_id'),
  'GET /api/support/users/:id/contact': ofUser,
  'GET /api/support/users/:id/duplicates': ofUser,
  'GET /api/support/users/:id/messages': ofUser,
  'GET /api/support/tickets/:id': byId('ticket_messages', 'ticket_id'),
  'GET /api/support/kb-suggestion/:id': byId('kb_suggestion_reviews', 'suggestion_id'),
  'GET /api/support/notifications/:id': byId('notifications'),
  'POST /api/support/notifications/preview': async () => ({
    body: { title: 'Hello', body: 'A word', audience: { kind: 'all' }, channel: 'mail' },
  }),
  'POST /api/marketing/lead': withBody('leadId', 'lead_steps', 'lead_id'),
  'GET /api/campaigns/:id': byId('leads', 'campaign_id'),
  'GET /api/marketing/figures/:figure': async () => ({ params: { figure: 'users' } }),
  'GET /api/marketing/city-summary': async () => ({ query: { zoneId: String(await fullest('customers', 'zone_id')) } }),
  'GET /api/marketing/referrals/people/:id': referred,
  'GET /api/marketing/partner/businesses/:id': byId('onsite_sessions', 'business_id'),
  'GET /api/tech/errors/:id': byId('event_failures', 'group_id'),
  'GET /api/tech/errors/:id/occurrences': byId('event_failures', 'group_id'),
  'GET /api/tech/deliveries/:id': byId('outbox'),
  'GET /api/tech/inbound/:id': byId('inbound_events'),
}

/** They work rather than read: each has tests of its own. */
const works = [
  'POST /api/payroll/audit',
  'POST /api/payroll/fix-discrepancies/preview',
  'POST /api/payroll/check-discrepancies',
  'POST /api/access/audit/verify',
]

/** One record with all that hangs on it. */
const records = [
  'GET /api/profile',
  'GET /api/access/workers/:id',
  'GET /api/payroll/entries/:id/explanation',
  'POST /api/training/courses/readiness',
  'POST /api/training/courses/analytics',
]

const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`
const reads = calls.filter(
  (call) =>
    !isMutation(call) &&
    call.permission !== 'public' &&
    call.permission !== 'attempt' &&
    call.replyType !== 'stream' &&
    !works.includes(nameOf(call)),
)
const partOf = (schema: z.ZodType | undefined) =>
  schema ? Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}) : []

/** The same call for a short page and for a long one. */
function lengthsOf(call: CallDefinition, input: Input): Input[] {
  if (partOf(call.query).includes('limit'))
    return ['1', '100'].map((limit) => ({ ...input, query: { ...input.query, limit } }))
  if (partOf(call.body).includes('limit'))
    return [1, 100].map((limit) => ({ ...input, body: { ...input.body, limit } }))
  return [input]
}

describe('every call that reads', () => {
  it.each(reads.map((call) => [nameOf(call), call] as const))(
    '%s takes few statements, however long its reply',
    async (name, call) => {
      const input = (await inputs[name]?.()) ?? {}
      // Figures that are kept for all are made by the first who asks.
      await boss.send(call, input as never)
      const counts = new Set<number>()
      for (const sized of lengthsOf(call, input)) {
        const reply = await boss.send(call, sized as never)
        expect(reply.status, `${reply.text} What the call needs is named in inputs above.`).toBe(200)
        const most = records.includes(name) ? MOST_OF_A_RECORD : MOST_OF_A_LIST
        expect(latest.length, latest.join('\n---\n')).toBeLessThanOrEqual(most)
        counts.add(latest.length)
      }
      expect([...counts]).toHaveLength(1)
    },
  )
})
