import { parentPort } from 'node:worker_threads'
import { type Db, openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { MissingTaxYearError } from '../tax/tables.rules.ts'
import { inSnapshot } from './audit.queries.ts'
import type { AuditMessage, AuditTask } from './audit-thread.ts'
import { auditRange } from './run-audit.ts'

const STATEMENT_TIMEOUT = 60_000
const port = parentPort
if (!port) throw new Error('This file must run as a worker thread')

// Connections are reused for the next audit; the pool closes idle ones.
const databases = new Map<string, Db>()
function databaseAt(url: string): Db {
  const known = databases.get(url)
  if (known) return known
  const db = openDb(openPool(url, { size: 1, statementTimeout: STATEMENT_TIMEOUT }))
  databases.set(url, db)
  return db
}

async function run({ id, databaseUrl, range, today, snapshot, runAt, asText }: AuditTask) {
  const post = (message: AuditMessage) => port?.postMessage(message)
  try {
    const found = await inSnapshot(databaseAt(databaseUrl), snapshot, (tx) =>
      auditRange(tx, range, today, (done, total) => post({ id, kind: 'progress', done, total })),
    )
    const result = { ...found, run_at: runAt }
    post({ id, kind: 'done', result: asText ? JSON.stringify(result) : result })
  } catch (error) {
    if (error instanceof MissingTaxYearError) post({ id, kind: 'no_tables', year: error.year })
    else post({ id, kind: 'failed', ...describe(error) })
  }
}

// The code distinguishes an unavailable database from a bug.
const describe = (error: unknown) => ({
  reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  code: error instanceof Error && 'code' in error ? String(error.code) : undefined,
})

let last = Promise.resolve()
port.on('message', (task: AuditTask) => {
  last = last.then(() => run(task))
})
