// @module-tag slow
import {
  type AuditResult,
  checkDiscrepancies,
  fixDiscrepancies,
  listAdjustments,
  previewFix,
  runAudit,
  undoFix,
} from '@limber/contract/payroll/audit/audit.ts'
import { explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import { lastDays } from '../labels.ts'
import {
  makeAdjustment,
  makeAudit,
  makeCheck,
  makeDiscrepancy,
  makeExplanation,
  makePreview,
  makeWarning,
} from '../payroll.testing.ts'
import TaxAudit from './tax-audit.screen.tsx'

const path = '/worker/financial/tax-audit'
const found = () => makeAudit([makeDiscrepancy(), makeWarning()])
const many = () =>
  makeAudit(Array.from({ length: 12 }, (_, n) => makeDiscrepancy({ payroll_id: 100 + n, amount: n + 1 })))

function makeServer(result: AuditResult) {
  const state = { result }
  const server = new FakeServer()
    .answer(runAudit, () => state.result)
    .answer(checkDiscrepancies, makeCheck())
    .answer(explainEntry, makeExplanation())
    .answer(previewFix, makePreview())
    .answer(listAdjustments, { adjustments: [], pagination: { page: 1, limit: 10, totalItems: 0, totalPages: 1 } })
  return { server, state }
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const table = (name: string) => screen.findByRole('table', { name })
const bodyOf = (server: FakeServer, call: object) => server.requests.findLast((one) => one.call === call)?.body
const fixAll = async (user: { click(element: Element): Promise<void> }) => {
  await table('Discrepancies')
  await user.click(button('Fix All'))
  return screen.findByRole('dialog', { name: 'Fix All: preview' })
}

describe('tax audit', () => {
  it('runs on load for the last 30 days and again on request', async () => {
    const { server } = makeServer(found())
    const { user } = await renderScreen(<TaxAudit />, { server, path })
    await table('Discrepancies')
    expect(bodyOf(server, runAudit)).toMatchObject(lastDays())
    await user.click(button('Run Audit'))
    await waitFor(() => expect(server.callCount(runAudit)).toBe(2))
  })

  it('shows totals, both sides of each entry with four decimals, severity and earners', async () => {
    const { server } = makeServer(found())
    await renderScreen(<TaxAudit />, { server, path })
    const rows = within(await table('Discrepancies'))
      .getAllByRole('row')
      .slice(2)
    expect(rows.map((row) => row.textContent)).toEqual([
      withoutCurrentYear(
        'PR-20418Marisol VegaSingleNov 13, 2026$2,140.0000$385.2000$429.2500−$44.0500$236.4700$163.7100+$72.7600Significant',
      ),
      withoutCurrentYear(
        'PR-20402Renata SolisMarried filing jointlyNov 13, 2026$1,650.0000$210.9263$210.9300−$0.0037$126.2300$126.2300$0.0000Warning',
      ),
    ])
    const totals = screen.getByRole('region', { name: 'Totals' }).textContent
    expect(totals).toContain('30daysOct 16 – Nov 14, 2026')
    expect(totals).toContain('21 significant, 1 warning')
    expect(totals).toContain('−$44.0537Underwithheld')
    expect(totals).toContain('+$72.7600Overpaid')
    const summary = within(await table('Earner summary')).getAllByRole('row')
    expect(summary.at(-1)?.textContent).toBe('All earners184−$44.0537+$72.7600')
    expect(screen.getByText('These figures are for reference only and are not tax advice.')).toBeTruthy()
    expect(screen.getByText('2026 tax tables: IRS Pub 15-T (2026); EDD rates for 2026.')).toBeTruthy()
  })

  it('keeps a new date range in the URL and runs it', async () => {
    const { server } = makeServer(found())
    const { user, router } = await renderScreen(<TaxAudit />, { server, path })
    await table('Discrepancies')
    const start = screen.getByLabelText('Start date')
    await user.clear(start)
    await user.type(start, '2026-09-01')
    await user.click(button('Run Audit'))
    await waitFor(() => expect(bodyOf(server, runAudit)).toMatchObject({ startDate: '2026-09-01' }))
    expect(router.state.location.search).toMatchObject({ from: '2026-09-01' })
  })

  it('pages, filters and sorts the list, and keeps that in the URL', async () => {
    const { server } = makeServer(many())
    const { user, router } = await renderScreen(<TaxAudit />, { server, path })
    const ids = async () =>
      within(await table('Discrepancies'))
        .getAllByRole('button', { name: /^Show steps for/ })
        .map((one) => one.getAttribute('aria-label')?.slice('Show steps for PR-'.length))
    expect(await ids()).toEqual(['100', '101', '102', '103', '104'])
    expect(screen.getByText('1 to 5 of 12')).toBeTruthy()
    await user.click(button('Page 3'))
    expect(await ids()).toEqual(['110', '111'])
    await user.click(button('Amount'))
    expect(await ids()).toEqual(['111', '110', '109', '108', '107'])
    expect(router.state.location.search).toMatchObject({ sort: '-amount' })
    await user.selectOptions(screen.getByLabelText('Severity'), 'warning')
    expect(await screen.findByText('No discrepancies found')).toBeTruthy()
    await user.selectOptions(screen.getByLabelText('Severity'), '')
    await user.click(button('Renata Solis'))
    expect(await screen.findByText('No discrepancies found')).toBeTruthy()
    expect(router.state.location.search).toMatchObject({ earner: '4' })
    await user.click(button('Clear filter: Renata Solis'))
    expect(await ids()).toHaveLength(5)
  })

  it('shows its progress', async () => {
    const { server } = makeServer(found())
    let finish = () => {}
    server.answer(runAudit, async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return found()
    })
    await renderScreen(<TaxAudit />, { server, path })
    await waitFor(() => expect(bodyOf(server, runAudit)).toBeTruthy())
    const { progressId } = bodyOf(server, runAudit) as { progressId: string }
    const publishProgress = (id: string, done: number) =>
      act(() =>
        FakeEventSource.last.onmessage?.({
          data: JSON.stringify({ topic: 'payroll.audit', progressId: id, done, total: 184 }),
        }),
      )
    publishProgress('another-audit', 7)
    publishProgress(progressId, 46)
    const bar = await screen.findByRole('progressbar', { name: 'Running the audit' })
    expect(bar.getAttribute('aria-valuenow')).toBe('25')
    expect(screen.getByText('46 of 184 entries')).toBeTruthy()
    finish()
    await table('Discrepancies')
  })

  it('shows the error of the server and can be retried', async () => {
    const { server } = makeServer(found())
    server.answer(runAudit, new Refusal(422, 'no_tables', 'There are no tax tables for 2024.'))
    const { user } = await renderScreen(<TaxAudit />, { server, path })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Failed to run payroll audit.')
    expect(alert.textContent).toContain('There are no tax tables for 2024.')
    server.answer(runAudit, found())
    await user.click(button('Retry'))
    await table('Discrepancies')
  })

  it('disables Fix All without discrepancies', async () => {
    const { server } = makeServer(makeAudit([], { total_employee_discrepancy: 0, total_employer_discrepancy: 0 }))
    await renderScreen(<TaxAudit />, { server, path })
    expect(await screen.findByText('No discrepancies')).toBeTruthy()
    expect(button('Fix All').disabled).toBe(true)
  })

  it('runs again after a payroll change, and shows the hourly check', async () => {
    const { server, state } = makeServer(found())
    await renderScreen(<TaxAudit />, { server, path })
    await table('Discrepancies')
    expect(await screen.findByText(/found 1 significant, 1 warning/)).toBeTruthy()
    state.result = makeAudit([makeWarning()])
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"payroll","operationId":7}' }))
    await waitFor(() => expect(screen.queryByText('PR-20418')).toBeNull())
  })
})

