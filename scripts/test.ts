import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Timed } from './test/count.ts'
import { readLastPass } from './test/passed-before.ts'
import { type Outcome, runSuite, type Suite, stopAll } from './test/suite.ts'

const root = join(import.meta.dirname, '..')
const WEB_BUILD = 'web build and its budgets'
const TYPED_RULES = ['no-floating-promises', 'no-misused-promises', 'await-thenable', 'switch-exhaustiveness-check']

const CONTRACT = ['contract']
const SERVER = ['contract', 'server', 'seed', 'fuzz', 'scripts', 'bench', 'examples']
const WEB = ['contract', 'web']

/** Memory for time: Go's garbage collector otherwise takes a seventh of a check. */
const GO = { GOGC: '400', GOMEMLIMIT: '3GiB' }

/** Incremental. One checker only: several checkers of one program repeat each other's work. */
const types = (name: string, project: string, reads: readonly string[]): Suite => ({
  name: `types: ${name}`,
  command: [
    ...(['tsc', '--noEmit', '--incremental', '--checkers', '1'] as const),
    ...['--tsBuildInfoFile', `node_modules/.cache/limber/types-${name.replace(' ', '-')}`, '-p', project],
  ],
  env: GO,
  reads,
})

/** Only the rules that need types; Biome covers the rest. The root's tsconfig.json names the project of each file. */
const lintTyped = (name: string, folders: string[]): Suite => ({
  name: `lint with types: ${name}`,
  command: [
    ...(['oxlint', '--threads=1', '--type-aware', '-A', 'all'] as const),
    ...TYPED_RULES.flatMap((rule) => ['-D', `typescript/${rule}`]),
    ...folders,
  ],
  env: { ...GO, GOMAXPROCS: '1' },
  reads: ['contract', ...folders],
})

// Suites that take many minutes, run one after another. `npm test` has a short form of each.
const long: Suite[] = [
  {
    name: 'server, many rounds',
    command: ['vitest', 'run', '--config', 'server/vitest.config.ts'],
    env: { LIMBER_ROUNDS: 'many' },
    counts: 'vitest',
  },
  {
    name: 'import of 100,000 customers',
    command: ['playwright', 'test', '--config', 'web/playwright.config.ts', 'imports.spec'],
    env: { LIMBER_ROUNDS: 'many' },
    counts: 'playwright',
    needsWebBuild: true,
  },
  {
    // Without Dovecot, this runs against the small IMAP server, as `npm test` does.
    name: 'emails through Dovecot',
    command: ['playwright', 'test', '--config', 'web/playwright.config.ts', 'support-mail.spec'],
    env: { LIMBER_ROUNDS: 'many' },
    counts: 'playwright',
    needsWebBuild: true,
  },
  {
    // Runs nothing where Firefox is not installed.
    name: 'Firefox',
    command: ['playwright', 'test', '--config', 'web/playwright.firefox.config.ts', '--pass-with-no-tests'],
    counts: 'playwright',
    needsWebBuild: true,
  },
  { name: 'fuzz', command: ['node', 'scripts/fuzz.ts'] },
  { name: 'kills', command: ['node', 'scripts/try-kills.ts'] },
  {
    name: 'server through PgBouncer',
    command: ['vitest', 'run', '--config', 'server/vitest.config.ts'],
    env: { LIMBER_TEST_POOLER: 'start', LIMBER_SLOW: 'without' },
    counts: 'vitest',
  },
  { name: 'upgrade', command: ['node', 'scripts/upgrade/try-upgrade.ts'] },
  { name: 'faults', command: ['sh', '-c', 'node scripts/build-server.ts && node scripts/faults/try-faults.ts'] },
  // Short form: server/src/backups/restore/settle-recovered.test.ts
  { name: 'recovery', command: ['node', 'scripts/recovery/try-recovery.ts'] },
  // Short forms: metrics.test.ts and traces.test.ts
  { name: 'watch', command: ['node', 'scripts/watch/try-watch.ts'] },
  { name: 'replica', command: ['node', 'scripts/failover/try-replica.ts'] },
  // Short form: server/src/platform/db/servers.test.ts
  { name: 'failover', command: ['node', 'scripts/failover/try-failover.ts'] },
  { name: 'crawl', command: ['node', 'crawl/crawl.ts'] },
]

// Run in this order, several at a time. vitest and Playwright count their tests; every other suite counts as one.
const short: Suite[] = [
  // Writes violations into the source tree, so nothing else may read it at the same time.
  { name: 'boundaries and unused code', command: ['node', 'scripts/try-boundaries.ts'], runsAlone: true },
  // One CPU builds the web pages while the other checks types.
  { name: WEB_BUILD, command: ['sh', '-c', 'node scripts/build-web.ts && node web/scripts/check-bundle.ts'] },
  types('server', 'server', SERVER),
  types('web', 'web', WEB),
  types('contract', 'contract', CONTRACT),
  types('web tools', 'web/tsconfig.node.json', [...WEB, ...SERVER, 'crawl']),
  {
    name: 'server',
    command: ['vitest', 'run', '--config', 'server/vitest.config.ts'],
    counts: 'vitest',
    reads: SERVER,
    needsWebBuild: true,
  },
  {
    name: 'format and lint',
    command: ['biome', 'ci', '--colors=off', '--diagnostic-level=error', '--max-diagnostics=100'],
  },
  lintTyped('server', SERVER),
  lintTyped('web', ['web', 'crawl']),
  { name: 'habits', command: ['node', 'scripts/check-habits.ts'] },
  { name: 'migrations', command: ['node', 'scripts/migrations.ts'] },
  { name: 'OpenAPI document', command: ['node', 'scripts/check-openapi.ts'], reads: ['contract', 'server', 'scripts'] },
  { name: 'contrast', command: ['node', 'web/scripts/check-contrast.mjs'] },
  {
    name: 'journeys',
    command: ['playwright', 'test', '--config', 'web/playwright.config.ts'],
    counts: 'playwright',
    needsWebBuild: true,
  },
  {
    name: 'web',
    command: ['vitest', 'run', '--config', 'web/vitest.config.ts'],
    counts: 'vitest',
    reads: WEB,
  },
]

