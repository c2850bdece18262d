// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually } from '../server/src/platform/testing/testing.ts'

// Real processes: npm, the launcher, and a program that stops like `npm start` does.
const launcher = JSON.stringify(join(import.meta.dirname, 'run.mjs'))
const signals = new URL('../server/src/embedded/signals.ts', import.meta.url).href
// Node cannot open a terminal, `script` of util-linux can. On other systems `script` takes other arguments.
const SCRIPT = '/usr/bin/script'
const hasScript = process.platform === 'linux' && existsSync(SCRIPT)

let folder: string
const started: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'limber-run-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    `import { renameSync, writeFileSync } from 'node:fs'
    import { onStopRequest } from ${JSON.stringify(signals)}
    onStopRequest(() => {
      writeFileSync(${JSON.stringify(join(folder, 'stopped'))}, '')
      process.exit(0)
    })
    let beats = 0
    const beat = () => {
      writeFileSync(${JSON.stringify(join(folder, 'next'))}, JSON.stringify([process.pid, process.ppid, ++beats]))
      renameSync(${JSON.stringify(join(folder, 'next'))}, ${JSON.stringify(join(folder, 'beat'))})
    }
    beat()
    setInterval(beat, 100)`,
  )
  const run = `node ${launcher} ${JSON.stringify(program)}`
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { start: `exec ${run}`, several: `${run} && echo done` } }),
  )
})
afterEach(() => {
  const [pid, parent] = lastBeat()
  for (const each of [pid, parent, ...started.splice(0).map((child) => child.pid)])
    try {
      if (each) process.kill(each, 'SIGKILL')
    } catch {}
  rmSync(folder, { recursive: true, force: true })
})

/** Process ids of the program and its launcher, and how many heartbeats the program has written. */
function lastBeat(): [pid: number, parent: number, beats: number] {
  try {
    return JSON.parse(readFileSync(join(folder, 'beat'), 'utf8'))
  } catch {
    return [0, 0, 0]
  }
}

function start(command: string, args: string[]) {
  const { npm_lifecycle_event: _, ...env } = process.env
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'ignore', 'ignore'] })
  started.push(child)
  return child
}

/** Starts in a shell that exits once the program runs, so that the launcher sees npm lose its parent. */
async function startInShell(line: string) {
  const shell = start('bash', ['-c', `${line} & while [ ! -e beat ]; do sleep 0.05; done; echo $! >npm`])
  await once(shell, 'exit')
  return Number(readFileSync(join(folder, 'npm'), 'utf8'))
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const isRunning = () => eventually(async () => lastBeat()[2] > 0)
/** Waits long enough for launcher and program to check their parents several times. */
async function expectToKeepRunning() {
  const [pid, , before] = lastBeat()
  await eventually(async () => lastBeat()[2] >= before + 15 || !isAlive(pid))
  expect(existsSync(join(folder, 'stopped'))).toBe(false)
  expect(isAlive(pid)).toBe(true)
}
async function expectToStop() {
  const [pid, parent] = lastBeat()
  await eventually(async () => !isAlive(pid) && !isAlive(parent))
  expect(existsSync(join(folder, 'stopped'))).toBe(true)
}

it.each(['npm start', 'nohup npm start', 'setsid npm start', 'npm run several'])(
  '%s in the background outlives its shell and stops with npm',
  async (line) => {
    const npm = await startInShell(line)
    await expectToKeepRunning()
    process.kill(npm, 'SIGKILL')
    await expectToStop()
  },
)

it('nohup npm start keeps running when its terminal is closed, which ends npm', async () => {
  const npm = await startInShell('setsid nohup npm start')
  process.kill(-npm, 'SIGHUP')
  await eventually(async () => !isAlive(npm))
  await expectToKeepRunning()
  process.kill(lastBeat()[1], 'SIGTERM')
  await expectToStop()
})

it.each(['start', 'several'])('npm run %s leaves no process behind when npm is killed with SIGKILL', async (script) => {
  const npm = start('npm', ['run', script])
  await isRunning()
  npm.kill('SIGKILL')
  await expectToStop()
})

it('leaves no process behind when the launcher is killed with SIGKILL', async () => {
  const npm = start('npm', ['start'])
  await isRunning()
  process.kill(lastBeat()[1], 'SIGKILL')
  await expectToStop()
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit')
})

it('stops on Ctrl-C, which reaches every process of the group', async () => {
  const npm = start('npm', ['start'])
  await isRunning()
  process.kill(-Number(npm.pid), 'SIGINT')
  await expectToStop()
})

// Killing `script`, which owns the other end, closes the terminal.
it.skipIf(!hasScript)('stops when its terminal is closed', async () => {
  const terminal = start(SCRIPT, ['--quiet', '--command', 'npm start', '/dev/null'])
  await isRunning()
  terminal.kill('SIGKILL')
  await expectToStop()
})