describe('explanation', () => {
  it('expands in the row and shows steps, rules and likely cause', async () => {
    const { server } = makeServer(found())
    const { user, router } = await renderScreen(<TaxAudit />, { server, path })
    await table('Discrepancies')
    await user.click(button('Show steps for PR-20418'))
    const steps = await table('Employee side')
    const text = (row: HTMLElement) => [...row.children].map((cell) => cell.textContent).join(' | ')
    expect(within(steps).getAllByRole('row').map(text)).toEqual([
      'Wages this pay period | Oct 26 – Nov 8, 2026, biweekly, 1 entry | $2,140.0000',
      withoutCurrentYear('This entry | session, Oct 26, 2026 | $2,140.0000'),
      'Year to date before this pay date | wages since Jan 1, 2026 | $44,310.0000',
      'Filing status | single, W-4 and DE 4 effective Jan 1, 2024, no allowances | ',
      'Federal income tax | Rule of Federal income tax | $172.9500',
      'Annual wages | 2,140.00 × 26 | 55,640.00',
      'Less line 1g | W-4 step 2 not checked | −8,600.00',
      'Adjusted annual wage |  | 47,040.00',
      'Per pay period | 4,496.80 ÷ 26 | 172.95',
      'Social Security | 6.2%, base not exceeded | $256.3000',
      'Calculated |  | $429.2500',
      withoutCurrentYear('Withheld | recorded Nov 13, 2026 | $385.2000'),
      'Difference | withheld − calculated | −$44.0500',
    ])
    expect(screen.getByText('Employee: Withheld at the flat provisional rate of 18%.')).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Tax rules for 2026' }).textContent).toContain('IRS Pub 15-T (2026)')
    expect(router.state.location.search).toMatchObject({ entry: '20418' })
    await user.click(button('Show steps for PR-20418'))
    await waitFor(() => expect(screen.queryByRole('table', { name: 'Employee side' })).toBeNull())
  })

  it('splits the tax between entries that are paid together', async () => {
    const { server } = makeServer(found())
    const two = makeExplanation({ wage_entries: 2, amount: 1140 })
    const [federal, ...others] = two.employee.components
    if (!federal) throw new Error('no component')
    two.employee.components = [{ ...federal, share: 92.13 }, ...others]
    server.answer(explainEntry, two)
    await renderScreen(<TaxAudit />, { server, path: `${path}?entry=20418` })
    const steps = await table('Employee side')
    expect(steps.textContent).toContain('Federal income taxRule of Federal income tax$92.1300')
    expect(steps.textContent).toContain('All 2 entriessplit by wages, rounded to the cent172.95')
  })

  it('shows an error when it cannot be loaded', async () => {
    const { server } = makeServer(found())
    server.answer(explainEntry, new Refusal(404, 'unknown', 'This payroll entry does not exist.'))
    await renderScreen(<TaxAudit />, { server, path: `${path}?entry=20418` })
    expect((await screen.findByRole('alert')).textContent).toContain('This payroll entry does not exist.')
  })
})

