/**
 * Removes each guard in turn, in a copy of the committed tree, and checks that a test fails. A guard whose removal breaks
 * no test is either dead or untested.
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
const print = (text: string) => void process.stdout.write(text)

/** A copy of the committed tree, with links to the installed packages. */
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

/** The names of the failed tests, and of files that could not be loaded. */
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

/** Runs the tests without the guard. Returns how many failed, or why that proves nothing. */
async function remove(
  tree: string,
  adminUrl: string,
  [file, text, without, tests, name]: Guard,
): Promise<number | string> {
  const path = join(tree, file)
  const original = await readFile(path, 'utf8')
  if (original.split(text).length !== 2) return `its text occurs ${original.split(text).length - 1} times`
  await writeFile(
    path,
    original.replace(text, () => without),
  )
  try {
    const { numFailedTests, numPassedTests } = await test(tree, adminUrl, [tests], name)
    if (numFailedTests === 0) return numPassedTests === 0 ? 'no test ran' : 'no test failed'
    return numFailedTests
  } finally {
    await writeFile(path, original)
  }
}

// npm run test:guards -- businesses stretchers: only guards whose file or text contains one of the words.
const only = process.argv.slice(2)
const selected = guards.filter(
  ([file, text]) => only.length === 0 || only.some((part) => `${file} ${text}`.includes(part)),
)
const tree = await copyTree()
const postgres = process.env.LIMBER_TEST_ADMIN
  ? { adminUrl: process.env.LIMBER_TEST_ADMIN, stop: async () => {} }
  : await startTestPostgres()
let missed = 0
try {
  const files = [...new Set(selected.map(([, , , tests]) => tests))]
  const base = await test(tree, postgres.adminUrl, files)
  if (!base.success) throw new Error(`Tests fail before any guard is removed:\n${failures(base).join('\n')}`)
  print(`${base.numPassedTests} tests pass with all guards in place.\n`)
  for (const guard of selected) {
    const outcome = await remove(tree, postgres.adminUrl, guard)
    if (typeof outcome === 'string') missed++
    const verdict = typeof outcome === 'string' ? `MISSED (${outcome})` : `caught by ${outcome}`
    print(
      `${verdict.padEnd(28)} ${guard[0].split('/').at(-1)}: ${guard[1].trim().replace(/\s+/g, ' ').slice(0, 100)}\n`,
    )
  }
  print(`\n${selected.length - missed} of ${selected.length} guards are covered by a test.\n`)
} finally {
  await postgres.stop()
  await rm(tree, { recursive: true, force: true })
}
if (missed > 0) process.exitCode = 1
