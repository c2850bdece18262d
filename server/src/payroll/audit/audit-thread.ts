import { Worker } from 'node:worker_threads'
import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { workerFile } from '#platform/paths.ts'
import { MissingTaxYear } from '../tax/tables.rules.ts'
import type { Range } from './audit.queries.ts'
import type { Progress } from './run-audit.ts'

export interface AuditTask {
  id: number
  databaseUrl: string
  range: Range
  today: string
  /** Time of the request, included in the result. */
  runAt: string
  /** Return the result as JSON text instead of an object. */
  asText?: boolean
  /** Read the snapshot of this transaction. */
  snapshot?: string | undefined
}

export type AuditWord = { id: number } & (
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'done'; result: AuditResult | string }
  | { kind: 'no_tables'; year: number }
  | { kind: 'failed'; reason: string; code: string | undefined }
)

interface Waiting {
  tell: Progress
  done(result: AuditResult | string): void
  fail(error: Error): void
}

// Rows are processed in batches; a larger young generation would only cost memory.
const YOUNG = { maxYoungGenerationSizeMb: 16 }

let thread: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

/** One thread per process, started on first use. Audits queue there and never block other calls. */
function openThread(): Worker {
  if (thread) return thread
  const started = new Worker(workerFile('audit', import.meta.url), { resourceLimits: YOUNG })
  started.on('message', hear)
  const lose = (error: Error) => {
    if (thread === started) thread = undefined
    for (const { fail } of waiting.values()) fail(error)
    waiting.clear()
  }
  started.on('error', lose)
  started.on('exit', (code) => lose(new Error(`The audit thread exited with code ${code}`)))
  thread = started
  return started
}

function hear(word: AuditWord) {
  const one = waiting.get(word.id)
  if (!one) return
  if (word.kind === 'progress') return one.tell(word.done, word.total)
  waiting.delete(word.id)
  if (waiting.size === 0) thread?.unref()
  if (word.kind === 'done') one.done(word.result)
  else if (word.kind === 'no_tables') one.fail(new MissingTaxYear(word.year))
  else one.fail(Object.assign(new Error(word.reason), word.code !== undefined && { code: word.code }))
}

type Asked = Omit<AuditTask, 'id' | 'asText'>

/** Runs an audit in the audit thread. */
export const auditAside = (task: Asked, tell?: Progress) => ask({ ...task }, tell) as Promise<AuditResult>

/** Also serializes the result in the thread, because thousands of rows would block the main thread. */
export const printAuditAside = (task: Asked, tell?: Progress) => ask({ ...task, asText: true }, tell) as Promise<string>

function ask(task: Omit<AuditTask, 'id'>, tell: Progress = () => {}): Promise<AuditResult | string> {
  const id = ++lastId
  return new Promise((done, fail) => {
    waiting.set(id, { tell, done, fail })
    const worker = openThread()
    worker.ref()
    worker.postMessage({ ...task, id })
  })
}