describe('Fix All', () => {
  it('fixes one entry from its steps', async () => {
    const { server } = makeServer(found())
    server.answer(fixDiscrepancies, {
      operation_id: 7,
      applied: 1,
      employee_total: 44.05,
      employer_total: 0,
      can_undo: true,
    })
    const { user } = await renderScreen(<TaxAudit />, { server, path: `${path}?entry=20418` })
    await user.click(await screen.findByRole('button', { name: 'Fix this entry' }))
    const dialog = await screen.findByRole('dialog', { name: 'Fix PR-20418: preview' })
    const lines = within(within(dialog).getByRole('table', { name: 'Adjustments' })).getAllByRole('row')
    expect(lines).toHaveLength(3)
    await user.click(within(dialog).getByLabelText('Select PR-20418, employer'))
    const apply = await within(dialog).findByRole<HTMLButtonElement>('button', { name: 'Apply 1 adjustment' })
    await waitFor(() => expect(apply.disabled).toBe(false))
    await user.click(apply)
    expect(await screen.findByText('1 adjustment applied.')).toBeTruthy()
    expect(bodyOf(server, fixDiscrepancies)).toMatchObject({
      exclude: [
        { payroll_id: 20402, side: 'employee' },
        { payroll_id: 20418, side: 'employer' },
      ],
    })
  })

  it('previews lines and totals, leaves out unselected lines, applies the fix and reruns the audit', async () => {
    const { server, state } = makeServer(found())
    server.answer(previewFix, ({ body }) => makePreview({ lines: 3 - body.exclude.length }))
    server.answer(fixDiscrepancies, () => {
      state.result = makeAudit([])
      return { operation_id: 7, applied: 2, employee_total: 44.0537, employer_total: 0, can_undo: true }
    })
    const { user } = await renderScreen(<TaxAudit />, { server, path })
    const dialog = await fixAll(user)
    const lines = within(within(dialog).getByRole('table', { name: 'Adjustments' })).getAllByRole('row')
    expect(lines.slice(1).map((row) => row.textContent)).toEqual([
      'PR-20418Marisol VegaEmployee$385.2000$429.2500+$44.0500',
      'PR-20418Marisol VegaEmployer$236.4700$163.7100−$72.7600',
      'PR-20402Renata SolisEmployee$210.9263$210.9300+$0.0037',
    ])
    await user.click(within(dialog).getByText('By earner'))
    expect((await within(dialog).findByRole('table', { name: 'By earner' })).textContent).toContain(
      'Marisol Vega1+$44.05001−$72.7600',
    )
    await user.click(within(dialog).getByText('All lines'))
    await user.click(within(dialog).getByLabelText('Select PR-20418, employer'))
    expect(await within(dialog).findByText('2 of 3 lines selected')).toBeTruthy()
    const apply = await within(dialog).findByRole<HTMLButtonElement>('button', { name: 'Apply 2 adjustments' })
    await waitFor(() => expect(apply.disabled).toBe(false))
    await user.click(apply)
    expect(await screen.findByText('2 adjustments applied.')).toBeTruthy()
    expect(bodyOf(server, fixDiscrepancies)).toEqual({
      ...found(),
      exclude: [{ payroll_id: 20418, side: 'employer' }],
    })
    expect(await screen.findByText('No discrepancies')).toBeTruthy()
  })

  it('asks for a new review when the figures have changed', async () => {
    const { server, state } = makeServer(found())
    server.answer(fixDiscrepancies, new Refusal(409, 'figures_changed', 'The figures have changed. Review them again.'))
    const { user } = await renderScreen(<TaxAudit />, { server, path })
    const dialog = await fixAll(user)
    const apply = await within(dialog).findByRole<HTMLButtonElement>('button', { name: 'Apply 3 adjustments' })
    await waitFor(() => expect(apply.disabled).toBe(false))
    await user.click(apply)
    expect((await within(dialog).findByRole('alert')).textContent).toContain(
      'Failed to fix discrepancies. The figures have changed. Review them again.',
    )
    state.result = makeAudit([makeWarning()], { run_at: '2026-11-14T17:33:00.000Z' })
    server.answer(previewFix, makePreview({ lines: 1, entries: 1 }))
    await user.click(within(dialog).getByRole('button', { name: 'Review again' }))
    expect(await within(dialog).findByRole('button', { name: 'Apply 1 adjustment' })).toBeTruthy()
    expect(within(dialog).queryByRole('alert')).toBeNull()
  })

  it('warns about closed periods and disables Apply without selected lines', async () => {
    const { server } = makeServer(found())
    server.answer(previewFix, makePreview({ closed_lines: 2, can_undo: false }))
    const { user } = await renderScreen(<TaxAudit />, { server, path })
    const dialog = await fixAll(user)
    expect(await within(dialog).findByText(/2 lines are in closed pay periods/)).toBeTruthy()
    await user.click(within(dialog).getByLabelText('Select all lines'))
    const apply = await within(dialog).findByRole<HTMLButtonElement>('button', { name: 'Apply 0 adjustments' })
    expect(apply.disabled).toBe(true)
  })
})

