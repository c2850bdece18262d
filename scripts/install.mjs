// Runs under Node 20 without packages: it installs them.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
const stampFile = join(root, 'node_modules/.limber-installed')
const lockFile = join(root, '.limber/installing')

/** Installs the packages of package-lock.json unless they are already installed. */
export async function ensureInstalled() {
  const stamp = wantedStamp()
  if (isInstalled(stamp)) return
  await withLock(lockFile, async () => {
    if (isInstalled(stamp)) return
    const start = performance.now()
    // On stderr: another program may read the output of the command.
    process.stderr.write('  Installing packages ... ')
    const { code, output } = await runNpmCi()
    if (code !== 0) {
      process.stderr.write(`failed\n\n${output}\n`)
      throw new Error('npm ci failed. See the output above. Is the npm registry reachable?')
    }
    writeFileSync(stampFile, stamp)
    process.stderr.write(`${((performance.now() - start) / 1000).toFixed(1)} s\n`)
  })
}

/** The pinned Node 24 of this project. If there is none for this platform, the current Node if it is new enough. */
export function pinnedNode() {
  const own = join(root, 'node_modules/.bin/node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Error(`npm has no Node 24 for ${process.platform} ${process.arch}. Run this with Node 24 or newer.`)
}

function wantedStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`
}

function isInstalled(stamp) {
  if (readIfExists(stampFile) === stamp) return true
  if (!agreesWithLock()) return false
  writeFileSync(stampFile, stamp)
  return true
}

/** Whether every package of the lock file is already installed in its version, for example by `npm install`. */
function agreesWithLock() {
  const installed = readIfExists(join(root, 'node_modules/.package-lock.json'))
  if (!installed) return false
  const present = JSON.parse(installed).packages
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.includes('node_modules/') || link) return true
    return present[path] ? present[path].version === version : Boolean(optional)
  })
}

function runNpmCi() {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  // npm's own Node is outside of node_modules, which `npm ci` replaces.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  const [command, rest] = npm?.endsWith('.js') ? [node ?? process.execPath, [npm, ...args]] : ['npm', args]
  return new Promise((resolve) => {
    const child = spawn(command, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', (error) => resolve({ code: 1, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Lets one process at a time install. The lock of a killed process is ignored. */
async function withLock(path, work) {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  for (let waited = 0; ; waited += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (!isAlive(Number(readIfExists(path))) || waited > 600) rmSync(path, { force: true })
      else await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  try {
    await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function isAlive(pid) {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readIfExists(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
