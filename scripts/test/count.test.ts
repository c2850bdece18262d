import { describe, expect, it } from 'vitest'
import { countPassedIn, countPlaywright, countVitest, mergeRetry } from './count.ts'

const good = { fullName: 'counts', status: 'passed' }
const took = (ms: number) => ({ startTime: 5, endTime: 5 + ms })
const bad = { fullName: 'adds', status: 'failed', failureMessages: ['expected 2 to be 3\n  at sum.test.ts:4'] }

describe('test counts', () => {
  it('names the file, test and error of each failure', () => {
    const testResults = [
      { ...took(200), name: 'a.test.ts', status: 'passed', assertionResults: [good, good] },
      { ...took(1500), name: 'sum.test.ts', status: 'failed', assertionResults: [good, bad] },
    ]
    const tally = countVitest({ testResults })
    expect(tally).toMatchObject({ passed: 3, failed: 1, failedFiles: ['sum.test.ts'] })
    expect(tally.failures).toEqual(['sum.test.ts > adds: expected 2 to be 3'])
    expect(countPassedIn(tally.failedFiles, { testResults })).toBe(1)
    expect(tally.files.map(({ ms }) => ms)).toEqual([200, 1500])
  })

  it('counts a file that could not be loaded, or whose hooks failed, as failed', () => {
    const testResults = [
      {
        ...took(1),
        name: 'a.test.ts',
        status: 'failed',
        message: 'Cannot find b.ts\nfrom a.test.ts',
        assertionResults: [],
      },
      { ...took(1), name: 'c.test.ts', status: 'failed', message: 'afterAll', assertionResults: [good] },
    ]
    const { passed, failed, failures } = countVitest({ testResults })
    expect({ passed, failed, failures }).toEqual({
      passed: 1,
      failed: 2,
      failures: ['a.test.ts: Cannot find b.ts', 'c.test.ts: afterAll'],
    })
  })

  it('uses the second run of a file and lists tests that passed only there as flaky', () => {
    const first = countVitest({
      testResults: [
        { ...took(1), name: 'a.test.ts', status: 'passed', assertionResults: [good] },
        {
          ...took(1),
          name: 'b.test.ts',
          status: 'failed',
          assertionResults: [good, bad, { ...bad, fullName: 'divides' }],
        },
      ],
    })
    const second = countVitest({
      testResults: [
        {
          ...took(1),
          name: 'b.test.ts',
          status: 'failed',
          assertionResults: [good, { ...good, fullName: 'adds' }, bad],
        },
      ],
    })
    second.failures = ['b.test.ts > divides: again']
    expect(mergeRetry(first, second, 1)).toMatchObject({
      passed: 3,
      failed: 1,
      failures: ['b.test.ts > divides: again'],
      flaky: ['b.test.ts > adds: expected 2 to be 3'],
    })
  })

  it('lists a journey that passed on retry as flaky and counts one that failed twice', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'way.spec.ts',
      tests: [{ status, results: [{ duration: 300, error: { message: 'no button\nat line 3' } }, { duration: 100 }] }],
    })
    const suites = [
      { specs: [spec('in', 'expected')], suites: [{ specs: [spec('on', 'flaky'), spec('out', 'unexpected')] }] },
    ]
    expect(countPlaywright({ suites, errors: [] })).toMatchObject({
      passed: 2,
      failed: 1,
      failures: ['way.spec.ts > out: no button'],
      flaky: ['way.spec.ts > on: no button'],
      files: [{ name: 'web/tests/way.spec.ts', ms: 1200 }],
    })
  })

  it('counts errors outside of journeys', () => {
    expect(countPlaywright({ suites: [], errors: [{ message: 'no browser' }] })).toMatchObject({
      failed: 1,
      failures: ['no browser'],
    })
  })
})