describe('adjustments', () => {
  const page = (adjustments: ReturnType<typeof makeAdjustment>[]) => ({
    adjustments,
    pagination: { page: 1, limit: 10, totalItems: adjustments.length, totalPages: 1 },
  })

  it('lists adjustments and undoes a fix as a whole', async () => {
    const { server } = makeServer(found())
    const state = { isUndone: false }
    server.answer(listAdjustments, () => {
      const more = state.isUndone ? ({ status: 'undone', can_undo: false } as const) : {}
      return page([makeAdjustment(more), makeAdjustment({ id: 2, side: 'employer', ...more })])
    })
    server.answer(undoFix, () => {
      state.isUndone = true
      return { operation_id: 7, undone: 2 }
    })
    const { user } = await renderScreen(<TaxAudit />, { server, path })
    await user.click(screen.getByRole('tab', { name: 'Adjustments' }))
    const list = await table('Adjustments, newest first')
    expect(
      within(list)
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toEqual(['Date', 'Payroll', 'Earner', 'Side', 'Before', 'After', 'Difference', 'Reason', 'By', 'Status', 'Undo'])
    await user.click(await screen.findByRole('button', { name: 'Undo fix 7' }))
    const question = await screen.findByRole('alertdialog', { name: 'Undo fix 7?' })
    await user.click(within(question).getByRole('button', { name: 'Undo fix' }))
    expect(await screen.findByText('Fix 7 undone. 2 adjustments reversed.')).toBeTruthy()
    await waitFor(() => expect(within(list).getAllByText('Undone')).toHaveLength(2))
    expect(screen.queryByRole('button', { name: 'Undo fix 7' })).toBeNull()
  })

  it('shows why a fix cannot be undone, and a loading error', async () => {
    const { server } = makeServer(found())
    server.answer(listAdjustments, page([makeAdjustment()]))
    server.answer(undoFix, new Refusal(409, 'period_closed', 'A pay period of this fix is closed.'))
    const { user, unmount } = await renderScreen(<TaxAudit />, { server, path: `${path}?view=adjustments` })
    await user.click(await screen.findByRole('button', { name: 'Undo fix 7' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Undo fix' }))
    expect((await screen.findByRole('alert')).textContent).toContain('A pay period of this fix is closed.')
    unmount()
    server.answer(listAdjustments, new Refusal(403, 'forbidden', 'You do not have permission to do this.'))
    await renderScreen(<TaxAudit />, { server, path: `${path}?view=adjustments` })
    expect(await screen.findByText('Failed to fetch adjustments.')).toBeTruthy()
  })

  it('filters by side and status on the server', async () => {
    const { server } = makeServer(found())
    const asked = vi.fn()
    server.answer(listAdjustments, ({ query }) => {
      asked(query)
      return page([])
    })
    const { user } = await renderScreen(<TaxAudit />, { server, path: `${path}?view=adjustments` })
    expect(await screen.findByText('No adjustments yet')).toBeTruthy()
    await user.selectOptions(screen.getByLabelText('Side'), 'employer')
    await user.selectOptions(screen.getByLabelText('Status'), 'undone')
    await waitFor(() =>
      expect(asked).toHaveBeenLastCalledWith(expect.objectContaining({ side: 'employer', status: 'undone' })),
    )
    expect(await screen.findByText('No adjustments found')).toBeTruthy()
  })
})
