import {
  DEFAULT_PROMISES,
  readPromises,
  type SavedPromises,
  savePromises,
} from '@limber/contract/support/promises/promise.ts'
import { readRatingSettings } from '@limber/contract/support/ratings/rating.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { now } from '#platform/clock.ts'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeTicket } from '../tickets/ticket.testing.ts'
import PromiseBar from './promise-bar.tsx'
import Promises from './promises.screen.tsx'

const settings: SavedPromises = {
  ...DEFAULT_PROMISES,
  timeZone: 'America/Los_Angeles',
  changedAt: null,
  changedBy: null,
  recomputing: 0,
  version: 0,
}
const serve = () =>
  new FakeServer().answer(readPromises, settings).answer(readRatingSettings, { isOn: false, version: 0 })

describe('the settings of promises', () => {
  it('save targets, hours and holidays', async () => {
    const saved = vi.fn()
    const server = serve().answer(savePromises, ({ body }) => {
      saved(body)
      return { ...settings, ...body, version: 1 }
    })
    const { user } = await renderScreen(<Promises />, { server })
    await user.selectOptions(await screen.findByLabelText('First response, High priority, Gold'), '1 h')
    await user.click(screen.getByRole('switch', { name: 'Saturday' }))
    await user.click(screen.getByRole('button', { name: 'Add US federal holidays' }))
    await user.click(screen.getByRole('button', { name: 'Save promises' }))
    await waitFor(() => expect(saved).toHaveBeenCalledOnce())
    const [body] = saved.mock.calls[0] ?? []
    expect(body.targets.first.high).toEqual({ Platinum: null, Gold: 60, Silver: null, Bronze: null })
    expect(body.week[6]).toEqual({ from: '09:00', to: '17:00' })
    expect(body.holidays.length).toBeGreaterThan(10)
    expect(body.version).toBe(0)
  })

  it('say which day has an end before its start, and keep what was chosen', async () => {
    const { user } = await renderScreen(<Promises />, { server: serve() })
    const closes = await screen.findByLabelText('Monday, closes')
    await user.clear(closes)
    await user.type(closes, '08:00')
    await user.click(screen.getByRole('button', { name: 'Save promises' }))
    expect(await screen.findByText('The time must be after the start.')).toBeTruthy()
    expect((closes as HTMLInputElement).value).toBe('08:00')
  })

  it('ask which version to keep when somebody else saved first', async () => {
    const theirs = { ...settings, holidays: [{ day: '2026-12-25', name: 'Christmas Day' }], version: 5 }
    const server = serve().answer(
      savePromises,
      new Refusal(409, 'stale', 'Someone else changed these settings.', { current: theirs }),
    )
    const { user } = await renderScreen(<Promises />, { server })
    await user.selectOptions(await screen.findByLabelText('First response, High priority, Gold'), '1 h')
    await user.click(screen.getByRole('button', { name: 'Save promises' }))
    const dialog = await screen.findByRole('dialog', { name: 'Someone else changed the promises' }, { timeout: 10_000 })
    expect(within(dialog).getAllByText('2026-12-25').length).toBeGreaterThan(0)
    await user.click(within(dialog).getByRole('button', { name: 'Use theirs' }))
  })
})

describe('the bar above a thread', () => {
  const at = (minutes: number) => new Date(now().getTime() + minutes * 60_000).toISOString()
  const promise = {
    kind: 'first',
    priority: 'medium',
    rank: 'Gold',
    targetMinutes: 60,
    startedAt: at(-21),
    dueAt: at(39),
    leftMinutes: null,
    endedAt: null,
    state: 'running',
    tookMinutes: null,
  } as const
  const show = (ticket: Parameters<typeof makeTicket>[0]) => renderScreen(<PromiseBar ticket={makeTicket(ticket)} />)

  it('says by when to respond, why, and how much time is left', async () => {
    await show({ promise, promises: [promise] })
    const bar = screen.getByRole('status')
    expect(bar.textContent).toMatch(/^Respond by .+\. Gold, medium priority: 1 business hour\..*3\d min left$/)
  })

  it('says that the response is late', async () => {
    await show({ promise: { ...promise, dueAt: at(-12) } })
    expect(screen.getByRole('status').textContent).toMatch(/^The response was due .+12 min late$/)
  })

  it('pauses for the customer, and shows what was kept at the end with its timers', async () => {
    const first = { ...promise, state: 'kept', tookMinutes: 18, endedAt: at(-3) } as const
    const next = { ...first, kind: 'next', startedAt: at(-2), tookMinutes: 31 } as const
    const { user } = await show({ promise: next, promises: [first, next], status: 'closed' })
    expect(screen.getByRole('status').textContent).toContain(
      'Both promises kept. First response in 18 min, next response in 31 min.',
    )
    await user.click(screen.getByRole('button', { name: 'Show timers' }))
    const dialog = await screen.findByRole('dialog', { name: 'Timers' }, { timeout: 10_000 })
    expect(within(dialog).getAllByText('Kept')).toHaveLength(2)
    expect(within(dialog).getByText('18 min of 1 h')).toBeTruthy()
  })

  it.each([
    [{ promise: { ...promise, state: 'kept', tookMinutes: 18 } as const }, 'Paused while we wait for the customer.'],
    [
      { promise: { ...promise, state: 'paused', dueAt: null, leftMinutes: 25 } as const, snoozed: { until: null } },
      'Paused while the ticket is snoozed. 25 min of business hours left.',
    ],
  ])('pauses: %#', async (ticket, text) => {
    await show(ticket)
    expect(screen.getByRole('status').textContent).toContain(text)
  })
})
