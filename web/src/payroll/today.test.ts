import { checkDiscrepancies } from '@limber/contract/payroll/audit/audit.ts'
import { listEarners } from '@limber/contract/payroll/earners/earner.ts'
import { listPeriods } from '@limber/contract/payroll/entries/period.ts'
import { describe, expect, it, vi } from 'vitest'
import { FakeServer } from '#platform/testing/testing.server.ts'
import { findEarners } from './palette-search.ts'
import { makeCheck, makeEarner } from './payroll.testing.ts'
import { findDiscrepancies, findOpenPeriods } from './today.ts'

const { signal } = new AbortController()
const found = (more: Parameters<typeof makeCheck>[0]) => {
  new FakeServer().answer(checkDiscrepancies, makeCheck(more)).install()
  return findDiscrepancies(signal)
}

describe('Today items', () => {
  it('lists significant discrepancies of the hourly check', async () => {
    expect(await found({})).toMatchObject([
      { title: '1 significant tax discrepancy', path: '/worker/managing/tax-audit?severity=significant' },
    ])
  })
  it('says that the check ran before the latest fix', async () => {
    const [item] = await found({ fixed_since: true })
    expect(item?.detail).toMatch(/^Last 30 days, checked at \d+:\d\d [AP]M, before the latest fix$/)
  })
  it('is empty for warnings only, but not for an unfinished check', async () => {
    const { result } = makeCheck()
    expect(await found({ result: result && { ...result, significant: 0 } })).toEqual([])
    expect(await found({ state: 'running', result: null })).toMatchObject([
      { title: 'The hourly tax check is running' },
    ])
    expect(await found({ state: 'failed', result: null })).toMatchObject([{ title: 'The hourly tax check failed' }])
  })
  it('lists paid pay periods that are still open, without upcoming ones', async () => {
    const period = {
      frequency: 'biweekly',
      closed_at: null,
      closed_by: null,
      entries: 3,
      amount: 90,
      version: 1,
    } as const
    const periods = [
      { ...period, id: 3, starts_on: '2026-11-09', ends_on: '2026-11-22', pay_date: '2999-11-27', status: 'open' },
      { ...period, id: 2, starts_on: '2026-10-26', ends_on: '2026-11-08', pay_date: '2020-11-13', status: 'open' },
      { ...period, id: 1, starts_on: '2026-10-12', ends_on: '2026-10-25', pay_date: '2020-10-30', status: 'closed' },
    ] as const
    const pagination = { page: 1, limit: 20, totalItems: 3, totalPages: 1 }
    const server = new FakeServer().answer(listPeriods, { periods: [...periods], pagination })
    server.install()
    expect(await findOpenPeriods(signal)).toMatchObject([
      { title: '1 paid pay period is still open', detail: 'The oldest is Oct 26 – Nov 8, 2026' },
    ])
    server.answer(listPeriods, { periods: [periods[0], periods[2]], pagination })
    expect(await findOpenPeriods(signal)).toEqual([])
  })
})

describe('command palette', () => {
  it('finds earners by part of their name', async () => {
    const pagination = { page: 1, limit: 5, totalItems: 1, totalPages: 1 }
    new FakeServer().answer(listEarners, { earners: [makeEarner()], pagination }).install()
    const [item] = await findEarners('maris', signal)
    const go = vi.fn()
    item?.run(go)
    expect(item).toMatchObject({ title: 'Marisol Vega', detail: 'stretcher' })
    expect(go).toHaveBeenCalledWith('/worker/financial/earners?earner=3')
  })
})
