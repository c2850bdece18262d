import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** What a suite printed when it last passed, and on which files. */
interface Pass {
  files: string
  passed: number
}

const run = promisify(execFile)
const EVERYWHERE = ['package.json', 'package-lock.json', 'tsconfig.base.json']

/** One word for the content of these folders, new files included; none where that cannot be told. */
async function fingerprint(root: string, folders: readonly string[]): Promise<string | undefined> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders, ...EVERYWHERE]
  const listed = await run('git', args, { cwd: root, maxBuffer: 1e8 }).catch(() => undefined)
  if (!listed) return undefined
  const hash = createHash('sha256').update(process.version)
  for (const name of listed.stdout.split('\0').filter(Boolean).sort()) {
    // Deleted, but not yet for git: not there is a content too.
    const content = await readFile(join(root, name)).catch(() => 'gone')
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Whether a suite passed on just these files before, and a way to say so for the next time. */
export async function recallPass(root: string, suite: string, folders: readonly string[]) {
  const file = join(root, 'node_modules/.cache/limber', `${suite.replaceAll(/\W/g, '-')}.json`)
  const files = await fingerprint(root, folders)
  const last = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Partial<Pass>
  return {
    passed: files && last.files === files ? last.passed : undefined,
    async keep(passed: number): Promise<void> {
      if (!files) return
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, JSON.stringify({ files, passed } satisfies Pass))
    },
  }
}
