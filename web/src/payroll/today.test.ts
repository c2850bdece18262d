import { checkDiscrepancies } from '@limber/contract/payroll/audit.ts'
import { describe, expect, it } from 'vitest'
import { FakeServer } from '#platform/testing.server.ts'
import { makeCheck } from './payroll.testing.ts'
import { findDiscrepancies } from './today.ts'

const { signal } = new AbortController()
const found = (more: Parameters<typeof makeCheck>[0]) => {
  new FakeServer().answer(checkDiscrepancies, makeCheck(more)).install()
  return findDiscrepancies(signal)
}

describe('what waits today', () => {
  it('is what the hourly check found to be significant', async () => {
    expect(await found({})).toMatchObject([
      { title: '1 significant tax discrepancy', path: '/worker/managing/tax-audit?severity=significant' },
    ])
  })
  it('is nothing for mere warnings, and nothing before the first result', async () => {
    const { result } = makeCheck()
    expect(await found({ result: result && { ...result, significant: 0 } })).toEqual([])
    expect(await found({ state: 'running', result: null })).toEqual([])
  })
})
