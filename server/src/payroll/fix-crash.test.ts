import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type AuditResult, runAudit } from '@limber/contract/payroll/audit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing.ts'
import { makeEarner, makePeriod } from './payroll.factory.ts'

const script = fileURLToPath(new URL('./fix-crash.testing.ts', import.meta.url))
const range = { startDate: '2026-11-01', endDate: '2026-11-30' }
let server: TestServer
let seen: AuditResult
let workerId: number

beforeAll(async () => {
  server = await startTestServer()
  const caller = server.as('payroll.audit')
  workerId = (await caller.worker()).id
  const earner = await makeEarner(server.db)
  const period = await makePeriod(server.db, '2026-10-26')
  await sql`insert into payroll_entries (earner_id, type, amount, withheld, employer_tax, status, pay_period_id, work_date, pay_date, created_at, paid_at)
    select ${earner.id}, 'session', 3, 0, 0, 'paid', ${period.id}, '2026-10-26', ${period.pay_date}, now(), now() from generate_series(1, 4000)`.execute(
    server.db,
  )
  seen = (await caller.send(runAudit, { body: range })).body
})
afterAll(() => server.stop())

/** Starts a fix in a process of its own and kills it so many milliseconds after it began; none: lets it end. */
async function fixAndKill(after: number | undefined): Promise<void> {
  const child = spawn(process.execPath, [script, server.running.services.config.databaseUrl, String(workerId)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(seen))
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.stdout.once('data', () => {
    if (after !== undefined) setTimeout(() => child.kill('SIGKILL'), after)
  })
  await ended
}

async function count() {
  const { rows } = await sql<{ adjustments: number; operations: number; audits: number }>`
    select (select count(*) from payroll_adjustments) as adjustments, (select count(*) from payroll_operations) as operations,
      (select count(*) from audit_log where action = 'payroll.fixed') as audits`.execute(server.db)
  return rows[0]
}

describe('a process killed in the middle of a fix', () => {
  it('leaves all of it or nothing, with its audit row, at any moment', async () => {
    expect(seen.discrepancies).toHaveLength(4000)
    const lines = seen.discrepancies.length * 2
    for (const after of [0, 5, 12, 25, 50, 90, 150, 250]) {
      await fixAndKill(after)
      const { adjustments = 0, operations = 0, audits = 0 } = (await count()) ?? {}
      expect(adjustments).toBe(operations * lines)
      expect(audits).toBe(operations)
      if (operations > 0) break
    }
    if ((await count())?.operations === 0) await fixAndKill(undefined)
    expect((await server.as('payroll.audit').send(runAudit, { body: range })).body.total_discrepancies).toBe(0)
  }, 60_000)
})
