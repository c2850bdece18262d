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
  /** When it was asked for: a part of the result. */
  runAt: string
  /** The result as text, for a reply; without it, as it is. */
  asText?: boolean
  /** See what this transaction sees. */
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

// Rows come and go in batches: with more room for young objects the thread only takes more memory.
const YOUNG = { maxYoungGenerationSizeMb: 16 }

let thread: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

/** One thread per process, started when first needed: audits queue there and never hold up other calls. */
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
  started.on('exit', (code) => lose(new Error(`The audit thread ended with ${code}`)))
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

/** Runs an audit beside the main thread. */
export const auditAside = (task: Asked, tell?: Progress) => ask({ ...task }, tell) as Promise<AuditResult>

/** The same, printed there as well: thousands of lines would hold up the main thread. */
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
