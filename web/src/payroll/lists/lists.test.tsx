import { listEarners, readEarner } from '@limber/contract/payroll/earners/earner.ts'
import { cancelEntry } from '@limber/contract/payroll/entries/entry.ts'
import { closePeriod, listPeriods } from '@limber/contract/payroll/entries/period.ts'
import { type PeriodStory, readPeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import { exportDetails, listDetails, readDetail } from '@limber/contract/payroll/lists/detail.ts'
import { listPayrollFigure } from '@limber/contract/payroll/lists/payroll-figure.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { listTransactions, settleDeposit, type TransactionList } from '@limber/contract/payroll/lists/transaction.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import { dayText } from '#ui/format/day-text.ts'
import Periods from '../entries/periods.screen.tsx'
import type { PayPeriod } from '../payroll.api.ts'
import { makeDetail, makeEarner } from '../payroll.testing.ts'
import Details from './details.screen.tsx'
import Summary from './summary.screen.tsx'
import Transactions from './transactions.screen.tsx'

const of = (totalItems: number) => ({ page: 1, limit: 10, totalItems, totalPages: Math.ceil(totalItems / 10) })
const forbidden = new Refusal(403, 'forbidden', 'You do not have permission to do this.')

const makePeriod = (more: Partial<PayPeriod> = {}): PayPeriod => ({
  id: 9,
  starts_on: '2026-10-26',
  ends_on: '2026-11-08',
  pay_date: '2026-11-13',
  frequency: 'biweekly',
  status: 'open',
  closed_at: null,
  closed_by: null,
  entries: 589,
  amount: 71_398.81,
  version: 1,
  ...more,
})

const totals = { amount: 1012, withheld_tax: 202.4, net_pay: 809.6 }

function payroll() {
  const asked = vi.fn()
  const server = new FakeServer()
    .answer(listDetails, ({ query }) => {
      asked(query)
      return { details: [makeDetail()], totals, pagination: of(23) }
    })
    .answer(readDetail, makeDetail({ employee_adjustment: -1.5 }))
    .answer(listPeriods, { periods: [makePeriod()], pagination: of(1) })
    .answer(readPeriodStory, { story: null })
    .answer(listEarners, ({ query }) => ({
      earners: [makeEarner(), makeEarner({ id: 4, name: 'Renata Solis' })].filter(({ name }) =>
        name.toLowerCase().includes(query.search.toLowerCase()),
      ),
      pagination: of(2),
    }))
    .answer(readEarner, ({ params }) => makeEarner(params.id === 4 ? { id: 4, name: 'Renata Solis' } : {}))
  return { server, asked }
}

const storyTotals = { entries: 3, earners: 2, amount: 350, withheld_tax: 30, employer_tax: 15, net_pay: 320 }
const makeStory = (more: Partial<PeriodStory> = {}): PeriodStory => ({
  period: makePeriod(),
  before: makePeriod({ id: 8, starts_on: '2026-10-12', ends_on: '2026-10-25', pay_date: '2026-10-30' }),
  next_id: null,
  totals: storyTotals,
  totals_before: { ...storyTotals, amount: 280.5, net_pay: 250.5 },
  types: [{ type: 'session', entries: 3, amount: 350, amount_before: 280.5 }],
  changes: [{ earner_id: 3, name: 'Marisol Vega', amount: 250, amount_before: 0 }],
  open: {
    overdue: { entries: 2, amount: 90 },
    without_profile: { count: 7, earners: [{ id: 4, name: 'Renata Solis' }] },
    open_periods: 1,
  },
  ...more,
})

describe('the story of a pay period', () => {
  const path = '/worker/financial/details'
  const show = (story: PeriodStory) => {
    const { server } = payroll()
    return renderScreen(<Details />, { server: server.answer(readPeriodStory, { story }), path })
  }

  it('says what is paid, what changed and what is open, each with a way to its entries', async () => {
    const { user, router } = await show(makeStory())
    const story = within(await screen.findByRole('region', { name: /^Pay period/ }))
    expect(story.getByText(/2 earners, 3 entries\. \$69\.5000 more than in the period before\.$/).textContent).toMatch(
      /paid on Nov 13/,
    )
    expect(within(story.getByRole('region', { name: 'Totals of the pay period' })).getByText('Gross pay')).toBeTruthy()
    const open = within(story.getByRole('list', { name: 'Open in this pay period' }))
    expect(open.getByText('2 entries are not paid yet')).toBeTruthy()
    expect(open.getByText(/single with no allowances: Renata Solis and 6 more\./)).toBeTruthy()
    expect(open.getByText('1 earlier paid period is still open')).toBeTruthy()
    await user.click(open.getByRole('button', { name: 'Show entries' }))
    expect(router.state.location.search).toEqual({ period: '9', status: 'pending' })
    await user.click(story.getByRole('button', { name: 'Session' }))
    expect(router.state.location.search).toEqual({ period: '9', status: 'pending', type: 'session' })
    await user.click(story.getByRole('button', { name: 'Earlier pay period' }))
    expect(router.state.location.search).toMatchObject({ period: '8' })
    expect(story.getByRole<HTMLButtonElement>('button', { name: 'Later pay period' }).disabled).toBe(true)
  })

  it('opens its numbers', async () => {
    const { server } = payroll()
    server
      .answer(readPeriodStory, { story: makeStory() })
      .answer(listPayrollFigure, { value: 350, rows: [], pagination: of(0) })
    const { user } = await renderScreen(<Details />, { server, path })
    const strip = within(await screen.findByRole('region', { name: 'Totals of the pay period' }))
    await user.click(strip.getByRole('button', { name: /^Gross pay/ }))
    expect(await screen.findByRole('dialog', { name: 'Earnings of the pay period' })).toBeTruthy()
  })

  it('is calm when nothing changed and nothing is open', async () => {
    const open = {
      overdue: { entries: 0, amount: 0 },
      without_profile: { count: 0, earners: [] },
      open_periods: 0,
    }
    await show(makeStory({ before: null, totals_before: null, changes: [], open }))
    expect(await screen.findByText('Nothing is open in this pay period.')).toBeTruthy()
    expect(screen.getByText('This is the first pay period.')).toBeTruthy()
    expect(screen.getByText(/There is no period before to compare with\.$/)).toBeTruthy()
  })

  it('fails alone', async () => {
    const { server } = payroll()
    server.answer(readPeriodStory, new Refusal(503, 'unavailable', 'The database is unavailable.'))
    await renderScreen(<Details />, { server, path })
    expect(await screen.findByText("Couldn't load the pay period", {}, { timeout: 10_000 })).toBeTruthy()
    expect(screen.getByText('PR-501')).toBeTruthy()
  })
})

describe('payroll details', () => {
  const path = '/worker/financial/details'

  it('cancels a pending manual entry with a reason, but not session pay', async () => {
    const bonus = makeDetail({ type: 'bonus', status: 'pending', booking_id: null })
    const { server } = payroll()
    server.answer(readDetail, makeDetail({ status: 'pending' }))
    const { user, unmount } = await renderScreen(<Details />, { server, path: `${path}?entry=501` })
    await screen.findByText('Employer tax')
    expect(screen.queryByRole('button', { name: 'Cancel entry' })).toBeNull()
    unmount()
    server.answer(readDetail, bonus).answer(cancelEntry, { ...bonus, status: 'cancelled' })
    await renderScreen(<Details />, { server, path: `${path}?entry=501` })
    await user.click(await screen.findByRole('button', { name: 'Cancel entry' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel PR-501?' }))
    await user.type(dialog.getByLabelText('Reason'), 'Entered twice')
    await user.click(dialog.getByRole('button', { name: 'Cancel entry' }))
    expect(await screen.findByText('PR-501 canceled.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === cancelEntry)?.body).toEqual({ reason: 'Entered twice' })
  })

  it('lists ten per page with four decimals, newest first', async () => {
    const { server, asked } = payroll()
    const { user } = await renderScreen(<Details />, { server, path })
    const row = (await screen.findByText('PR-501')).closest('tr')
    expect(row?.textContent).toBe(
      withoutCurrentYear('PR-501Marisol VegaNov 13, 2026Session--$44.0000$8.8000$35.2000Paid'),
    )
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ page: 1, limit: 10, sort: 'date', order: 'desc' }))
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(asked).toHaveBeenLastCalledWith(expect.objectContaining({ page: 2 })))
    await user.click(screen.getByRole('button', { name: 'Net pay' }))
    await waitFor(() =>
      expect(asked).toHaveBeenLastCalledWith(expect.objectContaining({ page: 1, sort: 'net_pay', order: 'desc' })),
    )
  })

  it('shows totals and tax audit adjustments', async () => {
    const { server } = payroll()
    const adjusted = makeDetail({ type: 'sick_pay', employee_adjustment: -1.5 })
    server.answer(listDetails, { details: [adjusted], totals, pagination: of(1) })
    await renderScreen(<Details />, { server, path: `${path}?earner=3&period=9` })
    const row = (await screen.findByText('PR-501')).closest('tr')
    expect(row?.textContent).toContain('Sick pay--$44.0000$8.8000adjusted −$1.5000$35.2000')
    expect(screen.getByText(/net$/).textContent).toBe('$1,012.0000 gross, $202.4000 withheld, $809.6000 net')
  })

  it('keeps filters in the URL and exports the filtered entries', async () => {
    const { server, asked } = payroll()
    const { user, router } = await renderScreen(<Details />, { server, path: `${path}?page=2` })
    await screen.findByText('PR-501')
    await user.selectOptions(screen.getByLabelText('Type'), 'bonus')
    await user.selectOptions(screen.getByLabelText('Pay period'), '9')
    await user.click(screen.getByRole('combobox', { name: 'Earner' }))
    await user.click(await screen.findByRole('option', { name: 'Renata Solis' }))
    await waitFor(() =>
      expect(asked).toHaveBeenLastCalledWith(
        expect.objectContaining({ type: 'bonus', period_id: 9, earner_id: 4, page: 1 }),
      ),
    )
    expect(router.state.location.search).toEqual({ type: 'bonus', period: '9', earner: '4' })
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Export CSV' })
    expect(link.getAttribute('href')).toBe(`${exportDetails.path}?earner_id=4&period_id=9&type=bonus`)
    expect(link.hasAttribute('download')).toBe(true)
  })

  it('opens one entry by its URL', async () => {
    const { server } = payroll()
    const { user, router } = await renderScreen(<Details />, { server, path: `${path}?entry=501` })
    const dialog = await screen.findByRole('dialog', { name: 'Payroll entry PR-501' })
    expect(await within(dialog).findByText(/adjusted by/)).toBeTruthy()
    expect(dialog.textContent).toContain('$8.8000, adjusted by −$1.5000')
    expect(dialog.textContent).toContain('$35.2000, $36.7000 after adjustment')
    const leadsTo = (name: string) => within(dialog).getByRole('link', { name }).getAttribute('href')
    expect(leadsTo('Marisol Vega')).toBe('/worker/financial/earners?earner=3')
    expect(leadsTo('Oct 26 – Nov 8, 2026')).toBe('/worker/financial/details?period=9&earner=3')
    expect(leadsTo('88')).toBe('/support/users?user=61&tab=bookings')
    expect(within(dialog).getByRole('link', { name: 'Audit this pay date' }).getAttribute('href')).toBe(
      '/worker/financial/tax-audit?from=2026-11-13&to=2026-11-13&earner=3&entry=501',
    )
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('shows a loading error and an empty result', async () => {
    const { server } = payroll()
    server.answer(listDetails, forbidden)
    const { unmount } = await renderScreen(<Details />, { server, path })
    expect(await screen.findByText('Failed to fetch payroll details.')).toBeTruthy()
    unmount()
    server.answer(listDetails, { details: [], totals: { amount: 0, withheld_tax: 0, net_pay: 0 }, pagination: of(0) })
    await renderScreen(<Details />, { server, path: `${path}?status=cancelled` })
    expect(await screen.findByText('No entries found')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export CSV' }).disabled).toBe(true)
  })
})

describe('transactions', () => {
  const path = '/worker/financial/transactions'
  const row: TransactionList['transactions'][number] = {
    id: 1,
    createdAt: '2026-11-13T14:00:00.000Z',
    transactionType: 'tax_deposit',
    amount: 1234.5,
    status: 'failed',
    earner_id: null,
    earner_name: null,
    pay_period_id: 9,
    settlements: [],
  }

  it('lets staff mark tax deposits, but no other transactions, as completed or failed', async () => {
    const pending = { ...row, status: 'pending' as const }
    const paid = { ...row, id: 2, transactionType: 'net_pay' as const, status: 'pending' as const, amount: 7 }
    const server = new FakeServer()
      .answer(listEarners, { earners: [], pagination: of(0) })
      .answer(listTransactions, { transactions: [pending, paid], pagination: of(2) })
      .answer(settleDeposit, { transaction: { ...row, status: 'completed' } })
    const { user } = await renderScreen(<Transactions />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Mark completed: $1,234.5000' }))
    expect(screen.getByRole('button', { name: 'Mark failed: $1,234.5000' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /\$7\.0000/ })).toBeNull()
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark this deposit as completed?' }))
    await user.type(dialog.getByRole('textbox', { name: /^Note/ }), 'EFT 4711')
    await user.click(dialog.getByRole('button', { name: 'Mark as completed' }))
    expect(await screen.findByText('Deposit marked as completed.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === settleDeposit)?.body).toEqual({
      status: 'completed',
      note: 'EFT 4711',
    })
  })

  it('keeps sort order and filters in the URL', async () => {
    const asked = vi.fn()
    const server = new FakeServer().answer(listEarners, { earners: [], pagination: of(0) })
    server.answer(listTransactions, ({ query }) => {
      asked(query)
      return { transactions: [row], pagination: of(1) }
    })
    const { user, router } = await renderScreen(<Transactions />, { server, path })
    expect((await screen.findByText('Tax agencies')).closest('tr')?.textContent).toMatch(
      /Tax depositTax agencies\$1,234\.5000FailedMark completed$/,
    )
    await user.click(screen.getByRole('button', { name: 'Amount' }))
    await user.selectOptions(screen.getByLabelText('Status'), 'failed')
    await waitFor(() =>
      expect(asked).toHaveBeenLastCalledWith(
        expect.objectContaining({ sort: 'amount', order: 'desc', status: 'failed', limit: 10 }),
      ),
    )
    expect(router.state.location.search).toEqual({ sort: '-amount', status: 'failed' })
  })

  it("shows dates in the company's time zone", async () => {
    // 11:30 PM on Nov 12 in California.
    const late = { ...row, createdAt: '2026-11-13T07:30:00.000Z' }
    const server = new FakeServer()
      .answer(listEarners, { earners: [], pagination: of(0) })
      .answer(listTransactions, { transactions: [late], pagination: of(1) })
    await renderScreen(<Transactions />, { server, path })
    const cells = (await screen.findByText('Tax agencies')).closest('tr')?.textContent
    expect(cells).toMatch(new RegExp(`^${dayText('2026-11-12')}Tax deposit`))
    expect(screen.getByLabelText('From')).toBeTruthy()
    expect(screen.getByLabelText('To')).toBeTruthy()
    expect(screen.queryByText(/UTC/)).toBeNull()
  })

  it('shows which corrections of earlier pay are included', async () => {
    const settlement = {
      ...{ id: 5, correction: 'fix' as const, corrected_on: '2026-11-03', operation_id: 2, payroll_id: null },
      ...{ transaction_id: 1, paid_on: '2026-11-13', amount: -44.05 },
    }
    const server = new FakeServer()
      .answer(listEarners, { earners: [], pagination: of(0) })
      .answer(listTransactions, { transactions: [{ ...row, settlements: [settlement] }], pagination: of(1) })
    await renderScreen(<Transactions />, { server, path })
    const text = `Settlement of the correction on ${dayText('2026-11-03')}: −$44.0500`
    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('filters by earner and links to the paid entries', async () => {
    const asked = vi.fn()
    const { server } = payroll()
    server.answer(listTransactions, ({ query }) => {
      asked(query)
      return {
        transactions: [{ ...row, transactionType: 'net_pay' as const, earner_id: 3, earner_name: 'Marisol Vega' }],
        pagination: of(1),
      }
    })
    await renderScreen(<Transactions />, { server, path: `${path}?earner=3` })
    const paid = await screen.findByRole('link', { name: 'Marisol Vega' })
    expect(paid.getAttribute('href')).toBe('/worker/financial/details?earner=3&period=9')
    expect(asked).toHaveBeenLastCalledWith(expect.objectContaining({ earner_id: 3 }))
  })

  it('shows a loading error', async () => {
    await renderScreen(<Transactions />, { server: payroll().server.answer(listTransactions, forbidden), path })
    expect(await screen.findByText('Failed to fetch transactions.')).toBeTruthy()
  })
})

describe('payroll summary', () => {
  const path = '/worker/financial/summary'
  const makeServer = () =>
    new FakeServer().answer(readSummary, {
      totalEarnings: 1500.5,
      totalTaxes: 247.1014,
      lastUpdated: '2026-11-13T14:00:00.000Z',
      employeeTaxes: 140.0014,
      employerTaxes: 107.1,
      netPay: 1360.4986,
      entries: 15,
      earners: 2,
      pending: { entries: 1, amount: 40 },
      nextPayDate: '2026-11-27',
      unsettled: { owed: 12.5, toWithhold: 0, deposits: -12.5 },
      periods: [
        {
          id: 9,
          startsOn: '2026-10-26',
          endsOn: '2026-11-08',
          payDate: '2026-11-13',
          isClosed: false,
          earnings: 700,
          taxes: 120.5,
          entries: 7,
        },
      ],
    })

  it('shows earnings, taxes, last update and recent periods', async () => {
    await renderScreen(<Summary />, { server: makeServer(), path })
    const all = await screen.findByRole('region', { name: 'Payroll totals' })
    expect(all.textContent).toContain('Total earnings$1,500.500015 entries, 2 earners')
    expect(all.textContent).toContain('Total taxes$247.1014')
    expect(
      screen.getByText(
        'The next pay runs will settle these corrections: $12.5000 owed to earners, $12.5000 to deduct from the tax deposit.',
      ),
    ).toBeTruthy()
    expect(screen.getByText(/Last updated/).querySelector('time')?.dateTime).toBe('2026-11-13T14:00:00.000Z')
    const rows = within(screen.getByRole('table', { name: 'Recent pay periods' })).getAllByRole('row')
    expect(rows[1]?.textContent).toBe(
      `Oct 26 – Nov 8, 2026${withoutCurrentYear('Nov 13, 20267$700.0000$120.5000Open')}`,
    )
    expect(screen.getByRole('link', { name: 'Oct 26 – Nov 8, 2026' }).getAttribute('href')).toBe(
      '/worker/financial/details?period=9',
    )
  })

  it('opens each number to its definition, its parts and the earners behind it', async () => {
    const asked = vi.fn()
    const server = makeServer().answer(listPayrollFigure, ({ params: { figure }, query }) => {
      asked(figure, query)
      const amount = figure === 'netPay' ? 1360.4986 : 1500.5
      return {
        value: amount,
        rows: [
          { id: 4, name: 'Renata Solis', detail: '7 entries', place: null, day: '2026-11-13', amount, userId: null },
        ],
        pagination: of(1),
      }
    })
    const { user, router } = await renderScreen(<Summary />, { server, path })
    await user.click(await screen.findByRole('button', { name: /^Net pay/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Net pay' })
    expect(await within(dialog).findByText('Renata Solis')).toBeTruthy()
    expect(dialog.textContent).toContain('Net pay$1,360.4986All time')
    expect(dialog.textContent).toContain('Total$1,360.4986')
    expect(dialog.textContent).toContain('The rows add up to the figure.')
    expect(dialog.textContent).toContain('Employer taxes are not part of it.')
    expect(within(dialog).getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/api/payroll/figures/netPay/export',
    )
    await user.click(within(dialog).getByRole('button', { name: /^Total earnings/ }))
    expect(await screen.findByRole('dialog', { name: 'Total earnings' })).toBeTruthy()
    expect(router.state.location.href).toBe(`${path}?figure=totalEarnings`)
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [earnings] = within(screen.getByRole('table', { name: 'Recent pay periods' })).getAllByRole('button')
    if (!earnings) throw new Error('The earnings do not open')
    await user.click(earnings)
    expect(await screen.findByRole('dialog', { name: 'Earnings of the pay period' })).toBeTruthy()
    await waitFor(() => expect(asked).toHaveBeenCalledWith('periodEarnings', expect.objectContaining({ periodId: 9 })))
  })

  it('shows a loading error', async () => {
    await renderScreen(<Summary />, { server: new FakeServer().answer(readSummary, forbidden), path })
    expect(await screen.findByText('Failed to fetch payroll summary.')).toBeTruthy()
  })
})

describe('pay periods', () => {
  const path = '/worker/financial/periods'

  it('closes a period after a confirmation', async () => {
    const state = { period: makePeriod() }
    const server = new FakeServer()
      .answer(listPeriods, () => ({ periods: [state.period], pagination: of(1) }))
      .answer(closePeriod, () => {
        state.period = makePeriod({
          status: 'closed',
          closed_at: '2026-11-14T17:00:00.000Z',
          closed_by: 'Priya Raman',
          version: 2,
        })
        return state.period
      })
    const { user } = await renderScreen(<Periods />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Close Oct 26 – Nov 8, 2026' }))
    const question = await screen.findByRole('alertdialog', { name: 'Close the pay period Oct 26 – Nov 8, 2026?' })
    await user.click(within(question).getByRole('button', { name: 'Close period' }))
    expect(await screen.findByText(/by Priya Raman/)).toBeTruthy()
    expect(server.requests.find(({ call }) => call === closePeriod)?.body).toEqual({ period_id: 9, version: 1 })
    expect(screen.queryByRole('button', { name: /^Close 26/ })).toBeNull()
  })

  it('shows why a period cannot be closed, and hides the button without permission', async () => {
    const server = new FakeServer()
      .answer(listPeriods, { periods: [makePeriod()], pagination: of(1) })
      .answer(closePeriod, new Refusal(422, 'has_pending', 'This pay period still has unpaid entries: 3.'))
    const { user, unmount } = await renderScreen(<Periods />, { server, path })
    await user.click(await screen.findByRole('button', { name: /^Close Oct 26/ }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Close period' }))
    expect((await screen.findByRole('alert')).textContent).toContain('still has unpaid entries: 3')
    unmount()
    await renderScreen(<Periods />, { server, path, session: makeSession(['payroll.details']) })
    expect(await screen.findByText('Oct 26 – Nov 8, 2026')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Close 26/ })).toBeNull()
  })
})
