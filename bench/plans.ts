import { tmpdir } from 'node:os'
import pg from 'pg'
import { calls } from '../contract/src/calls.ts'
import { type CallDefinition, isMutation } from '../contract/src/kit/call.ts'
import { seedCompany } from '../seed/seed-company.ts'
import { makeApiKey } from '../server/src/access/api-keys/api-key.factory.ts'
import { rebuildRollups } from '../server/src/analytics/public.ts'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { refreshFigures } from '../server/src/growth/public.ts'
import { fixedClock } from '../server/src/platform/clock.ts'
import { openDb } from '../server/src/platform/db/db.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { openPool } from '../server/src/platform/db/pool.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'
import type { Input } from '../server/src/platform/testing/testing.inputs.ts'
import {
  explainStatements,
  type RequestCost,
  type StatementCost,
  watchPlans,
  widestScan,
} from '../server/src/platform/testing/testing.plans.ts'
import { startTestServer, TEST_NOW } from '../server/src/platform/testing/testing.ts'
import { addLaterRecords, typicalInputs } from '../server/src/typical-inputs.testing.ts'
import { growCompany, isLarge } from './plans-data.ts'
import type { Result } from './result.ts'

const SMALL = Number(process.env.BENCH_SMALL ?? 10_000)
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000)
/** How much the pages that a call reads may grow when every table grows a hundredfold. */
const MAX_GROWTH = 3
/** Pages that any call may read: one megabyte. */
const FREE_BUFFERS = 128
/** Rows that a write may read without changing them. */
const MAX_ROWS_READ = 100

