import {
  addEarner,
  listEarnerCandidates,
  listEarners,
  readEarner,
  recordProfile,
} from '@limber/contract/payroll/earners/earner.ts'
import { addEntry, listUnpaidSessions } from '@limber/contract/payroll/entries/entry.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { today } from '../labels.ts'
import { makeDetail, makeEarner } from '../payroll.testing.ts'
import Earners from './earners.screen.tsx'

const path = '/worker/financial/earners'

function makeServer() {
  const state = { earner: makeEarner() }
  const server = new FakeServer()
    .answer(listEarners, ({ query }) => ({
      earners: [state.earner, makeEarner({ id: 4, name: 'Renata Solis', profile: null })].filter(({ name }) =>
        name.toLowerCase().includes(query.search),
      ),
      pagination: { page: 1, limit: 10, totalItems: 2, totalPages: 1 },
    }))
    .answer(readEarner, () => state.earner)
  return { server, state }
}

describe('earners', () => {
  it('finds an earner by name and opens their details', async () => {
    const { server } = makeServer()
    const { user, router } = await renderScreen(<Earners />, { server, path })
    expect((await screen.findByRole('link', { name: /Renata Solis/ })).textContent).toContain('no W-4 or DE 4')
    await user.type(screen.getByLabelText('Search earners'), 'marisol')
    await waitFor(() => expect(screen.queryByRole('link', { name: /Renata/ })).toBeNull())
    await user.click(screen.getByRole('link', { name: /Marisol Vega/ }))
    expect(await screen.findByRole('heading', { name: 'Marisol Vega' })).toBeTruthy()
    expect(router.state.location.search).toEqual({ q: 'marisol', earner: '3' })
    expect(screen.getByRole('link', { name: 'stretcher' }).getAttribute('href')).toBe(
      '/worker/managing/stretchers?stretcher=12',
    )
    expect(screen.getByRole('region', { name: 'W-4 and DE 4' }).textContent).toContain('DE 4 regular allowances1')
  })

  it('adds pay without a session and shows the pay date', async () => {
    const { server } = makeServer()
    server.answer(addEntry, makeDetail({ type: 'bonus', pay_date: '2026-11-27' }))
    const { user } = await renderScreen(<Earners />, { server, path: `${path}?earner=3` })
    await user.click(await screen.findByRole('button', { name: 'Add pay' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add pay for Marisol Vega' }))
    await user.selectOptions(dialog.getByLabelText('Type'), 'Mileage (not taxed)')
    await user.type(dialog.getByLabelText('Amount'), '41.5')
    await user.click(dialog.getByRole('button', { name: 'Add pay' }))
    expect(await screen.findByText(withoutCurrentYear('It will be paid on Nov 27, 2026.'))).toBeTruthy()
    expect(server.requests.find(({ call }) => call === addEntry)?.body).toEqual({
      earner_id: 3,
      type: 'mileage',
      amount: 41.5,
      work_date: today(),
    })
  })

  it('adds pay for a session without a payroll entry', async () => {
    const { server } = makeServer()
    server
      .answer(listUnpaidSessions, {
        sessions: [
          { kind: 'onsite', id: 12, work_date: '2026-11-03', place: 'Mission Inn', hours: 4, amount: 144 },
          { kind: 'onsite', id: 9, work_date: '2026-06-02', place: 'Mission Inn', hours: 2, amount: null },
        ],
      })
      .answer(addEntry, makeDetail({ type: 'session', pay_date: '2026-11-27' }))
    const { user } = await renderScreen(<Earners />, { server, path: `${path}?earner=3` })
    await user.click(await screen.findByRole('button', { name: 'Add pay' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add pay for Marisol Vega' }))
    await user.selectOptions(dialog.getByLabelText('Type'), 'session')
    const choice = await dialog.findByLabelText('Session')
    expect(dialog.queryByLabelText('Work date')).toBeNull()
    await user.type(dialog.getByLabelText('Amount'), '5')
    await user.click(dialog.getByRole('button', { name: 'Add pay' }))
    expect(await dialog.findByText('Session is required.')).toBeTruthy()
    await user.selectOptions(choice, within(choice).getByRole('option', { name: /Mission Inn, 4 h · \$144\.0000$/ }))
    expect(dialog.getByLabelText<HTMLInputElement>('Amount').value).toBe('144')
    await user.selectOptions(choice, within(choice).getByRole('option', { name: /no rate on that day$/ }))
    expect(dialog.getByLabelText<HTMLInputElement>('Amount').value).toBe('')
    await user.type(dialog.getByLabelText('Amount'), '60')
    await user.click(dialog.getByRole('button', { name: 'Add pay' }))
    await screen.findByText('Payroll entry added.')
    expect(server.requests.find(({ call }) => call === addEntry)?.body).toEqual({
      earner_id: 3,
      type: 'session',
      amount: 60,
      session: { kind: 'onsite', id: 9 },
    })
  })

  it('shows how corrections of pay are settled', async () => {
    const { server, state } = makeServer()
    const common = { operation_id: 4, payroll_id: null, correction: 'fix', reason: 'Tax audit' } as const
    const part = { ...common, id: 1, corrected_on: '2026-11-03', transaction_id: 9, paid_on: '2026-11-13', amount: -30 }
    state.earner = makeEarner({
      dues: [
        { ...common, id: 2, corrected_on: '2026-11-03', amount: -44.05, remaining: -14.05, settlements: [part] },
        { ...common, id: 1, corrected_on: '2026-10-01', amount: 0, remaining: 0, settlements: [] },
      ],
    })
    await renderScreen(<Earners />, { server, path: `${path}?earner=3` })
    const rows = within(await screen.findByRole('table', { name: 'Settlements' })).getAllByRole('row')
    expect(rows.slice(1).map(({ textContent }) => textContent.trim())).toEqual([
      `Correction on ${dayText('2026-11-03')} Tax audit−$44.0500−$30.0000 in the pay run on ${dayText('2026-11-13')}$14.0500 will be withheld from the next net pay`,
      `Correction on ${dayText('2026-10-01')} Tax auditUndoneUndone before the next pay run`,
    ])
  })

  it("records a new W-4 and DE 4 starting from today's values and keeps earlier ones", async () => {
    const { server, state } = makeServer()
    server.answer(recordProfile, ({ body }) => {
      const profile = { ...body, id: 2, recorded_at: '2026-11-14T17:00:00.000Z', recorded_by: 'Priya Raman' }
      state.earner = makeEarner({ profile, history: [profile, ...state.earner.history] })
      return state.earner
    })
    const { user } = await renderScreen(<Earners />, { server, path: `${path}?earner=3` })
    await user.click(await screen.findByRole('button', { name: 'Record W-4 and DE 4' }))
    const dialog = await screen.findByRole('dialog', { name: 'W-4 and DE 4 for Marisol Vega' })
    await user.selectOptions(within(dialog).getByLabelText('Filing status'), 'head_of_household')
    const credits = within(dialog).getByLabelText('Step 3, dependents and credits')
    await user.clear(credits)
    await user.type(credits, '2000')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('W-4 and DE 4 for Marisol Vega saved.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === recordProfile)?.body).toEqual({
      filing_status: 'head_of_household',
      effective_from: today(),
      step2_checkbox: false,
      step3_credits: 2000,
      step4a_income: 0,
      step4b_deductions: 0,
      step4c_extra: 0,
      regular_allowances: 1,
      estimated_allowances: 0,
    })
    const history = screen.getByRole('table', { name: 'W-4 and DE 4 history' })
    await waitFor(() => expect(within(history).getAllByRole('row')).toHaveLength(3))
  })

  it('keeps the input when the server rejects it', async () => {
    const { server } = makeServer()
    server.answer(
      recordProfile,
      new Refusal(422, 'out_of_range', 'The effective date must be within the last two years or the next year.'),
    )
    const { user } = await renderScreen(<Earners />, { server, path: `${path}?earner=3` })
    await user.click(await screen.findByRole('button', { name: 'Record W-4 and DE 4' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect((await within(dialog).findByRole('alert')).textContent).toContain('within the last two years')
  })

  it('hides the forms from workers without the settings permission', async () => {
    const { server } = makeServer()
    await renderScreen(<Earners />, { server, path: `${path}?earner=3`, session: makeSession(['payroll.audit']) })
    expect(await screen.findByRole('heading', { name: 'Marisol Vega' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Record W-4 and DE 4' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add earner' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Payroll entries' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Tax audit' })).toBeTruthy()
  })

  it('puts a person on payroll and opens them', async () => {
    const { server, state } = makeServer()
    const people = [
      { kind: 'stretcher', person_id: 40, name: 'Odile Marchetti', email: 'odile@example.com' },
      { kind: 'worker', person_id: 7, name: 'Tobias Renner', email: 'tobias@example.com' },
    ] as const
    server
      .answer(listEarnerCandidates, ({ query }) => ({
        candidates: people.filter(({ name }) => name.toLowerCase().includes(query.search.toLowerCase())),
      }))
      .answer(addEarner, () => {
        state.earner = makeEarner({ id: 9, name: 'Tobias Renner', kind: 'worker', person_id: 7, profile: null })
        return state.earner
      })
    const { user, router } = await renderScreen(<Earners />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Add earner' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add earner' }))
    await user.click(dialog.getByRole('button', { name: 'Add earner' }))
    expect(await dialog.findByText('Person is required.')).toBeTruthy()
    await user.type(dialog.getByRole('combobox', { name: 'Person' }), 'tobias')
    await user.click(await screen.findByRole('option', { name: 'Tobias Renner, worker, tobias@example.com' }))
    await user.click(dialog.getByRole('button', { name: 'Add earner' }))
    expect(await screen.findByText('Tobias Renner is on payroll.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === addEarner)?.body).toEqual({ worker_id: 7 })
    expect(await screen.findByRole('heading', { name: 'Tobias Renner' })).toBeTruthy()
    expect(router.state.location.search).toEqual({ earner: '9' })
  })

  it('shows the year to date, with what was paid elsewhere', async () => {
    const { server, state } = makeServer()
    const { year_to_date } = state.earner
    state.earner = makeEarner({
      year_to_date: {
        ...year_to_date,
        history: { wages: 40_000, reimbursements: 0, withheld: 7200, employer_tax: 3060 },
        wage_bases: [
          { key: 'social_security', label: 'Social Security', wage_base: 184_500, taxed: 44_310, left: 140_190 },
          { key: 'futa', label: 'FUTA', wage_base: 7000, taxed: 7000, left: 0 },
        ],
      },
    })
    await renderScreen(<Earners />, { server, path: `${path}?earner=3` })
    const table = within(await screen.findByRole('table', { name: 'Year to date' }))
    expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'FigureTotalPaid by LimberPaid elsewhere',
      'Wages$44,310.0000$4,310.0000$40,000.0000',
      'Tax withheld$7,975.8000$775.8000$7,200.0000',
      'Employer tax$3,389.7150$329.7150$3,060.0000',
      'Mileage and expenses$120.0000$120.0000$0.0000',
    ])
    expect(
      screen.getByText('Social Security: $140,190.0000 left of $184,500.0000 · FUTA: limit of $7,000.0000 reached'),
    ).toBeTruthy()
  })

  it('shows one column when nothing was paid elsewhere', async () => {
    const { server } = makeServer()
    await renderScreen(<Earners />, { server, path: `${path}?earner=3` })
    const table = within(await screen.findByRole('table', { name: 'Year to date' }))
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Figure', 'Total'])
  })
})
