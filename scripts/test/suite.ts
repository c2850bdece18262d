import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Count, countPassedIn, countPlaywright, countVitest, mergeRetry, type Tally } from './count.ts'

export type Suite = {
  name: string
  command: [string, ...string[]]
  env?: Record<string, string>
  /** Changes files that other suites read, or needs the machine to itself. */
  runsAlone?: boolean
  /** Waits for the web build. */
  needsWebBuild?: boolean
  counts?: 'vitest' | 'playwright'
  /** Timeout; 30 by default. */
  minutes?: number
  /** The folders its result depends on; all by default. */
  reads?: readonly string[]
}

export type Outcome = Count &
  Pick<Tally, 'failures' | 'flaky' | 'files'> & { ms: number; cpuMs: number; output: string }

const root = join(import.meta.dirname, '../..')
// With more failed files than this, the change is to blame, not a flaky test.
const MAX_RETRIED_FILES = 4
const EMPTY_TALLY: Tally = { passed: 0, failed: 0, failures: [], failedFiles: [], flaky: [], files: [] }
const running = new Set<ChildProcess>()

/** Runs a suite. It fails if it does not start, times out, or runs no test. */
export async function runSuite(suite: Suite, reports: string): Promise<Outcome> {
  const start = performance.now()
  const report = join(reports, `${suite.name.replaceAll(/\W/g, '-')}.json`)
  const { code, output, cpuMs } = await runCommand(suite, report)
  const isPassed = code === 0
  const ended = () => ({ output: stripVTControlCharacters(output), ms: performance.now() - start, cpuMs })
  if (!suite.counts) return { passed: +isPassed, failed: +!isPassed, failures: [], flaky: [], files: [], ...ended() }
  const first = await readTally(suite.counts, report, isPassed)
  const tally = suite.counts === 'vitest' ? await retryFailedFiles(suite, report, first) : first
  return { ...tally, ...ended() }
}

/** Runs the failed files once more, on their own, to tell flaky tests from broken ones. */
async function retryFailedFiles(suite: Suite, report: string, first: Tally): Promise<Tally> {
  const files = first.failedFiles
  if (files.length === 0 || files.length > MAX_RETRIED_FILES) return first
  const retryReport = `${report}.retry`
  const { code } = await runCommand({ ...suite, command: [...suite.command, ...files] }, retryReport)
  const passed = countPassedIn(files, JSON.parse(await readFile(report, 'utf8')))
  return mergeRetry(first, await readTally('vitest', retryReport, code === 0), passed)
}

/** Stops the running suites. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

async function runCommand(
  { command, env, counts, minutes = 30 }: Suite,
  report: string,
): Promise<{ code: number; output: string; cpuMs: number }> {
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
  let cpuMs = 0
  child.once('exit', () => {
    cpuMs = cpuSinceLastEnd()
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const limit = setTimeout(() => {
    output += `\nTimed out after ${minutes} minutes.`
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
  return { code, output, cpuMs }
}

let cpuOfEnded = 0
/** The processor time of the child that just ended, with all of its own children. Zero without /proc (macOS). */
function cpuSinceLastEnd(): number {
  let stat = ''
  try {
    stat = readFileSync('/proc/self/stat', 'utf8')
  } catch {
    return 0
  }
  // Fields 16 and 17, in ticks of 10 ms: of the children that have ended. The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const before = cpuOfEnded
  cpuOfEnded = (Number(fields[13]) + Number(fields[14])) * 10
  return cpuOfEnded - before
}

async function readTally(kind: 'vitest' | 'playwright', report: string, isPassed: boolean): Promise<Tally> {
  const text = await readFile(report, 'utf8').catch(() => '')
  const tally = text ? { vitest: countVitest, playwright: countPlaywright }[kind](JSON.parse(text)) : EMPTY_TALLY
  // A crash after the last test, or a run without tests, fails even though no test did.
  if (tally.failed > 0 || (isPassed && tally.passed > 0)) return tally
  return { ...tally, failed: 1, failures: [isPassed ? 'No tests ran.' : 'The test run crashed.'] }
}