const print = (line: string) => process.stderr.write(`${line}\n`)
const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`

const FIGURES = 'figures over a selected range, computed from its rows'
const AUDIENCE = 'counts the recipients'

/** Calls that may cost more in a larger company, and why. */
const exceptions: Record<string, string> = {
  'GET /api/marketing/analytics': FIGURES,
  'GET /api/marketing/funnel': FIGURES,
  'GET /api/marketing/summary': FIGURES,
  'GET /api/marketing/leaderboard': FIGURES,
  'GET /api/marketing/team': FIGURES,
  'GET /api/marketing/figures/:figure': FIGURES,
  'GET /api/marketing/health-trends': FIGURES,
  'GET /api/campaigns/:id': FIGURES,
  'PATCH /api/campaigns/:id': `returns the campaign with its ${FIGURES}`,
  'POST /api/training/courses/analytics': FIGURES,
  'GET /api/training/figures/:figure': FIGURES,
  'GET /api/payroll/figures/:figure': FIGURES,
  'GET /api/certifications/due': 'reads who completed the courses of a certification',
  'POST /api/support/notifications/preview': AUDIENCE,
  'POST /api/support/notifications': AUDIENCE,
  'POST /api/support/users/:id/export': 'an export',
  'POST /api/support/tickets/:id/merge': 'reads the threads of both tickets',
  'POST /api/training/enrolments/list': 'sorts the learners of one course by name',
  'GET /certifications': 'sorts a few thousand certificates by the name of the holder',
  'PATCH /api/marketing/partner/businesses/:id': 'returns the first hundred addresses of its list',
  'POST /api/marketing/partner/businesses/:id/notes': 'returns the first hundred addresses of its list',
  'PUT /certifications/types/:id': 'returns the number of its certifications, a few thousand',
  'GET /api/payroll/wage-statements/:earner': 'computes the year of one earner',
  'GET /api/support/users/:id/bookings': 'all bookings of one customer, and the large company has a busier one',
  'GET /api/v1/certifications': 'a full page, where the small company has fewer certifications than fit',
  'GET /api/tech/integrations/counts': 'counts up to 10,000 of each state',
  'POST /api/tech/deliveries/retry-dead': 'retries every failed delivery',
  'GET /api/support/users/:id/duplicates': 'compares up to a hundred people with the same phone or name',
  'POST /api/tech/health/check': 'checks every queue and the size of every table',
  'POST /api/tech/errors/:id/handle': 'returns the group with the number of affected people, up to 1,000',
  'POST /api/tech/errors/:id/reopen': 'returns the group with the number of affected people, up to 1,000',
}

/** These recompute everything, in a job or on request. Each has its own benchmark or test. */
const recomputations = [
  'POST /api/payroll/audit',
  'POST /api/payroll/fix-discrepancies/preview',
  'POST /api/payroll/check-discrepancies',
  'POST /api/access/audit/verify',
]

/** Not called here, because they need a device, a file or an outside service. */
const uncalled = calls.filter(
  (call) =>
    recomputations.includes(nameOf(call)) ||
    call.path === '/api/policy-reports' ||
    call.path === '/.well-known/jwks/:keyId' ||
    call.permission === 'attempt' ||
    call.replyType === 'stream' ||
    call.bodyType === 'multipart' ||
    call.bodyType === 'form' ||
    call.bodyType === 'bytes',
)

const env = {
  // Replies are not measured.
  LIMBER_CHECK_REPLIES: '',
}

interface CallCost {
  status: number
  text: string
  cost: RequestCost
}

/** Makes every call once. Reads are made twice, because the first may have to compute figures. */
async function callAll(url: string): Promise<Map<string, CallCost>> {
  await explainStatements(url)
  const plans = watchPlans()
  const server = await startTestServer({ database: { url, drop: async () => {} }, env })
  const owner = server.asOwner({ isSteppedUp: true })
  const program = { authorization: `Bearer ${(await makeApiKey(server.db)).token}` }
  await addLaterRecords(server.db, server.clock.now())
  const inputs = typicalInputs(server.db, async () => (await owner.worker()).id)
  const found = new Map<string, CallCost>()
  const selected = calls.filter(
    (call) => !uncalled.includes(call) && (isMutation(call) ? nameOf(call) in inputs : true),
  )
  try {
    for (const call of selected.toSorted((a, b) => Number(isMutation(a)) - Number(isMutation(b)))) {
      const name = nameOf(call)
      let input: Input
      try {
        input = (await inputs[name]?.()) ?? {}
      } catch (error) {
        found.set(name, {
          status: 0,
          text: String(error),
          cost: { statements: [], read: 0, changed: 0, buffers: 0, ms: 0 },
        })
        continue
      }
      const send = () => owner.send(call, input as never, { headers: call.permission === 'api-key' ? program : {} })
      if (!isMutation(call)) await send()
      const { status, text } = await send()
      if (plans.cost().ms > 1000) print(`${name} took ${Math.round(plans.cost().ms)} ms`)
      found.set(name, { status, text: text.slice(0, 300), cost: plans.cost() })
    }
  } finally {
    plans.stop()
    await server.stop()
  }
  return found
}

async function makeCompanies(adminUrl: string): Promise<{ small: string; large: string }> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const urlOf = (name: string) => Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  const clock = fixedClock(TEST_NOW)
  await admin.query('create database sample')
  await migrate(urlOf('sample'), silentLog)
  await seedCompany(urlOf('sample'), { now: clock.now() })
  const make = async (name: string, size: number) => {
    await admin.query(`create database ${name} template sample`)
    const data = new pg.Client({ connectionString: urlOf(name) })
    await data.connect()
    await growCompany(data, size, print)
    await data.query('vacuum analyze')
    const db = openDb(openPool(urlOf(name), { size: 2, statementTimeout: 600_000 }))
    await rebuildRollups({ db, clock }, undefined, print)
    await refreshFigures({ db, clock })
    await db.destroy()
    await data.query('vacuum analyze')
    await data.end()
    return urlOf(name)
  }
  const companies = { small: await make('small', SMALL), large: await make('large', LARGE) }
  await admin.end()
  return companies
}

const describeCost = (cost: StatementCost) => {
  const { buffers, read, ms, text } = cost
  const figures = `${buffers} pages, ${Math.round(read)} rows, ${ms.toFixed(1)} ms; ${widestScan(cost)}`
  return `      ${figures}\n        ${text.trim().replaceAll(/\s+/g, ' ').slice(0, 200)}`
}

/** The most expensive statements. */
const details = ({ statements }: RequestCost) =>
  statements
    .toSorted((a, b) => b.buffers - a.buffers)
    .slice(0, 3)
    .map(describeCost)
    .join('\n')

/** Rows read from tables that grow with the company. */
const readOfLarge = ({ statements }: RequestCost) =>
  statements
    .flatMap(({ scans }) => scans)
    .filter(({ table }) => isLarge(table))
    .reduce((sum, { rows }) => sum + rows, 0)

function judge(call: CallDefinition, few: CallCost, many: CallCost): Result[] {
  const name = nameOf(call)
  // Rows are spread over more pages in a large table. That alone is not growth.
  const isSpread = many.cost.read <= 1.2 * few.cost.read + 20
  const growth =
    many.cost.buffers <= FREE_BUFFERS || isSpread
      ? 0
      : many.cost.buffers / Math.max(FREE_BUFFERS / MAX_GROWTH, few.cost.buffers)
  const unchanged = readOfLarge(many.cost) - many.cost.changed
  const isException = name in exceptions
  const lines: Result[] = [
    {
      name: `${name}${isException ? ' (exception)' : ''}`,
      ratio: isException ? 0 : growth,
      budget: MAX_GROWTH,
      figure: `${few.cost.buffers} to ${many.cost.buffers} pages; ${Math.round(many.cost.read)} rows; ${many.cost.ms.toFixed(1)} ms`,
    },
  ]
  if (isMutation(call) && !isException && unchanged > MAX_ROWS_READ)
    lines.push({
      name: `${name}: rows read but not changed`,
      ratio: unchanged / MAX_ROWS_READ,
      budget: 1,
      figure: `${Math.round(unchanged)} of ${MAX_ROWS_READ}`,
    })
  if (lines.some(({ ratio, budget }) => ratio > budget))
    print(`OVER ${name}: ${few.cost.buffers} to ${many.cost.buffers} pages\n${details(many.cost)}`)
  return lines
}

/** Compares what every call reads in a company and in one a hundred times as large. */
export async function benchPlans(): Promise<Result[]> {
  const given = process.env.BENCH_PLANS_URLS?.split(' ')
  // About ten gigabytes, so on disk instead of in memory.
  process.env.TMPDIR ??= tmpdir()
  const postgres = given ? undefined : await startTestPostgres()
  try {
    const { small, large } = postgres
      ? await makeCompanies(postgres.adminUrl)
      : { small: given?.[0] ?? '', large: given?.[1] ?? '' }
    const few = await callAll(small)
    const many = await callAll(large)
    const results: Result[] = []
    for (const call of calls) {
      const [one, other] = [few.get(nameOf(call)), many.get(nameOf(call))]
      if (!one || !other) continue
      // Counting an audience of a million takes longer than the statement timeout.
      if (nameOf(call) in exceptions && other.status === 503) continue
      if (one.status >= 300 || other.status >= 300 || !one.status || !other.status) {
        print(`FAIL ${nameOf(call)}: ${one.status} ${one.text} / ${other.status} ${other.text}`)
        results.push({
          name: `${nameOf(call)} succeeds`,
          ratio: 2,
          budget: 1,
          figure: `${one.status} and ${other.status}`,
        })
        continue
      }
      results.push(...judge(call, one, other))
    }
    return results
  } finally {
    await postgres?.stop()
  }
}
