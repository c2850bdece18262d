import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The last passing run of a suite, and a hash of its files. */
interface Pass {
  files: string
  passed: number
}

const run = promisify(execFile)
const SHARED_FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json']

/** A hash of these folders, untracked files included; undefined outside of a git repository. */
async function fingerprint(root: string, folders: readonly string[]): Promise<string | undefined> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders, ...SHARED_FILES]
  const listed = await run('git', args, { cwd: root, maxBuffer: 1e8 }).catch(() => undefined)
  if (!listed) return undefined
  const hash = createHash('sha256').update(process.version)
  for (const name of listed.stdout.split('\0').filter(Boolean).sort()) {
    // Deleted files that git still lists count as content too.
    const content = await readFile(join(root, name)).catch(() => 'gone')
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Tells whether a suite passed before on exactly these files, and saves a new pass. */
export async function readLastPass(root: string, suite: string, folders: readonly string[]) {
  const file = join(root, 'node_modules/.cache/limber', `${suite.replaceAll(/\W/g, '-')}.json`)
  const files = await fingerprint(root, folders)
  const last = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Partial<Pass>
  return {
    passed: files && last.files === files ? last.passed : undefined,
    async save(passed: number): Promise<void> {
      if (!files) return
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, JSON.stringify({ files, passed } satisfies Pass))
    },
  }
}
