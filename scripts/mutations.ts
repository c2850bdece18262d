/**
 * Changes the source in many small ways, one at a time, and checks that a test notices each. Prints the share of noticed
 * changes per area; fails below 80 %.
 *
 *     npm run test:mutations -- [AREA or path ...]
 */
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { mutated } from './mutations/areas.ts'

const root = join(import.meta.dirname, '..')
const LEAST = 80
const print = (text: string) => void process.stdout.write(text)

const given = process.argv.slice(2)
const isArea = (name: string): name is keyof typeof mutated => name in mutated
const slices: [name: string, files: readonly string[]][] =
  given.length === 0
    ? Object.entries(mutated).map(([name, { files }]) => [name, files])
    : given.map((name) => [name, isArea(name) ? mutated[name].files : [name]])

process.chdir(root)
const summary: string[] = []
for (const [name, files] of slices) {
  const results = await new Stryker({
    mutate: [...files, '!**/*.test.ts'],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutations/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    // Words are the business of the tests of calls, which read every reply.
    mutator: { excludedMutations: ['StringLiteral'] },
    concurrency: 1,
    dryRunTimeoutMinutes: 20,
    // A mutant that crashes the runner would make it report all later ones as errors.
    maxTestRunnerReuse: 50,
    // Only what the tests read, so that the copy is quick.
    ignorePatterns: ['/*', '!/contract', '!/server', '!/scripts', '!/package.json', '!/tsconfig.base.json'],
    reporters: ['clear-text', 'json'],
    jsonReporter: { fileName: join(root, 'test-results/mutations', `${name.replaceAll(/\W+/g, '-')}.json`) },
    clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
    allowConsoleColors: false,
    tempDirName: 'test-results/mutations/copy',
    disableTypeChecks: false,
    thresholds: { high: 90, low: LEAST, break: null },
  }).runMutationTest()
  const count = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const valid = noticed + count('Survived', 'NoCoverage')
  const score = valid === 0 ? 0 : (100 * noticed) / valid
  if (score < LEAST) process.exitCode = 1
  summary.push(`${name.padEnd(12)} ${score.toFixed(1).padStart(5)} %  ${noticed} of ${valid} changes noticed`)
}
print(`\n${summary.join('\n')}\n`)
