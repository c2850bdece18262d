import { changeSettings, type PayrollSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeSettings } from '../payroll.testing.ts'
import Settings from './settings.screen.tsx'

const path = '/worker/financial/settings'

function holding(settings: PayrollSettings) {
  const held = { settings }
  const server = new FakeServer().answer(readSettings, () => held.settings)
  return { server, held }
}
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const sent = (server: FakeServer) => server.asked.filter(({ call }) => call === changeSettings).map(({ body }) => body)

describe('the settings', () => {
  it('show the rates as percentages beside their fields, the history and the tables', async () => {
    const { server } = holding(makeSettings())
    const { user } = await renderScreen(<Settings />, { server, path })
    expect((await field('basePay')).value).toBe('44')
    const percent = screen.getByLabelText('taxRate as a percentage')
    expect(percent.textContent).toBe('20%')
    expect(screen.getByLabelText('Employer UI rate as a percentage').textContent).toBe('3.4%')
    await user.clear(await field('taxRate'))
    expect(percent.textContent).toBe('--')
    await user.type(await field('taxRate'), '0.1955')
    expect(percent.textContent).toBe('19.55%')
    const history = screen.getByRole('table', { name: 'History' })
    expect(within(history).getAllByRole('row').at(-1)?.textContent).toMatch(
      /^Sep 30(, 2026)?\$44\.0000\$36\.000020%biweekly3\.4%.*Robin Valein force$/,
    )
    expect(screen.getByText(/IRS Pub 15-T \(2026\)/)).toBeTruthy()
    expect(screen.getByText(/an aid and not tax advice/)).toBeTruthy()
  })

  it('send only what was changed, with the version, and say from when it holds', async () => {
    const { server, held } = holding(makeSettings())
    server.answer(changeSettings, ({ body }) => {
      held.settings = makeSettings({ ...(body.taxRate ? { taxRate: body.taxRate } : {}), version: 4 })
      return held.settings
    })
    const { user } = await renderScreen(<Settings />, { server, path })
    await field('basePay')
    expect(button('Save').disabled).toBe(true)
    await user.clear(await field('taxRate'))
    await user.type(await field('taxRate'), '0.19')
    await user.click(button('Save'))
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(sent(server)).toEqual([{ taxRate: 0.19, version: 3 }])
    expect((await field('taxRate')).value).toBe('0.19')
    expect(button('Save').disabled).toBe(true)
  })

  it('fill in what is planned for the day that is chosen, so that a plan can be taken back', async () => {
    const now = makeSettings()
    const [current] = now.history
    if (!current) throw new Error('There is no history')
    const by = { changedAt: '2026-11-16T17:00:00.000Z', changedBy: 'Robin Vale' }
    const plan = { ...current, ...by, basePay: 46, effectiveFrom: '2036-12-01', version: 4, state: 'planned' as const }
    const old = { ...plan, basePay: 45, version: 3, state: 'replaced' as const }
    const { server, held } = holding({ ...now, version: 4, history: [plan, old, { ...current, version: 2 }] })
    server.answer(changeSettings, () => held.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.type(await field('Holds from'), '2036-12-01')
    expect((await field('basePay')).value).toBe('46')
    expect(screen.getByText('Filled in is what is planned from Dec 1, 2036 on.')).toBeTruthy()
    expect(button('Save').disabled).toBe(true)
    await user.clear(await field('basePay'))
    await user.type(await field('basePay'), '44')
    await user.click(button('Save'))
    await screen.findByText('Settings saved.')
    expect(sent(server)).toEqual([{ basePay: 44, effectiveFrom: '2036-12-01', version: 4 }])
    const rows = within(screen.getByRole('table', { name: 'History' })).getAllByRole('row')
    expect(rows.map((row) => row.textContent.match(/(planned|replaced|in force)$/)?.[0])).toEqual([
      undefined,
      'planned',
      'replaced',
      'in force',
    ])
  })

  it('refuse a rate above one before it is sent', async () => {
    const { server } = holding(makeSettings())
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('taxRate'))
    await user.type(await field('taxRate'), '1.25')
    await user.click(button('Save'))
    expect(await screen.findByText('taxRate must be between 0 and 1.')).toBeTruthy()
    expect(sent(server)).toEqual([])
  })

  it.each(['basePay', 'On-site hourly pay', 'taxRate', 'Employer UI rate'])(
    'refuse a cleared %s instead of keeping the old one',
    async (name) => {
      const { server, held } = holding(makeSettings())
      server.answer(changeSettings, () => held.settings)
      const { user } = await renderScreen(<Settings />, { server, path })
      await user.clear(await field(name))
      await user.click(button('Save'))
      expect(await screen.findByText(`${name} is required.`)).toBeTruthy()
      expect(screen.queryByText('Settings saved.')).toBeNull()
      expect(sent(server)).toEqual([])
    },
  )

  it.each([
    ['44,50', 'basePay must be a number like 1,234.50.'],
    ['-3', 'basePay must not be negative.'],
    ['0.12345', 'basePay must have at most 4 decimals.'],
    ['4x4', 'basePay must be a number like 1,234.50.'],
  ])('leave %s as it was typed and say what is wrong', async (typed, text) => {
    const { server, held } = holding(makeSettings())
    server.answer(changeSettings, () => held.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('basePay'))
    await user.type(await field('basePay'), typed)
    expect(screen.queryByText(text)).toBeNull()
    await user.tab()
    expect(screen.getByText(text)).toBeTruthy()
    await user.click(button('Save'))
    expect((await field('basePay')).value).toBe(typed)
    expect(screen.getByText(text)).toBeTruthy()
    expect(sent(server)).toEqual([])
  })

  it('set a first rate for on-site sessions, which is empty until then', async () => {
    const { server, held } = holding(makeSettings({ onsiteHourlyPay: null }))
    held.settings.history = held.settings.history.map((one) => ({ ...one, onsiteHourlyPay: null }))
    server.answer(changeSettings, () => held.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    expect((await field('On-site hourly pay')).value).toBe('')
    expect(screen.getByText(/paid from the day it is first set/)).toBeTruthy()
    expect(button('Save').disabled).toBe(true)
    await user.type(await field('On-site hourly pay'), '36.50')
    await user.click(button('Save'))
    await screen.findByText('Settings saved.')
    expect(sent(server)).toEqual([{ onsiteHourlyPay: 36.5, version: 3 }])
  })

  it('read thousands separators', async () => {
    const { server, held } = holding(makeSettings())
    server.answer(changeSettings, () => held.settings)
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('basePay'))
    await user.type(await field('basePay'), '1,234.50')
    await user.click(button('Save'))
    await screen.findByText('Settings saved.')
    expect(sent(server)).toEqual([{ basePay: 1234.5, version: 3 }])
  })

  it('keep what was typed when they cannot be saved', async () => {
    const { server } = holding(makeSettings())
    server.answer(changeSettings, new Refusal(422, 'too_far', 'A change can be planned at most one year ahead.'))
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('basePay'))
    await user.type(await field('basePay'), '45')
    await user.click(button('Save'))
    expect(await screen.findByText('Failed to update settings.')).toBeTruthy()
    expect(screen.getByText('A change can be planned at most one year ahead.')).toBeTruthy()
    expect((await field('basePay')).value).toBe('45')
  })

  it('say what failed to load', async () => {
    const server = new FakeServer().answer(readSettings, new Refusal(403, 'forbidden', 'You may not do this.'))
    await renderScreen(<Settings />, { server, path })
    expect(await screen.findByText('Failed to fetch payroll settings.')).toBeTruthy()
    expect(screen.getByText('Error loading settings.')).toBeTruthy()
  })
})

