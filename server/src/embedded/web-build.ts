import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere } from './files.ts'

const INPUTS = [
  'web/src',
  'web/public',
  'web/scripts',
  'contract/src',
  'web/index.html',
  'web/package.json',
  'package-lock.json',
]
const STAMP = '.limber-build'

/** Checks whether web/dist matches the sources, and builds it. */
export async function webBuild(root: string): Promise<{ isStale: boolean; build(signal: AbortSignal): Promise<void> }> {
  const wanted = await fingerprint(root)
  const dist = join(root, 'web/dist')
  const built = await readIfThere(join(dist, STAMP))
  return {
    isStale: built !== wanted,
    async build(signal) {
      // Built in a separate folder, so that a running server never serves a partial build.
      const aside = join(root, 'node_modules/.cache', `web-${process.pid}`)
      await mkdir(join(aside, '..'), { recursive: true })
      await rm(aside, { recursive: true, force: true })
      await runVite(root, ['build', '--outDir', aside, '--emptyOutDir', '--logLevel', 'warn'], signal)
      await writeFile(join(aside, STAMP), wanted)
      await rm(dist, { recursive: true, force: true })
      await rename(aside, dist)
    },
  }
}

function runVite(root: string, args: string[], signal: AbortSignal): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, ...args, '--config', join(root, 'web/vite.config.ts')], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The web app could not be built:\n${output.trim()}`))
    })
  })
}

/** A hash of the contents, so that a fresh checkout of the same sources is not stale. */
async function fingerprint(root: string): Promise<string> {
  const configs = (await readdir(join(root, 'web'))).filter((name) => /^(vite|postcss)\.config\./.test(name))
  const inputs = [...INPUTS, ...configs.map((name) => `web/${name}`)]
  const files = (await Promise.all(inputs.map((path) => filesOf(root, path)))).flat().sort()
  const contents = await Promise.all(files.map((path) => readFile(join(root, path))))
  const hash = createHash('sha256')
  for (const [index, path] of files.entries())
    hash.update(`${path}\0${contents[index]?.length}\0`).update(contents[index] ?? '')
  return hash.digest('hex')
}

async function filesOf(root: string, path: string): Promise<string[]> {
  const found = await stat(join(root, path)).catch(() => undefined)
  if (!found) return []
  if (!found.isDirectory()) return [path]
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}
