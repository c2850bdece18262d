import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { recallPass } from './test/passed-before.ts'
import { type Outcome, runSuite, type Suite, stopAll } from './test/suite.ts'

const root = join(import.meta.dirname, '..')
const TYPED_RULES = ['no-floating-promises', 'no-misused-promises', 'await-thenable', 'switch-exhaustiveness-check']

const CONTRACT = ['contract']
const SERVER = ['contract', 'server', 'seed', 'fuzz', 'scripts', 'bench']
const WEB = ['contract', 'web']

/** Only what changed matters to the next check of types. One checker: several of one program repeat each other's work. */
const types = (name: string, project: string, reads: readonly string[]): Suite => ({
  name: `types: ${name}`,
  command: [
    ...(['tsc', '--noEmit', '--incremental', '--checkers', '1'] as const),
    ...['--tsBuildInfoFile', `node_modules/.cache/limber/types-${name.replace(' ', '-')}`, '-p', project],
  ],
  reads,
})

/** What Biome cannot see: the rest of its rules would only say things twice. */
const lintTyped = (name: string, folders: string[]): Suite => ({
  name: `lint with types: ${name}`,
  command: [
    ...(['oxlint', '--threads=1', '--type-aware', '-A', 'all'] as const),
    ...TYPED_RULES.flatMap((rule) => ['-D', `typescript/${rule}`]),
    ...folders,
  ],
  env: { GOMAXPROCS: '1' },
  reads: ['contract', ...folders],
})

// Checks of one kind count as one; vitest and Playwright count their tests.
const suites: Suite[] = [
  types('contract', 'contract', CONTRACT),
  types('server', 'server', SERVER),
  types('web', 'web', WEB),
  types('web tools', 'web/tsconfig.node.json', [...WEB, ...SERVER, 'crawl']),
  {
    name: 'format and lint',
    command: ['biome', 'ci', '--colors=off', '--diagnostic-level=error', '--max-diagnostics=100'],
  },
  lintTyped('server', SERVER),
  lintTyped('web', ['web', 'crawl']),
  { name: 'web build', command: ['node', 'scripts/build-web.ts'] },
  { name: 'habits', command: ['node', 'scripts/check-habits.ts'] },
  { name: 'boundaries', command: ['depcruise', 'contract/src', 'server/src', 'seed', 'web/src'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'contrast', command: ['node', 'web/scripts/check-contrast.mjs'] },
  // Lays breaches into the source tree, so nothing else may read it meanwhile.
  { name: 'boundary rules bite', command: ['node', 'scripts/try-boundaries.ts'], isAlone: true },
  {
    name: 'server',
    command: ['vitest', 'run', '--config', 'server/vitest.config.ts'],
    isAlone: true,
    counts: 'vitest',
    reads: SERVER,
  },
  {
    name: 'web',
    command: ['vitest', 'run', '--config', 'web/vitest.config.ts'],
    isAlone: true,
    counts: 'vitest',
    reads: WEB,
  },
  { name: 'bundle budgets', command: ['node', 'web/scripts/check-bundle.ts'], isAlone: true },
  {
    name: 'journeys',
    command: ['playwright', 'test', '--config', 'web/playwright.config.ts'],
    isAlone: true,
    counts: 'playwright',
  },
]

if (process.argv.includes('--help')) {
  process.stdout.write(
    `npm test -- [--quick] [--only SUITE] [--without SUITE]\n\n${suites.map(({ name }) => `  ${name}\n`).join('')}`,
  )
  process.exit()
}

// Nothing is run again on files on which it passed, and nothing that takes long by its nature: killed processes and the like.
const isQuick = process.argv.includes('--quick')
if (isQuick) process.env.LIMBER_QUICK_TESTS = '1'

const named = (flag: string) => process.argv.flatMap((word, at) => (process.argv[at - 1] === flag ? [word] : []))
const [only, without] = [named('--only'), named('--without')]
const unknown = [...only, ...without].filter((name) => !suites.some((suite) => suite.name === name))
if (unknown.length > 0) throw new Error(`No suite is called ${unknown.join(' or ')}.`)
const chosen = suites.filter(({ name }) => (only.length === 0 || only.includes(name)) && !without.includes(name))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopAll()
    process.exit(130)
  })
}

const reports = await mkdtemp(join(tmpdir(), 'limber-reports-'))
const outcomes: Outcome[] = []
let alike = 0
const run = async (suite: Suite) => {
  const before = suite.reads && (await recallPass(root, suite.name, suite.reads))
  if (isQuick && before?.passed !== undefined) {
    alike += before.passed
    process.stdout.write(`  same  ${suite.name} (${before.passed} passed on the same files)\n`)
    return
  }
  const outcome = await runSuite(suite, reports)
  outcomes.push(outcome)
  show(suite, outcome)
  if (outcome.failed === 0) await before?.keep(outcome.passed)
}

const together = chosen.filter((suite) => !suite.isAlone)
const workers = Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
  for (let suite = together.shift(); suite; suite = together.shift()) await run(suite)
})
await Promise.all(workers)
for (const suite of chosen.filter((each) => each.isAlone)) await run(suite)
await rm(reports, { recursive: true, force: true })

const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0)
const failed = sum((outcome) => outcome.failed)
process.stdout.write(`\n${sum((outcome) => outcome.passed) + alike} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0

function show({ name }: Suite, { passed, failed, ms, failures, unsteady, output }: Outcome): void {
  const tests = passed + failed > 1 ? `, ${passed} of ${passed + failed} passed` : ''
  process.stdout.write(`${failed > 0 ? 'FAILED' : '    ok'}  ${name} (${(ms / 1000).toFixed(1)} s${tests})\n`)
  for (const each of unsteady) process.stdout.write(`        passed only when it was run again: ${each}\n`)
  if (failed === 0) return
  for (const each of failures) process.stdout.write(`        ${each}\n`)
  // What passed is of no interest here. Indented, so that a suite's own closing line is not taken for ours.
  const rest = output.replaceAll(/^\s*(✓|ok\b).*\n/gm, '')
  process.stdout.write(`${rest.trimEnd().replaceAll(/^/gm, '        ')}\n`)
}
