import { createInterface } from 'node:readline'
import { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { runWork } from '#platform/db/work.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { insertOperation, lockLedger } from '../lists/ledger.queries.ts'
import { allLines } from './fix.rules.ts'

const [, , url = '', workerId = '', stopAt = ''] = process.argv
const print = (line: string) => process.stdout.write(`${line}\n`)

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown } | undefined)?.text ?? '')

/** A pool whose connection hangs before the statement with this beginning. */
function openStalling(beginning: string) {
  const pool = openPool(url, { size: 1 })
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      if (beginning === '' || !textOf(args[0]).trim().startsWith(beginning)) return query(...args)
      print('stalled')
      return new Promise(() => {})
    }) as typeof client.query
  })
  return pool
}

/** Writes the fix for the audit read from stdin. The test kills the process while it hangs. */
async function fix(text: string) {
  const seen = AuditResult.parse(JSON.parse(text))
  const db = openDb(openStalling(stopAt))
  await runWork(
    { db, clock: systemClock, keyring: makeKeyring('test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz', []) },
    { call: 'test' },
    async (work) => {
      await lockLedger(work.db)
      const id = await insertOperation(work.db, allLines(seen), {
        startDate: seen.period_start,
        endDate: seen.period_end,
        workerId: Number(workerId),
        now: work.now,
        reason: 'crash',
      })
      work.audit({ action: 'payroll.fixed', subject: 'payroll_operation', subjectId: id })
    },
    { isolation: 'serializable' },
  )
  print('written')
}

const lines = createInterface({ input: process.stdin })
lines.once('line', (text) => void fix(text))
print('ready')
