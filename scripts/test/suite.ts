import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterSecondTry, type Count, countPassedIn, countPlaywright, countVitest, type Tally } from './count.ts'

export type Suite = {
  name: string
  command: [string, ...string[]]
  env?: Record<string, string>
  /** Changes what others read, or needs the machine for itself. */
  isAlone?: boolean
  /** Waits until the pages are built. */
  needsPages?: boolean
  counts?: 'vitest' | 'playwright'
  /** When it is stopped as hanging; 30 unless told. */
  minutes?: number
  /** The folders on which its result depends; everything unless told. */
  reads?: readonly string[]
}

export type Outcome = Count & Pick<Tally, 'failures' | 'unsteady' | 'files'> & { ms: number; output: string }

const root = join(import.meta.dirname, '../..')
// More than this and the change is at fault, not the moment.
const SECOND_TRIES = 4
const NOTHING: Tally = { passed: 0, failed: 0, failures: [], failedFiles: [], unsteady: [], files: [] }
const running = new Set<ChildProcess>()

/** Runs a suite to its end. One that does not start, takes too long or ran no test has failed. */
export async function runSuite(suite: Suite, reports: string): Promise<Outcome> {
  const start = performance.now()
  const report = join(reports, `${suite.name.replaceAll(/\W/g, '-')}.json`)
  const { code, output } = await runCommand(suite, report)
  const isPassed = code === 0
  const ended = () => ({ output: stripVTControlCharacters(output), ms: performance.now() - start })
  if (!suite.counts) return { passed: +isPassed, failed: +!isPassed, failures: [], unsteady: [], files: [], ...ended() }
  const first = await readTally(suite.counts, report, isPassed)
  const tally = suite.counts === 'vitest' ? await tryAgain(suite, report, first) : first
  return { ...tally, ...ended() }
}

/** Runs the files that failed once more, by themselves: what the moment did to them it will not do twice. */
async function tryAgain(suite: Suite, report: string, first: Tally): Promise<Tally> {
  const files = first.failedFiles
  if (files.length === 0 || files.length > SECOND_TRIES) return first
  const again = `${report}.again`
  const { code } = await runCommand({ ...suite, command: [...suite.command, ...files] }, again)
  const passed = countPassedIn(files, JSON.parse(await readFile(report, 'utf8')))
  return afterSecondTry(first, await readTally('vitest', again, code === 0), passed)
}

/** Ends the suites under way. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

async function runCommand(
  { command, env, counts, minutes = 30 }: Suite,
  report: string,
): Promise<{ code: number; output: string }> {
  const [program, ...args] = command
  const extra = counts === 'vitest' ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : []
  if (counts === 'playwright') extra.push('--reporter=list,json')
  const child = spawn(program, [...args, ...extra], {
    cwd: root,
    env: { ...process.env, ...env, NO_COLOR: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const limit = setTimeout(() => {
    output += `\nStopped after ${minutes} minutes.`
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }, minutes * 60_000)
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output += error.message
      resolve(1)
    })
    child.once('close', (ended) => resolve(ended ?? 1))
  })
  clearTimeout(limit)
  running.delete(child)
  return { code, output }
}

async function readTally(kind: 'vitest' | 'playwright', report: string, isPassed: boolean): Promise<Tally> {
  const text = await readFile(report, 'utf8').catch(() => '')
  const tally = text ? { vitest: countVitest, playwright: countPlaywright }[kind](JSON.parse(text)) : NOTHING
  // A crash after the last test, or no test at all, is a failure that no test shows.
  if (tally.failed > 0 || (isPassed && tally.passed > 0)) return tally
  return { ...tally, failed: 1, failures: [isPassed ? 'No test was run.' : 'The run ended badly.'] }
}
