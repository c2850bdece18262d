// Runs under Node 20 without packages.
import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, pinnedNode, root } from './install.mjs'

// node scripts/run.mjs PROGRAM [ARGUMENTS]: installs packages if needed, then runs a program under the pinned Node and
// exits with it. Every npm script goes through here, so that each works on a fresh clone.
const isNpmGone = watchNpm()
try {
  await ensureInstalled()
  process.exitCode = await runProgram(pinnedNode(), process.argv.slice(2))
} catch (error) {
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}

function runProgram(node, args) {
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compile'),
    LIMBER_PARENT: String(process.pid),
  }
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], { cwd: root, env, stdio: 'inherit' })
  // In a terminal, Ctrl-C also reaches the child directly. The child handles repeated signals as one.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  let isDetached = false
  process.on('SIGHUP', () => {
    if (hasTerminal) child.kill('SIGHUP')
    // Node resets the signal that nohup ignores, so a closed terminal still ends npm. The program keeps running.
    isDetached = true
  })
  const watch = setInterval(() => {
    // A SIGHUP that arrives together with the death of npm is handled before the setImmediate callback.
    if (isNpmGone()) setImmediate(() => isDetached || child.kill('SIGTERM'))
  }, 500)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`)
      resolve(1)
    })
    child.once('exit', (code, signal) => {
      clearInterval(watch)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1))
    })
  })
}

/**
 * Returns a function that tells whether npm has died. Killed with SIGKILL, npm cannot forward a signal. Only npm matters,
 * not the shell that started it, so that `npm start &` outlives its shell.
 */
function watchNpm() {
  if (!process.env.npm_lifecycle_event) return () => false
  // In a script with several commands, a shell runs between npm and this process and outlives npm.
  const hasShell = !isNpm(process.ppid) && isNpm(parentOf(process.ppid))
  const read = () => `${process.ppid} ${hasShell && parentOf(process.ppid)}`
  const before = read()
  return () => read() !== before
}

/** Without /proc (macOS), only the direct parent is watched. */
function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

function isNpm(pid) {
  try {
    return realpathSync(`/proc/${pid}/exe`) === realpathSync(process.env.npm_node_execpath)
  } catch {
    return false
  }
}