const isLong = process.argv.includes('--long')
const suites = isLong ? long.map((suite) => ({ ...suite, runsAlone: true, minutes: 240 })) : short

if (process.argv.includes('--help')) {
  process.stdout.write(
    `npm test -- [--quick | --long] [--only SUITE] [--without SUITE]\n\n${suites.map(({ name }) => `  ${name}\n`).join('')}`,
  )
  process.exit()
}

// Skips suites that already passed on the same files, and tests tagged as slow.
const isQuick = process.argv.includes('--quick')
if (isQuick) process.env.LIMBER_SLOW = 'without'

const valuesOf = (flag: string) => process.argv.flatMap((value, i) => (process.argv[i - 1] === flag ? [value] : []))
const [only, without] = [valuesOf('--only'), valuesOf('--without')]
const unknown = [...only, ...without].filter((name) => !suites.some((suite) => suite.name === name))
if (unknown.length > 0)
  throw new Error(`Unknown suite: ${unknown.join(', ')}. List the suites with: npm test -- --help`)
const selected = suites.filter(({ name }) => (only.length === 0 || only.includes(name)) && !without.includes(name))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopAll()
    process.exit(130)
  })
}

const reports = mkdtempSync(join(tmpdir(), 'limber-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
const outcomes: Outcome[] = []
const timings: Timed[] = []
const seconds = (ms: number) => (ms / 1000).toFixed(1)
let cachedPasses = 0
const run = async (suite: Suite) => {
  const lastPass = suite.reads && (await readLastPass(root, suite.name, suite.reads))
  if (isQuick && lastPass?.passed !== undefined) {
    cachedPasses += lastPass.passed
    process.stdout.write(`cached  ${suite.name} (${lastPass.passed} passed before on the same files)\n`)
    return
  }
  const outcome = await runSuite(suite, reports)
  outcomes.push(outcome)
  timings.push({ name: `${suite.name} (${seconds(outcome.cpuMs)} s of CPU)`, ms: outcome.ms })
  show(suite, outcome)
  if (outcome.failed === 0) await lastPass?.save(outcome.passed)
}

for (const suite of selected.filter(({ runsAlone }) => runsAlone)) await run(suite)
const queue = selected.filter(({ runsAlone }) => !runsAlone)
// One more at a time than the machine has processors: a suite often waits for its database, its browser or a timer.
const laneCount = availableParallelism() + 1
let webBuild: Promise<void> | undefined
const lanes = Array.from({ length: laneCount }, async () => {
  for (let suite = queue.shift(); suite; suite = queue.shift()) {
    if (suite.needsWebBuild) await webBuild
    const running = run(suite)
    if (suite.name === WEB_BUILD) webBuild = running
    await running
  }
})
await Promise.all(lanes)

const printSlowest = (title: string, timed: Timed[], max: number) => {
  const shown = timed.toSorted((a, b) => b.ms - a.ms).slice(0, max)
  process.stdout.write(`\n${title}\n`)
  for (const { name, ms } of shown) process.stdout.write(`  ${seconds(ms).padStart(6)} s  ${name}\n`)
}
const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0)
const cpuMs = sum((outcome) => outcome.cpuMs)
printSlowest(
  `Time per suite, ${isLong ? 'one' : laneCount} at a time: ${seconds(performance.now())} s, ${seconds(cpuMs)} s of CPU`,
  timings,
  timings.length,
)
const files = outcomes.flatMap((outcome) => outcome.files)
if (files.length > 0) printSlowest('10 slowest files', files, 10)

const failed = sum((outcome) => outcome.failed)
process.stdout.write(`\n${sum((outcome) => outcome.passed) + cachedPasses} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0

function show({ name }: Suite, { passed, failed, ms, failures, flaky, output }: Outcome): void {
  const tests = passed + failed > 1 ? `, ${passed} of ${passed + failed} passed` : ''
  process.stdout.write(`${failed > 0 ? 'FAILED' : '    ok'}  ${name} (${seconds(ms)} s${tests})\n`)
  for (const each of flaky) process.stdout.write(`        flaky, passed on the second run: ${each}\n`)
  if (failed === 0) return
  for (const each of failures) process.stdout.write(`        ${each}\n`)
  // Leaves out what passed. Indented, so that the suite's own summary is not mistaken for ours.
  const rest = output.replaceAll(/^\s*(✓|ok\b).*\n/gm, '')
  process.stdout.write(`${rest.trimEnd().replaceAll(/^/gm, '        ')}\n`)
}
