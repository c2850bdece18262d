import { Worker } from 'node:worker_threads'
import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { workerFile } from '#platform/paths.ts'
import { MissingTaxYearError } from '../tax/tables.rules.ts'
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

export type AuditMessage = { id: number } & (
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'done'; result: AuditResult | string }
  | { kind: 'no_tables'; year: number }
  | { kind: 'failed'; reason: string; code: string | undefined }
)

interface Waiting {
  onProgress: Progress
  done(result: AuditResult | string): void
  fail(error: Error): void
}

// Rows are processed in batches; a larger young generation would only cost memory.
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16 }

let thread: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

/** One thread per process, started on first use. Audits queue there and never block other calls. */
function openThread(): Worker {
  if (thread) return thread
  const started = new Worker(workerFile('audit', import.meta.url), { resourceLimits: RESOURCE_LIMITS })
  started.on('message', handleMessage)
  const failAll = (error: Error) => {
    if (thread === started) thread = undefined
    for (const { fail } of waiting.values()) fail(error)
    waiting.clear()
  }
  started.on('error', failAll)
  started.on('exit', (code) => failAll(new Error(`The audit thread exited with code ${code}`)))
  thread = started
  return started
}

function handleMessage(message: AuditMessage) {
  const one = waiting.get(message.id)
  if (!one) return
  if (message.kind === 'progress') return one.onProgress(message.done, message.total)
  waiting.delete(message.id)
  if (waiting.size === 0) thread?.unref()
  if (message.kind === 'done') one.done(message.result)
  else if (message.kind === 'no_tables') one.fail(new MissingTaxYearError(message.year))
  else one.fail(Object.assign(new Error(message.reason), message.code !== undefined && { code: message.code }))
}

type AuditRequest = Omit<AuditTask, 'id' | 'asText'>

/** Runs an audit in the audit thread. */
export const auditInThread = (task: AuditRequest, onProgress?: Progress) =>
  submit({ ...task }, onProgress) as Promise<AuditResult>

/** Also serializes the result in the thread, because thousands of rows would block the main thread. */
export const serializeAuditInThread = (task: AuditRequest, onProgress?: Progress) =>
  submit({ ...task, asText: true }, onProgress) as Promise<string>

function submit(task: Omit<AuditTask, 'id'>, onProgress: Progress = () => {}): Promise<AuditResult | string> {
  const id = ++lastId
  return new Promise((done, fail) => {
    waiting.set(id, { onProgress, done, fail })
    const worker = openThread()
    worker.ref()
    worker.postMessage({ ...task, id })
  })
}
