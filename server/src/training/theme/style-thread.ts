import { Worker } from 'node:worker_threads'
import { SECOND } from '#platform/clock.ts'
import { workerFile } from '#platform/paths.ts'
import { type Cleaner, type CleanStyles, cleanStyles, unreadable } from './style.rules.ts'

/** A stylesheet as typed, and the class it is scoped to. */
export interface Sheet {
  source: string
  scope: string
}

/** Characters that take about 10 ms to read; longer stylesheets go to a thread. */
const MAIN_THREAD_LIMIT = 8_000
const TIMEOUT = 20 * SECOND

/** One thread at a time: only the next save of a large stylesheet waits for it. */
let queue: Promise<unknown> = Promise.resolve()

/** Filters the stylesheets of one save. Large ones run in a thread, so that other calls do not wait. */
export async function createCleaner(sheets: readonly Sheet[]): Promise<Cleaner> {
  if (sheets.reduce((sum, { source }) => sum + source.length, 0) <= MAIN_THREAD_LIMIT) return cleanStyles
  const turn = queue.then(() => runThread(sheets))
  queue = turn.catch(() => undefined)
  const cleaned = await turn
  const byText = new Map(sheets.map((sheet, place) => [keyOf(sheet), cleaned[place] ?? unreadable]))
  return (source, scope) => byText.get(keyOf({ source, scope })) ?? cleanStyles(source, scope)
}

const keyOf = ({ source, scope }: Sheet) => `${scope}\n${source}`

function runThread(sheets: readonly Sheet[]): Promise<CleanStyles[]> {
  const thread = new Worker(workerFile('style', import.meta.url), { workerData: sheets })
  return new Promise((done, fail) => {
    // On timeout, the stylesheets count as unreadable.
    const timer = setTimeout(() => void thread.terminate().then(() => done([])), TIMEOUT)
    thread.once('message', done)
    thread.once('error', fail)
    thread.once('exit', (code) => {
      clearTimeout(timer)
      fail(new Error(`The style thread exited with code ${code}`))
    })
  })
}
