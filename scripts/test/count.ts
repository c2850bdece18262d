import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type Count = { passed: number; failed: number }

/** A duration with a name. */
export type Timed = { name: string; ms: number }

/** The result of a test run. */
export type Tally = Count & {
  /** File, test, and first line of the error of each failure. */
  failures: string[]
  /** The files with a failure. */
  failedFiles: string[]
  /** Failed first, then passed on the second run. */
  flaky: string[]
  /** Duration per file. */
  files: Timed[]
}

type VitestReport = {
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

/** Counts the tests of a vitest run. A file that could not be loaded counts as one failed test. */
export function countVitest({ testResults }: VitestReport): Tally {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ file: name, ...test })),
  )
  const failed = tests.filter(({ status }) => status === 'failed')
  // Includes files whose tests passed but whose hooks failed.
  const broken = testResults.filter(
    ({ name, status }) => status === 'failed' && !failed.some(({ file }) => file === name),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length + broken.length,
    failures: [
      ...broken.map(({ name, message }) => `${name}: ${firstLine(message)}`),
      ...failed.map(
        ({ file, fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages?.[0])}`,
      ),
    ],
    failedFiles: [...new Set([...broken.map(({ name }) => name), ...failed.map(({ file }) => file)])],
    flaky: [],
    files: testResults.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime })),
  }
}

/** Merges the retry of the failed files into the first run. The retry decides; tests that passed only there are flaky. */
export function mergeRetry(first: Tally, second: Tally, passedInFailedFiles: number): Tally {
  const failedAgain = new Set(second.failures.map(nameOf))
  return {
    ...second,
    files: first.files,
    passed: first.passed - passedInFailedFiles + second.passed,
    flaky: first.failures.filter((failure) => !failedAgain.has(nameOf(failure))),
  }
}

/** Counts the passed tests in these files. */
export function countPassedIn(files: readonly string[], { testResults }: VitestReport): number {
  return testResults
    .filter(({ name }) => files.includes(name))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length
}

type PlaywrightSuite = { specs?: PlaywrightSpec[]; suites?: PlaywrightSuite[] }
type PlaywrightSpec = {
  title: string
  file: string
  tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[]
}
type PlaywrightReport = { suites: PlaywrightSuite[]; errors: { message?: string }[] }

/** Counts the journeys of a Playwright run. Playwright retries failed ones by itself. */
export function countPlaywright({ suites, errors }: PlaywrightReport): Tally {
  const specs = suites.flatMap(specsOf)
  const of = (status: string) => specs.filter(({ tests }) => tests.some((test) => test.status === status))
  const failures = [...errors.map(({ message }) => firstLine(message)), ...of('unexpected').map(describe)]
  const flaky = of('flaky').map(describe)
  return {
    passed: of('expected').length + flaky.length,
    failed: failures.length,
    failures,
    failedFiles: of('unexpected').map(({ file }) => file),
    flaky,
    files: timeFiles(specs),
  }
}

/** The tests of one file run one after another, so their durations add up. */
function timeFiles(specs: PlaywrightSpec[]): Timed[] {
  const files = new Map<string, number>()
  for (const { file, tests } of specs)
    for (const { duration } of tests.flatMap(({ results }) => results))
      files.set(file, (files.get(file) ?? 0) + duration)
  return [...files].map(([file, ms]) => ({ name: `web/tests/${file}`, ms }))
}

const specsOf = ({ specs = [], suites = [] }: PlaywrightSuite): PlaywrightSpec[] => [
  ...specs,
  ...suites.flatMap(specsOf),
]

function describe({ file, title, tests }: PlaywrightSpec): string {
  const errors = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []))
  return `${file} > ${title}: ${firstLine(errors[0])}`
}

const nameOf = (failure: string) => failure.slice(0, failure.indexOf(': '))
const firstLine = (message = 'no error message') => message.trim().split('\n', 1)[0] ?? ''
