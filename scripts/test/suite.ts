import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Count, countPlaywright, countVitest } from './count.ts'

export type Suite = {
  name: string
  command: [string, ...string[]]
  /** Uses all cores itself, or must not share the source tree. */
  isAlone?: boolean
  counts?: 'vitest' | 'playwright'
}

export type Outcome = Count & { ms: number; output: string }

const root = join(import.meta.dirname, '../..')
const LIMIT = 20 * 60_000
const running = new Set<ChildProcess>()

/** Runs a suite to its end. One that does not start, takes too long or ran no test has failed. */
export async function runSuite(suite: Suite, reports: string): Promise<Outcome> {
  const start = performance.now()
  const report = join(reports, `${suite.name.replaceAll(/\W/g, '-')}.json`)
  const { code, output } = await runCommand(suite, report)
  const isPassed = code === 0
  const count = suite.counts
    ? await countTests(suite.counts, report, isPassed)
    : { passed: +isPassed, failed: +!isPassed }
  const words = isPassed && count.failed > 0 ? `${output}\nNo test was run.` : output
  return { ...count, output: stripVTControlCharacters(words), ms: performance.now() - start }
}

/** Ends the suites under way. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

async function runCommand({ command, counts }: Suite, report: string): Promise<{ code: number; output: string }> {
  const [program, ...args] = command
  const extra = counts === 'vitest' ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : []
  if (counts === 'playwright') extra.push('--reporter=list,json')
  const child = spawn(program, [...args, ...extra], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: report },
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
    output += `\nStopped after ${LIMIT / 60_000} minutes.`
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }, LIMIT)
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

async function countTests(kind: 'vitest' | 'playwright', report: string, isPassed: boolean): Promise<Count> {
  const text = await readFile(report, 'utf8').catch(() => '')
  const count = text
    ? { vitest: countVitest, playwright: countPlaywright }[kind](JSON.parse(text))
    : { passed: 0, failed: 1 }
  // A crash after the last test, or no test at all, is a failure that no test shows.
  const isSilentFailure = count.failed === 0 && (!isPassed || count.passed === 0)
  return isSilentFailure ? { ...count, failed: 1 } : count
}
