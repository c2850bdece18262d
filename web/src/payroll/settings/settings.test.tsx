import { changeSettings, type PayrollSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeSettings } from '../payroll.testing.ts'
import Settings from './settings.screen.tsx'

const path = '/worker/financial/settings'

function makeServer(settings: PayrollSettings) {
  const state = { settings }
  const server = new FakeServer().answer(readSettings, () => state.settings)
  return { server, state }
}
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const sent = (server: FakeServer) =>
  server.requests.filter(({ call }) => call === changeSettings).map(({ body }) => body)

describe('payroll settings', () => {
  it('shows rates as percentages, the history and the tax tables', async () => {
    const { server } = makeServer(makeSettings())
    const { user } = await renderScreen(<Settings />, { server, path })
    expect((await field('Base pay')).value).toBe('44')
    const percent = screen.getByLabelText('Tax rate as a percentage')
    expect(percent.textContent).toBe('20%')
    expect(screen.getByLabelText('Employer UI rate as a percentage').textContent).toBe('3.4%')
    await user.clear(await field('Tax rate'))
    expect(percent.textContent).toBe('--')
    await user.type(await field('Tax rate'), '0.1955')
    expect(percent.textContent).toBe('19.55%')
    const history = screen.getByRole('table', { name: 'History' })
    expect(within(history).getAllByRole('row').at(-1)?.textContent).toMatch(
      /^Sep 30(, 2026)?\$44\.0000\$36\.000020%Biweekly3\.4%.*Robin ValeIn effect$/,
    )
    expect(screen.getByText(/IRS Pub 15-T \(2026\)/)).toBeTruthy()
    expect(screen.getByText(/for reference only and are not tax advice/)).toBeTruthy()
  })

  it('sends only changed fields with the version', async () => {
    const { server, state } = makeServer(makeSettings())
    server.answer(changeSettings, ({ body }) => {
      state.settings = makeSettings({ ...(body.taxRate ? { taxRate: body.taxRate } : {}), version: 4 })
      return state.settings
    })
    const { user } = await renderScreen(<Settings />, { server, path })
    await field('Base pay')
    expect(button('Save').disabled).toBe(true)
    await user.clear(await field('Tax rate'))
    await user.type(await field('Tax rate'), '0.19')
    await user.click(button('Save'))
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(sent(server)).toEqual([{ taxRate: 0.19, version: 3 }])
    expect((await field('Tax rate')).value).toBe('0.19')
    expect(button('Save').disabled).toBe(true)
  })

  it('shows the change scheduled for the selected day, so that it can be reverted', async () => {
    const now = makeSettings()
    const [current] = now.history
    if (!current) throw new Error('There is no history')
    const by = { changedAt: '2026-11-16T17:00:00.000Z', changedBy: 'Robin Vale' }
    const plan = { ...current, ...by, basePay: 46, effectiveFrom: '2036-12-01', version: 4, state: 'planned' as const }
    const old = { ...plan, basePay: 45, version: 3, state: 'replaced' as const }
    const { server, state } = makeServer({ ...now, version: 4, history: [plan, old, { ...current, version: 2 }] })
    server.answer(changeSettings, () => state.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.type(await field('Effective from'), '2036-12-01')
    expect((await field('Base pay')).value).toBe('46')
    expect(screen.getByText('The form shows the change scheduled for Dec 1, 2036.')).toBeTruthy()
    expect(button('Save').disabled).toBe(true)
    await user.clear(await field('Base pay'))
    await user.type(await field('Base pay'), '44')
    await user.click(button('Save'))
    await screen.findByText('Settings saved.')
    expect(sent(server)).toEqual([{ basePay: 44, effectiveFrom: '2036-12-01', version: 4 }])
    const rows = within(screen.getByRole('table', { name: 'History' })).getAllByRole('row')
    expect(rows.map((row) => row.textContent.match(/(Scheduled|Replaced|In effect)$/)?.[0])).toEqual([
      undefined,
      'Scheduled',
      'Replaced',
      'In effect',
    ])
  })

  it('rejects a rate above 1 before sending', async () => {
    const { server } = makeServer(makeSettings())
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('Tax rate'))
    await user.type(await field('Tax rate'), '1.25')
    await user.click(button('Save'))
    expect(await screen.findByText('Tax rate must be between 0 and 1.')).toBeTruthy()
    expect(sent(server)).toEqual([])
  })

  it.each(['Base pay', 'On-site hourly pay', 'Tax rate', 'Employer UI rate'])(
    'rejects an empty %s instead of keeping the old value',
    async (name) => {
      const { server, state } = makeServer(makeSettings())
      server.answer(changeSettings, () => state.settings)
      const { user } = await renderScreen(<Settings />, { server, path })
      await user.clear(await field(name))
      await user.click(button('Save'))
      expect(await screen.findByText(`${name} is required.`)).toBeTruthy()
      expect(screen.queryByText('Settings saved.')).toBeNull()
      expect(sent(server)).toEqual([])
    },
  )

  it.each([
    ['44,50', 'Base pay must be a number like 1,234.50.'],
    ['-3', 'Base pay must not be negative.'],
    ['0.12345', 'Base pay must have at most 4 decimals.'],
    ['4x4', 'Base pay must be a number like 1,234.50.'],
  ])('keeps the input %s and shows an error', async (typed, text) => {
    const { server, state } = makeServer(makeSettings())
    server.answer(changeSettings, () => state.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('Base pay'))
    await user.type(await field('Base pay'), typed)
    expect(screen.queryByText(text)).toBeNull()
    await user.tab()
    expect(screen.getByText(text)).toBeTruthy()
    await user.click(button('Save'))
    expect((await field('Base pay')).value).toBe(typed)
    expect(screen.getByText(text)).toBeTruthy()
    expect(sent(server)).toEqual([])
  })

  it('sets the first rate for on-site sessions', async () => {
    const { server, state } = makeServer(makeSettings({ onsiteHourlyPay: null }))
    state.settings.history = state.settings.history.map((one) => ({ ...one, onsiteHourlyPay: null }))
    server.answer(changeSettings, () => state.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    expect((await field('On-site hourly pay')).value).toBe('')
    expect(screen.getByText(/paid automatically from the day this is first set/)).toBeTruthy()
    expect(button('Save').disabled).toBe(true)
    await user.type(await field('On-site hourly pay'), '36.50')
    await user.click(button('Save'))
    await screen.findByText('Settings saved.')
    expect(sent(server)).toEqual([{ onsiteHourlyPay: 36.5, version: 3 }])
  })

  it('accepts thousands separators', async () => {
    const { server, state } = makeServer(makeSettings())
    server.answer(changeSettings, () => state.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('Base pay'))
    await user.type(await field('Base pay'), '1,234.50')
    await user.click(button('Save'))
    await screen.findByText('Settings saved.')
    expect(sent(server)).toEqual([{ basePay: 1234.5, version: 3 }])
  })

  it('keeps the input after a failed save', async () => {
    const { server } = makeServer(makeSettings())
    server.answer(changeSettings, new Refusal(422, 'too_far', 'A change can be scheduled at most one year ahead.'))
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('Base pay'))
    await user.type(await field('Base pay'), '45')
    await user.click(button('Save'))
    expect(await screen.findByText('Failed to update settings.')).toBeTruthy()
    expect(screen.getByText('A change can be scheduled at most one year ahead.')).toBeTruthy()
    expect((await field('Base pay')).value).toBe('45')
  })

  it('shows an error when loading fails', async () => {
    const server = new FakeServer().answer(
      readSettings,
      new Refusal(403, 'forbidden', 'You do not have permission to do this.'),
    )
    await renderScreen(<Settings />, { server, path })
    expect(await screen.findByText('Failed to fetch payroll settings.')).toBeTruthy()
    expect(screen.getByText('Error loading settings.')).toBeTruthy()
  })
})

