/**
 * Removes each guard of the list in turn, in a copy of what is committed, and shows that a test turns red. A guard whose
 * removal nobody notices is either dead or untested; both are worth knowing.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { type Guard, guards } from './guards-list.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const say = (text: string) => void process.stdout.write(text)

/** The committed tree, apart from the one people work in, with the installed packages and its own contract. */
async function copyTree(): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'limber-guards-'))
  const archive = join(tree, 'tree.tar')
  const parts = ['contract', 'server', 'scripts', 'package.json', 'tsconfig.base.json']
  await run('git', ['archive', '-o', archive, 'HEAD', ...parts], { cwd: root })
  await run('tar', ['-xf', archive, '-C', tree])
  await mkdir(join(tree, 'node_modules/@limber'), { recursive: true })
  const packages = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '@limber')
  await Promise.all(packages.map((name) => symlink(join(root, 'node_modules', name), join(tree, 'node_modules', name))))
  for (const name of ['contract', 'server']) await symlink(join(tree, name), join(tree, 'node_modules/@limber', name))
  return tree
}

interface Outcome {
  numPassedTests: number
  numFailedTests: number
  success: boolean
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** The tests that failed, by name; a file that could not even be loaded counts by its own. */
const failures = ({ testResults }: Outcome) =>
  testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message && assertionResults.length === 0 ? [`${name}: ${message}`] : []),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ])

async function test(tree: string, adminUrl: string, files: readonly string[], name?: string): Promise<Outcome> {
  const report = join(tree, 'report.json')
  await rm(report, { force: true })
  const args = ['run', '--config', 'server/vitest.config.ts', '--reporter=json', `--outputFile=${report}`]
  if (name) args.push('-t', name)
  const env = { ...process.env, LIMBER_TEST_ADMIN: adminUrl, LIMBER_ROUNDS: 'many' }
  await run(join(root, 'node_modules/.bin/vitest'), [...args, ...files], { cwd: tree, env, maxBuffer: 1 << 26 }).catch(
    () => {},
  )
  return JSON.parse(await readFile(report, 'utf8')) as Outcome
}

/** What became of the tests without the guard: how many failed, or why nothing can be said. */
async function remove(
  tree: string,
  adminUrl: string,
  [file, text, without, tests, name]: Guard,
): Promise<number | string> {
  const path = join(tree, file)
  const whole = await readFile(path, 'utf8')
  if (whole.split(text).length !== 2) return `its text stands there ${whole.split(text).length - 1} times`
  await writeFile(
    path,
    whole.replace(text, () => without),
  )
  try {
    const { numFailedTests, numPassedTests } = await test(tree, adminUrl, [tests], name)
    if (numFailedTests === 0) return numPassedTests === 0 ? 'no test ran' : 'no test noticed'
    return numFailedTests
  } finally {
    await writeFile(path, whole)
  }
}

// npm run test:guards -- businesses stretchers: those alone.
const only = process.argv.slice(2)
const chosen = guards.filter(
  ([file, text]) => only.length === 0 || only.some((part) => `${file} ${text}`.includes(part)),
)
const tree = await copyTree()
const postgres = process.env.LIMBER_TEST_ADMIN
  ? { adminUrl: process.env.LIMBER_TEST_ADMIN, stop: async () => {} }
  : await startTestPostgres()
let missed = 0
try {
  const files = [...new Set(chosen.map(([, , , tests]) => tests))]
  const base = await test(tree, postgres.adminUrl, files)
  if (!base.success) throw new Error(`Tests are red before any guard is removed:\n${failures(base).join('\n')}`)
  say(`${base.numPassedTests} tests are green with every guard in place.\n`)
  for (const guard of chosen) {
    const outcome = await remove(tree, postgres.adminUrl, guard)
    if (typeof outcome === 'string') missed++
    const verdict = typeof outcome === 'string' ? `MISSED (${outcome})` : `noticed by ${outcome}`
    say(`${verdict.padEnd(28)} ${guard[0].split('/').at(-1)}: ${guard[1].trim().replace(/\s+/g, ' ').slice(0, 100)}\n`)
  }
  say(`\n${chosen.length - missed} of ${chosen.length} guards are noticed when they are removed.\n`)
} finally {
  await postgres.stop()
  await rm(tree, { recursive: true, force: true })
}
if (missed > 0) process.exitCode = 1
