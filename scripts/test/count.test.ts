import { describe, expect, it } from 'vitest'
import { countPlaywright, countVitest } from './count.ts'

describe('the count of tests', () => {
  it('counts a file that could not be loaded as failed', () => {
    const testResults = [
      { status: 'passed', assertionResults: [{}, {}] },
      { status: 'failed', assertionResults: [{}] },
      { status: 'failed', assertionResults: [] },
    ]
    expect(countVitest({ numPassedTests: 2, numFailedTests: 1, testResults })).toEqual({ passed: 2, failed: 2 })
  })

  it('counts a journey that passed only at a second try as failed', () => {
    const stats = { expected: 3, unexpected: 1, flaky: 1 }
    expect(countPlaywright({ stats, errors: [] })).toEqual({ passed: 3, failed: 2 })
  })
})