describe('two people at once', () => {
  const theirs = makeSettings({ taxRate: 0.21, uiRate: 0.04, version: 4 })

  async function collide() {
    const { server, held } = holding(makeSettings())
    server.answer(changeSettings, ({ body }) => {
      if (body.version !== 4)
        return new Refusal(409, 'stale', 'Someone else changed these settings. Reload and try again.', {
          current: theirs,
        })
      held.settings = makeSettings({ taxRate: 0.19, uiRate: 0.04, version: 5 })
      return held.settings
    })
    const view = await renderScreen(<Settings />, { server, path })
    await view.user.clear(await field('taxRate'))
    await view.user.type(await field('taxRate'), '0.19')
    await view.user.click(button('Save'))
    const dialog = await screen.findByRole('dialog', { name: 'The settings changed meanwhile' })
    return { ...view, server, dialog }
  }

  it('the second sees both versions', async () => {
    const { dialog } = await collide()
    const rows = within(within(dialog).getByRole('table', { name: 'Both versions' })).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual([
      'SettingWhen you beganTheirsYours, saved over it',
      'basePay$44.0000$44.0000$44.0000',
      'On-site hourly pay$36.0000$36.0000$36.0000',
      'taxRate20%21%19%',
      'Pay frequencybiweeklybiweeklybiweekly',
      'Employer UI rate3.4%4%4%',
    ])
    expect(dialog.textContent).toContain('Robin Vale saved others')
  })

  it('and saves their own over it, touching nothing else', async () => {
    const { user, dialog, server } = await collide()
    await user.click(within(dialog).getByRole('button', { name: 'Save mine over it' }))
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(sent(server).at(-1)).toEqual({ taxRate: 0.19, version: 4 })
  })

  it('or takes theirs', async () => {
    const { user, dialog, server } = await collide()
    await user.click(within(dialog).getByRole('button', { name: 'Take theirs' }))
    await waitFor(async () => expect((await field('taxRate')).value).toBe('0.21'))
    expect(sent(server)).toHaveLength(1)
  })

  it('a change is told while one looks, and does not touch the fields', async () => {
    const { server, held } = holding(makeSettings())
    const { user } = await renderScreen(<Settings />, { server, path })
    await user.clear(await field('basePay'))
    await user.type(await field('basePay'), '45')
    held.settings = theirs
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"payroll.settings"}' }))
    expect(await screen.findByText('The settings were changed while you look at them.')).toBeTruthy()
    expect((await field('basePay')).value).toBe('45')
    await user.click(button('Show them'))
    await waitFor(async () => expect((await field('taxRate')).value).toBe('0.21'))
  })
})
