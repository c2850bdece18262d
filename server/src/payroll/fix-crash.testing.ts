import { AuditResult } from '@limber/contract/payroll/audit.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb, openPool } from '#platform/db.ts'
import { makeKeyring } from '#platform/secrets.ts'
import { runWork } from '#platform/work.ts'
import { allLines } from './fix.rules.ts'
import { insertOperation, lockLedger } from './ledger.queries.ts'
import './tables.ts'

/** A process that writes the fix of an audit it reads from its input; the test kills it at any moment. */
async function main() {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  const seen = AuditResult.parse(JSON.parse(text))
  const db = openDb(openPool(process.argv[2] ?? '', { size: 2 }))
  process.stdout.write('ready\n')
  await runWork(
    { db, clock: systemClock, keyring: makeKeyring('test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz', []) },
    { call: 'test' },
    async (work) => {
      await lockLedger(work.db)
      const lines = allLines(seen)
      const workerId = Number(process.argv[3])
      await insertOperation(work.db, lines, {
        startDate: seen.period_start,
        endDate: seen.period_end,
        workerId,
        now: work.now,
        reason: 'crash',
      })
      work.audit({ action: 'payroll.fixed', subject: 'payroll_operation', subjectId: 'crash' })
    },
    { isolation: 'serializable' },
  )
  process.stdout.write('done\n')
  await db.destroy()
}

await main()
