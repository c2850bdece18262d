// Runs under Node 20 without any package.
import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, pinnedNode, root } from './install.mjs'

// node scripts/run.mjs PROGRAM [ARGUMENTS]: installs if need be, then runs a program of this project under its own
// Node, living and dying with it. Every npm script goes through here, so that each works on a fresh clone.
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
  // In a terminal Ctrl-C reaches the child by itself as well; it takes several signals as one.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  let isDetached = false
  process.on('SIGHUP', () => {
    if (hasTerminal) child.kill('SIGHUP')
    // Node resets the signal that nohup ignores, so a closed terminal still ends npm. The program goes on without it.
    isDetached = true
  })
  const watch = setInterval(() => {
    // A hang-up that arrives together with the death of npm is handled before the callback of setImmediate.
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
 * Returns a function that tells whether npm has died: killed with SIGKILL, it cannot forward anything. Only npm matters, not
 * the shell that started it, so that `npm start &` outlives its shell.
 */
function watchNpm() {
  if (!process.env.npm_lifecycle_event) return () => false
  // In a script of several commands a shell stands between npm and this process, and lives on without npm.
  const hasShell = !isNpm(process.ppid) && isNpm(parentOf(process.ppid))
  const read = () => `${process.ppid} ${hasShell && parentOf(process.ppid)}`
  const before = read()
  return () => read() !== before
}

/** Without /proc, as on macOS, only the parent itself is watched. */
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
