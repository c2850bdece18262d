// @module-tag slow
import { calls } from '@limber/contract/calls.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { isMutation } from '@limber/contract/kit/call.ts'
import { csvLine } from '@limber/contract/kit/csv.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Export, type ExportRoute, tableOf } from '#platform/exports/export.ts'
import type { Input } from '#platform/testing/testing.inputs.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { copySampleCompany, SEED_TIMEOUT } from '../../seed/seed-company.testing.ts'
import { allRoutes } from './app.ts'
import { addLaterRecords, typicalInputs } from './typical-inputs.testing.ts'

const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`

const inner = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return inner(schema.unwrap() as z.ZodType)
  return schema
}
const isRows = (schema: z.ZodType) => {
  const list = inner(schema)
  return list instanceof z.ZodArray && inner(list.element as z.ZodType) instanceof z.ZodObject
}
/** Whether a reply is a list of records, or has one beside its other fields. */
const hasRows = (reply: z.ZodType) =>
  isRows(reply) ||
  (reply instanceof z.ZodObject && Object.values(reply.shape).some((part) => isRows(part as z.ZodType)))

const lists = calls.filter(
  (call) =>
    !isMutation(call) && !['api-key', 'public', 'attempt'].includes(String(call.permission)) && hasRows(call.reply),
)

const record = 'One record with its related rows. Its list has the export.'
const picker = 'Options of a form.'
const figures = 'Figures of a chart. Charts export their own figures.'
const ofCustomer = 'Part of one customer, whose data export contains it.'
const computed = 'Computed for one decision. What is decided is in a list with an export.'

/** Calls that reply with rows but are not lists to take along, each with the reason. */
const withoutExport: Readonly<Record<string, string>> = {
  'GET /api/profile': 'The own account.',
  'GET /api/access/api-keys/:id/usage': figures,
  'GET /api/maintenance/schedules/:name': record,
  'GET /api/backups/:id': record,
  'GET /api/payroll/summary': figures,
  'GET /api/payroll/settings': 'Settings.',
  'GET /api/support/mailboxes': 'Settings.',
  'GET /api/support/promises': 'Settings.',
  'GET /api/payroll/earners/:id': record,
  'GET /api/payroll/earners/:id/unpaid-sessions': picker,
  'GET /api/payroll/earner-candidates': picker,
  'GET /api/payroll/entries/:id/explanation': record,
  'POST /api/payroll/audit': computed,
  'POST /api/payroll/fix-discrepancies/preview': computed,
  'POST /api/onsite/candidates': picker,
  'GET /api/onsite/unused-blocks': 'The blocks to place beside the calendar. The blocks of a business have the export.',
  'GET /api/onsite/uncovered': 'Warnings on Today. The calendar has the export.',
  'GET /api/certifications/due': 'Warnings on Today. The list of learners has the export.',
  'GET /api/onsite/soon': 'The next on-site sessions on Today. The calendar has the export.',
  'GET /api/zones/:id': record,
  'GET /api/certifications/holders': picker,
  'GET /api/stretchers/:id': record,
  'POST /api/stretchers/by-zone': picker,
  'POST /api/training/modules/list': 'The parts of a course in its editor.',
  'POST /api/training/lessons/list': 'The parts of a course in its editor.',
  'POST /api/training/assets/usage': record,
  'POST /api/training/enrolments/candidates': picker,
  'GET /api/support/users/:id': record,
  'GET /api/support/users/:id/tickets': ofCustomer,
  'GET /api/support/users/:id/rewards': ofCustomer,
  'GET /api/support/users/:id/analytics': figures,
  'GET /api/support/users/:id/notes': ofCustomer,
  'GET /api/support/users/:id/duplicates': picker,
  'GET /api/support/users/:id/messages': ofCustomer,
  'GET /api/support/users/:id/timeline': ofCustomer,
  'GET /api/support/users/:id/timeline/counts': ofCustomer,
  'GET /api/history/:kind/:id': 'One record. The audit log has the export.',
  'GET /api/support/tickets/:id': record,
  'GET /api/support/tickets/:id/files': 'Files of a reply that is not sent yet.',
  'GET /api/support/ticket-workers': picker,
  'GET /api/support/ticket-tasks': 'The open tasks of one worker, on Today.',
  'GET /api/support/ticket-queues': 'Counts of the lists that have the export.',
  'GET /api/support/ticket-tags': picker,
  'GET /api/support/tickets/:id/context': record,
  'GET /api/support/watched-tickets': 'What is new for one worker, on Today.',
  'GET /api/support/tickets/:id/macros/:reply': computed,
  'GET /api/support/assignment': 'Settings, and who is here at this moment.',
  'GET /api/support/ticket-presence': 'Who is viewing a ticket at this moment.',
  'GET /api/support/notifications/:id': record,
  'GET /api/support/notification-choices': picker,
  'GET /api/marketing/lead-workers': picker,
  'GET /api/marketing/lead-campaigns': picker,
  'GET /api/marketing/analytics': figures,
  'GET /api/marketing/funnel': figures,
  'GET /api/campaigns': 'The same campaigns as GET /api/marketing/campaigns.',
  'GET /api/marketing/zones': figures,
  'GET /api/marketing/city-summary': figures,
  'GET /api/marketing/health-overview': figures,
  'GET /api/marketing/health-trends': figures,
  'GET /api/marketing/task-assignees': picker,
  'GET /api/marketing/referrals/people/:id': record,
  'GET /api/marketing/team/campaigns': picker,
  'GET /api/marketing/partner/businesses/:id': record,
  'GET /api/imports/:id': record,
  'GET /api/imports/:id/columns': picker,
  'GET /api/import-maps': picker,
  'GET /api/tech/health': 'The state at this moment.',
  'GET /api/tech/integrations/counts': figures,
}

it('every list has an export, or a reason to have none', () => {
  const exported = new Set(calls.flatMap(({ exports }) => (exports ? [nameOf(exports.list)] : [])))
  const named = lists.map(nameOf)
  expect(named.filter((name) => !exported.has(name) && !(name in withoutExport))).toEqual([])
  expect(Object.keys(withoutExport).filter((name) => exported.has(name) || !named.includes(name))).toEqual([])
})

it('an export has the permission of its list', () => {
  for (const { exports, permission, path } of calls) if (exports) expect(permission, path).toBe(exports.list.permission)
})

let server: TestServer
let boss: TestCaller
let inputs: ReturnType<typeof typicalInputs>
let exportRoutes: ExportRoute[]
beforeAll(async () => {
  server = await startTestServer({ database: await copySampleCompany() })
  boss = server.asOwner({ isSteppedUp: true })
  await addLaterRecords(server.db, server.clock.now())
  inputs = typicalInputs(server.db, async () => (await boss.worker()).id)
  exportRoutes = allRoutes(server.db).routes.filter((route): route is ExportRoute => 'exports' in route)
}, SEED_TIMEOUT)
afterAll(() => server.stop())

/** All rows of a list, page by page, as a screen reads them. */
async function walk({ call: { exports }, rowsOf, next, cursor }: Export, input: Input) {
  const { list } = exports
  const part = list.method === 'GET' ? 'query' : 'body'
  const schema = inner((list[part] ?? z.object({})) as z.ZodType)
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const rows: object[] = []
  const seen = new Set<string>()
  let mark: string | number | null | undefined
  for (let page = 1; page < 500; page++) {
    const number = (value: number) => (part === 'query' ? String(value) : value)
    const paging = {
      ...(names.includes('limit') && { limit: number(100) }),
      ...(names.includes('page') && { page: number(page) }),
      ...(mark && { [cursor]: String(mark) }),
    }
    const asked = names.length > 0 ? { ...input, [part]: { ...input[part], ...paging } } : input
    const reply = await boss.send(list, asked as never)
    expect(reply.status, reply.text).toBe(200)
    const found = rowsOf(reply.body)
    const print = JSON.stringify(found)
    if (found.length === 0 || seen.has(print)) break
    seen.add(print)
    rows.push(...found)
    mark = next?.(reply.body)
    if (next ? !mark : !names.includes('page')) break
  }
  return rows
}

const exportCalls = calls.filter((call): call is typeof call & { exports: object } => call.exports !== undefined)

/** The screen shows only the latest entries. Times of these move while the test runs. */
const moving = ['businesses/:id/ledger', 'access/workers', 'access/audit', 'marketing/team/export', 'tech/']

/** Filters of long lists, so that walking their pages takes seconds. */
const narrower: Readonly<Record<string, object>> = {
  // Calls of this test are events too, but no searches.
  'GET /api/analytics/events': { timeframeEvents: 'day', actionTypeFilter: 'search' },
  'GET /api/payroll/details': { type: 'bonus' },
  'GET /api/payroll/transactions': { status: 'pending' },
  'GET /api/payroll/wage-statements': { year: '2026' },
  'POST /api/businesses/emails/list': { search: '77' },
}

describe('the export of', () => {
  it.each(exportCalls.map((call) => [call.exports.list.path, call] as const))(
    '%s equals the pages of the list',
    async (_path, call) => {
      const route = exportRoutes.find((one) => one.call === call)
      if (!route) throw new Error(`${call.path} is not served as an export`)
      const { list } = call.exports
      const typical = (await inputs[nameOf(list)]?.()) ?? {}
      const part = list.method === 'GET' ? 'query' : 'body'
      const input = { ...typical, [part]: { ...typical[part], ...narrower[nameOf(list)] } }
      const filters = { ...(input.query as object), ...(list.method === 'POST' && input.body) } as Record<
        string,
        unknown
      >
      for (const name of ['page', 'limit', 'before']) delete filters[name]
      const asked = {
        ...(input.params && { params: input.params }),
        ...(Object.keys(filters).length > 0 && { query: filters }),
      }
      const reply = await boss.send(call, asked as never)
      expect(reply.status, reply.text.slice(0, 500)).toBe(200)
      expect(reply.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"$/,
      )
      const rows = await walk(route.exports, input)
      const { headers, cells } = tableOf<object>(route.exports.columns)
      expect(new Set(headers).size).toBe(headers.length)
      const expected = rows.map((row) => csvLine(cells(row)))
      // The client drops the byte order mark.
      const head = csvLine(headers)
      expect(reply.text.startsWith(head)).toBe(true)
      if (moving.some((part) => call.path.includes(part))) return
      // Long lists are exported in the order of a key that does not change meanwhile.
      const sorted = (text: string) => text.split('\r\n').toSorted()
      expect(sorted(reply.text.slice(head.length))).toEqual(sorted(expected.join('')))
    },
    120_000,
  )

  it('a filtered list contains only what the filter shows', async () => {
    const all = calls.find(({ path }) => path === '/api/support/tickets/export')
    if (!all) throw new Error('missing')
    const open = await boss.send(all, { query: { status: 'open' } } as never)
    expect(open.text).toMatch(/\n\d+,open,/)
    expect(open.text).not.toMatch(/\n\d+,closed,/)
  })

  it('leaves an audit row with the filter and the number of rows, without typed text', async () => {
    const users = calls.find(({ path }) => path === '/api/support/users/export')
    if (!users) throw new Error('missing')
    const reply = await boss.send(users, { query: { search: 'maria', status: 'active' } } as never)
    const count = reply.text.trim().split('\r\n').length - 1
    const row = await server.db
      .selectFrom('audit_log')
      .select(['action', 'subject', 'subject_id', 'after', 'call', 'worker_id'])
      .where('call', '=', 'GET /api/support/users/export')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      action: 'exported',
      subject: 'export',
      subject_id: 'customers',
      call: 'GET /api/support/users/export',
      worker_id: (await boss.worker()).id,
      after: { filter: { search: '•••', status: 'active' }, rows: count, isComplete: true },
    })
  })

  it('is closed without the permission of its list', async () => {
    const other = server.as('analytics.view')
    for (const call of exportCalls) {
      if (call.permission === 'analytics.view') continue
      const params = { id: '1', figure: 'users' }
      expect((await other.send(call, { params } as never)).status, call.path).toBe(403)
    }
  })
})
