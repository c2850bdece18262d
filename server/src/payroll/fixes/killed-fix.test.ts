// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type AuditResult, fixDiscrepancies, runAudit } from '@limber/contract/payroll/audit/audit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeEarner, makeEntry } from '../payroll.factory.ts'

const program = new URL('./killed-fix.testing.ts', import.meta.url)
const range = { startDate: '2026-11-01', endDate: '2026-11-30' }
/** The statements before which the process is killed. The last process finishes. */
const stopPoints = ['update payroll_ledger', 'insert into payroll_adjustments', 'with', 'commit', '']
let server: TestServer
let clerk: TestCaller
let seen: AuditResult

beforeAll(async () => {
  server = await startTestServer()
  clerk = server.asSteppedUp('payroll.audit')
  const earner = await makeEarner(server.db)
  for (let n = 0; n < 5; n++) await makeEntry(server.db, { earner_id: earner.id, work_date: '2026-10-26' })
  seen = await audit()
})
afterAll(() => server.stop())

const audit = async () => (await clerk.send(runAudit, { body: range })).body

/** A process that writes the fix and hangs before a statement. */
async function launch(workerId: number, stopAt: string) {
  const url = server.running.services.config.databaseUrl
  const child = spawn(process.execPath, [await bundledProgram(program), url, String(workerId), stopAt], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const received: string[] = []
  let wake = () => {}
  createInterface({ input: child.stdout }).on('line', (line) => {
    received.push(line)
    wake()
  })
  const waitFor = async (...expected: string[]): Promise<string> => {
    for (;;) {
      const found = received.find((line) => expected.includes(line))
      if (found) return found
      await new Promise<void>((done) => {
        wake = done
      })
    }
  }
  return { child, waitFor }
}

async function kill(child: ChildProcess) {
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await ended
}

async function written() {
  const { rows } = await sql<{ adjustments: number; operations: number; audits: number }>`
    select (select count(*) from payroll_adjustments) as adjustments, (select count(*) from payroll_operations) as operations,
      (select count(*) from audit_log where action = 'payroll.fixed') as audits`.execute(server.db)
  return rows[0]
}

describe('process killed during a fix', () => {
  it('leaves nothing before the commit and everything after it, with an audit row', async () => {
    const { id } = await clerk.worker()
    const processes = await Promise.all(
      stopPoints.map(async (stopPoint) => ({ stopPoint, ...(await launch(id, stopPoint)) })),
    )
    await Promise.all(processes.map(({ waitFor }) => waitFor('ready')))
    for (const { stopPoint, child, waitFor } of processes) {
      child.stdin?.write(`${JSON.stringify(seen)}\n`)
      expect(await waitFor('stalled', 'written'), stopPoint).toBe(stopPoint === '' ? 'written' : 'stalled')
      await kill(child)
      if (stopPoint !== '') expect(await written(), stopPoint).toEqual({ adjustments: 0, operations: 0, audits: 0 })
    }
    const lines = seen.discrepancies.length * 2
    expect(await written()).toEqual({ adjustments: lines, operations: 1, audits: 1 })
    expect((await audit()).total_discrepancies).toBe(0)
    const again = await clerk.send(fixDiscrepancies, { body: seen as never })
    expect([again.status, (await written())?.operations]).toEqual([409, 1])
  })
})
