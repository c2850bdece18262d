// @module-tag slow
import { execFileSync } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { root } from '#platform/paths.ts'
import { startPostgres } from '../embedded/postgres.ts'
import { makeScratchHome } from '../embedded/scratch.ts'
import { commands } from './commands.ts'

let folder: string
beforeEach(async () => {
  folder = await makeScratchHome('limber-commands-')
  vi.stubEnv('DATABASE_URL', undefined)
  vi.stubEnv('BACKUP_KEY', undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

/** Arguments that a command checks before it opens the database. */
const ARGUMENTS: Record<string, string[]> = { import: ['customers', import.meta.filename] }

async function run(name: string, values: Record<string, string> = {}) {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await commands[name]?.run(values, ARGUMENTS[name] ?? [])
    const [out, err] = [stdout, stderr].map(({ mock }) => mock.calls.map(([text]) => String(text)).join(''))
    return { out, err }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}

/** Commands that create an installation or need none. */
const WITHOUT_INSTALLATION = ['sample', 'restore', 'routes', 'undo', 'openapi', 'tax check']

it.each(Object.keys(commands).filter((name) => !WITHOUT_INSTALLATION.includes(name)))(
  'limber %s without DATABASE_URL reports that there is no installation, and creates none',
  async (name) => {
    const home = join(folder, 'none')
    vi.stubEnv('LIMBER_HOME', home)
    await expect(
      run(name, { email: 'olga@example.com', name: 'Olga', role: 'Owner', reason: 'asked' }),
    ).rejects.toThrow(`DATABASE_URL is not set, and ${home} has no Limber installation.`)
    await expect(stat(home)).rejects.toThrow('ENOENT')
  },
)

it('limber --version prints the version of the release', () => {
  const args = ['--disable-warning=ExperimentalWarning', join(root, 'server/src/cli/limber.ts'), '--version']
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it('limber without DATABASE_URL reports on stderr which database it uses', { timeout: 60_000 }, async () => {
  vi.stubEnv('LIMBER_HOME', folder)
  await (await startPostgres({ home: folder, log: () => {}, skipInitSync: true })).stop()
  expect(await run('migrate')).toEqual({
    out: expect.stringMatching(/^Applied 0001_platform/),
    err: `DATABASE_URL is not set: using the sample company in ${folder}.\n`,
  })
})
