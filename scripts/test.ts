import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Timed } from './test/count.ts'
import { recallPass } from './test/passed-before.ts'
import { type Outcome, runSuite, type Suite, stopAll } from './test/suite.ts'

const root = join(import.meta.dirname, '..')
const PAGES = 'web build and its budgets'
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

// What needs many minutes by its nature, one after the other; `npm test` has a short form of each.
const long: Suite[] = [
  {
    name: 'slow server tests, many rounds',
    command: ['vitest', 'run', '--config', 'server/vitest.config.ts'],
    env: { LIMBER_SLOW: 'only', LIMBER_ROUNDS: 'many' },
    counts: 'vitest',
  },
  { name: 'fuzz', command: ['node', 'scripts/fuzz.ts'] },
  { name: 'kills', command: ['node', 'scripts/try-kills.ts'] },
  { name: 'crawl', command: ['node', 'crawl/crawl.ts'] },
]

// Checks of one kind count as one; vitest and Playwright count their tests. In this order, two at a time.
const short: Suite[] = [
  // Lays breaches into the source tree, so nothing else may read it meanwhile.
  { name: 'boundaries', command: ['node', 'scripts/try-boundaries.ts'], isAlone: true },
  // One processor builds the pages; the other checks types meanwhile.
  { name: PAGES, command: ['sh', '-c', 'node scripts/build-web.ts && node web/scripts/check-bundle.ts'] },
  types('server', 'server', SERVER),
  types('web', 'web', WEB),
  types('contract', 'contract', CONTRACT),
  types('web tools', 'web/tsconfig.node.json', [...WEB, ...SERVER, 'crawl']),
  {
    name: 'server',
    command: ['vitest', 'run', '--config', 'server/vitest.config.ts'],
    counts: 'vitest',
    reads: SERVER,
    needsPages: true,
  },
  {
    name: 'format and lint',
    command: ['biome', 'ci', '--colors=off', '--diagnostic-level=error', '--max-diagnostics=100'],
  },
  lintTyped('server', SERVER),
  lintTyped('web', ['web', 'crawl']),
  { name: 'habits', command: ['node', 'scripts/check-habits.ts'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'contrast', command: ['node', 'web/scripts/check-contrast.mjs'] },
  {
    name: 'journeys',
    command: ['playwright', 'test', '--config', 'web/playwright.config.ts'],
    counts: 'playwright',
    needsPages: true,
  },
  {
    name: 'web',
    command: ['vitest', 'run', '--config', 'web/vitest.config.ts'],
    counts: 'vitest',
    reads: WEB,
  },
]

const isLong = process.argv.includes('--long')
const suites = isLong ? long.map((suite) => ({ ...suite, isAlone: true, minutes: 240 })) : short

if (process.argv.includes('--help')) {
  process.stdout.write(
    `npm test -- [--quick | --long] [--only SUITE] [--without SUITE]\n\n${suites.map(({ name }) => `  ${name}\n`).join('')}`,
  )
  process.exit()
}

// Nothing is run again on files on which it passed, and nothing that is tagged as slow: killed processes and the like.
const isQuick = process.argv.includes('--quick')
if (isQuick) process.env.LIMBER_SLOW = 'without'

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
const parts: Timed[] = []
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
  parts.push({ name: suite.name, ms: outcome.ms })
  show(suite, outcome)
  if (outcome.failed === 0) await before?.keep(outcome.passed)
}

for (const suite of chosen.filter((each) => each.isAlone)) await run(suite)
const together = chosen.filter((suite) => !suite.isAlone)
// One waits for its database, its browser or a killed process while the other works.
let pages: Promise<void> | undefined
const lanes = Array.from({ length: 2 }, async () => {
  for (let suite = together.shift(); suite; suite = together.shift()) {
    if (suite.needsPages) await pages
    const running = run(suite)
    if (suite.name === PAGES) pages = running
    await running
  }
})
await Promise.all(lanes)
await rm(reports, { recursive: true, force: true })

const longest = (title: string, timed: Timed[], most: number) => {
  const shown = timed.toSorted((a, b) => b.ms - a.ms).slice(0, most)
  process.stdout.write(`\n${title}\n`)
  for (const { name, ms } of shown) process.stdout.write(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}\n`)
}
longest(
  `Time of each part, ${isLong ? 'one' : 'two'} at a time: ${(performance.now() / 1000).toFixed(0)} s in all`,
  parts,
  parts.length,
)
const files = outcomes.flatMap((outcome) => outcome.files)
if (files.length > 0) longest('The ten slowest files', files, 10)

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