describe('concurrent edits', () => {
  const theirs = makeSettings({ taxRate: 0.21, uiRate: 0.04, version: 4 })

  async function collide() {
    const { server, state } = makeServer(makeSettings())
    server.answer(changeSettings, ({ body }) => {
      if (body.version !== 4)
        return new Refusal(409, 'stale', 'Someone else changed these settings. Reload and try again.', {
          current: theirs,
        })
      state.settings = makeSettings({ taxRate: 0.19, uiRate: 0.04, version: 5 })
      return state.settings
    })
    const view = await renderScreen(<Settings />, { server, path })
    await view.user.clear(await field('Tax rate'))
    await view.user.type(await field('Tax rate'), '0.19')
    await view.user.click(button('Save'))
    const dialog = await screen.findByRole('dialog', { name: 'Someone else changed these settings' })
    return { ...view, server, dialog }
  }

  it('shows both versions to the second user', async () => {
    const { dialog } = await collide()
    const rows = within(within(dialog).getByRole('table', { name: 'Compare versions' })).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual([
      'SettingOriginalTheirsIf you save yours',
      'Base pay$44.0000$44.0000$44.0000',
      'On-site hourly pay$36.0000$36.0000$36.0000',
      'Tax rate20%21%19%',
      'Pay frequencyBiweeklyBiweeklyBiweekly',
      'Employer UI rate3.4%4%4%',
    ])
    expect(dialog.textContent).toContain('Robin Vale saved other values')
  })

  it('overwrites only the fields that the second user changed', async () => {
    const { user, dialog, server } = await collide()
    await user.click(within(dialog).getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(sent(server).at(-1)).toEqual({ taxRate: 0.19, version: 4 })
  })

  it('loads the saved version on request', async () => {
    const { user, dialog, server } = await collide()
    await user.click(within(dialog).getByRole('button', { name: 'Use theirs' }))
    await waitFor(async () => expect((await field('Tax rate')).value).toBe('0.21'))
    expect(sent(server)).toHaveLength(1)
  })

  it('announces a change by someone else without touching the fields', async () => {
    const { server, state } = makeServer(makeSettings())
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('Base pay'))
    await user.type(await field('Base pay'), '45')
    state.settings = theirs
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"payroll.settings"}' }))
    expect(await screen.findByText('Someone else changed these settings.')).toBeTruthy()
    expect((await field('Base pay')).value).toBe('45')
    await user.click(button('Load new settings'))
    await waitFor(async () => expect((await field('Tax rate')).value).toBe('0.21'))
  })

  describe('start of payroll', () => {
    const startOf = (starts_on: string | null, version: number) =>
      makeSettings({
        starts_on,
        version,
        start_changes: [{ starts_on, version, changedAt: '2026-11-14T17:00:00.000Z', changedBy: 'Robin Vale' }],
        history: makeSettings().history,
      })

    it('is saved alone, and the settings form goes on', async () => {
      const { server, state } = makeServer(makeSettings({ late_bookings: 412 }))
      server.answer(changeSettings, ({ body }) => {
        state.settings = body.basePay ? makeSettings({ basePay: 45, version: 5 }) : startOf('2026-11-01', 4)
        return state.settings
      })
      const { user } = await renderScreen(<Settings />, { server, path })
      expect((await field('Payroll starts on')).value).toBe('')
      expect(screen.getByText(/412 bookings arrived after the pay date and are not paid/)).toBeTruthy()
      expect(screen.getByText(/Saving never changes existing payroll entries/)).toBeTruthy()
      expect(button('Save start date').disabled).toBe(true)
      await user.type(await field('Base pay'), '5')
      await user.type(await field('Payroll starts on'), '2026-11-01')
      expect(screen.getByText(/every completed session since Nov 1/)).toBeTruthy()
      await user.click(button('Save start date'))
      expect(await screen.findByText(/^Payroll starts on Nov 1(, 2026)?\.$/)).toBeTruthy()
      expect((await field('Payroll starts on')).value).toBe('2026-11-01')
      expect(screen.getByText(/by Robin Vale$/)).toBeTruthy()
      // No conflict with oneself.
      expect(screen.queryByText('Someone else changed these settings.')).toBeNull()
      expect((await field('Base pay')).value).toBe('445')
      await user.click(button('Save'))
      await screen.findByText('Settings saved.')
      expect(sent(server)).toEqual([
        { starts_on: '2026-11-01', version: 3 },
        { basePay: 445, version: 4 },
      ])
    })

    it('can be moved later without a warning, and cleared with one', async () => {
      const { server, state } = makeServer(startOf('2026-11-01', 4))
      server.answer(changeSettings, () => state.settings)
      const { user } = await renderScreen(<Settings />, { server, path })
      const input = await field('Payroll starts on')
      await user.clear(input)
      expect(screen.getByText(/an entry for every completed session that has none/)).toBeTruthy()
      await user.type(input, '2026-12-01')
      expect(screen.queryByText(/The next hourly run/)).toBeNull()
      await user.clear(input)
      await user.click(button('Save start date'))
      await waitFor(() => expect(sent(server)).toEqual([{ starts_on: null, version: 4 }]))
    })

    it('says that someone else changed it, and shows their day', async () => {
      const { server, state } = makeServer(makeSettings())
      server.answer(changeSettings, () => {
        state.settings = startOf('2026-10-01', 4)
        return new Refusal(409, 'stale', 'Someone else changed these settings.', { current: state.settings })
      })
      const { user } = await renderScreen(<Settings />, { server, path })
      await user.type(await field('Payroll starts on'), '2026-11-01')
      await user.click(button('Save start date'))
      expect(await screen.findByText("Couldn't save the start date")).toBeTruthy()
      await waitFor(async () => expect((await field('Payroll starts on')).value).toBe('2026-10-01'))
    })
  })
})
