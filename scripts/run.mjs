// Runs under Node 20 without any package.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, pinnedNode, root } from './install.mjs'

// node scripts/run.mjs PROGRAM [ARGUMENTS]: installs if need be, then runs a program of this project under its own
// Node, living and dying with it. Every npm script goes through here, so that each works on a fresh clone.
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const watch = watchParent(() => child.kill('SIGTERM'))
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

/** npm that was killed outright cannot pass the signal on. Started by hand in the background, losing the shell is no reason to stop. */
function watchParent(stop) {
  if (!process.env.npm_lifecycle_event) return undefined
  const before = ancestors()
  return setInterval(() => {
    if (ancestors() !== before) stop()
  }, 500)
}

/** Between npm and this process there may be a shell, which lives on without npm. */
function ancestors() {
  try {
    const [, above] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8')) ?? []
    return `${process.ppid} ${above}`
  } catch {
    return String(process.ppid)
  }
}
