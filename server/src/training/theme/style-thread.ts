import { Worker } from 'node:worker_threads'
import { SECOND } from '#platform/clock.ts'
import { workerFile } from '#platform/places.ts'
import { type Cleaner, type CleanStyles, cleanStyles, unreadable } from './style.rules.ts'

/** A stylesheet as it was typed, and the class below which it may stand. */
export interface Sheet {
  source: string
  scope: string
}

/** Characters that are read within ten milliseconds or so; more of them go to a thread. */
const AT_ONCE = 8_000
const TIME = 20 * SECOND

/** One thread at a time: whoever saves the next large stylesheet waits for it, and nobody else does. */
let last: Promise<unknown> = Promise.resolve()

/** Reads the stylesheets of one save; large ones beside the main thread, so that no other call waits for them. */
export async function readSheets(sheets: readonly Sheet[]): Promise<Cleaner> {
  if (sheets.reduce((sum, { source }) => sum + source.length, 0) <= AT_ONCE) return cleanStyles
  const turn = last.then(() => runThread(sheets))
  last = turn.catch(() => undefined)
  const cleaned = await turn
  const byText = new Map(sheets.map((sheet, place) => [keyOf(sheet), cleaned[place] ?? unreadable]))
  return (source, scope) => byText.get(keyOf({ source, scope })) ?? cleanStyles(source, scope)
}

const keyOf = ({ source, scope }: Sheet) => `${scope}\n${source}`

function runThread(sheets: readonly Sheet[]): Promise<CleanStyles[]> {
  const thread = new Worker(workerFile('style', import.meta.url), { workerData: sheets })
  return new Promise((done, fail) => {
    // A text that cannot be read in time is one that cannot be read.
    const timer = setTimeout(() => void thread.terminate().then(() => done([])), TIME)
    thread.once('message', done)
    thread.once('error', fail)
    thread.once('exit', (code) => {
      clearTimeout(timer)
      fail(new Error(`The thread that reads styles ended with ${code}`))
    })
  })
}
