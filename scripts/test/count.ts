import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type Count = { passed: number; failed: number }

/** How long something took. */
export type Timed = { name: string; ms: number }

/** What a run of tests came to. */
export type Tally = Count & {
  /** Each failure: where, which test, and the first line of why. */
  failures: string[]
  /** The files in which something failed. */
  failedFiles: string[]
  /** What failed at first and passed when it was run again. */
  unsteady: string[]
  /** How long each file took. */
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

/** The tests of a vitest run; a file that could not be loaded has no tests and counts as one that failed. */
export function countVitest({ testResults }: VitestReport): Tally {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ file: name, ...test })),
  )
  const failed = tests.filter(({ status }) => status === 'failed')
  // Also a file whose tests passed, but not what stands around them.
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
    unsteady: [],
    files: testResults.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime })),
  }
}

/** A run and a second one of the files that failed in it: the second decides, and what only it passed is named. */
export function afterSecondTry(first: Tally, second: Tally, passedInFailedFiles: number): Tally {
  const again = new Set(second.failures.map(nameOf))
  return {
    ...second,
    files: first.files,
    passed: first.passed - passedInFailedFiles + second.passed,
    unsteady: first.failures.filter((failure) => !again.has(nameOf(failure))),
  }
}

/** How many tests passed in these files. */
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

/** The journeys of a Playwright run, which walks those that fail a second time by itself. */
export function countPlaywright({ suites, errors }: PlaywrightReport): Tally {
  const specs = suites.flatMap(specsOf)
  const of = (status: string) => specs.filter(({ tests }) => tests.some((test) => test.status === status))
  const failures = [...errors.map(({ message }) => firstLine(message)), ...of('unexpected').map(describe)]
  const unsteady = of('flaky').map(describe)
  return {
    passed: of('expected').length + unsteady.length,
    failed: failures.length,
    failures,
    failedFiles: of('unexpected').map(({ file }) => file),
    unsteady,
    files: timeFiles(specs),
  }
}

/** The tests of one file run one after the other. */
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
const firstLine = (message = 'no reason was given') => message.trim().split('\n', 1)[0] ?? ''
