import { type Dashboard, readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { type AnalyticsEvent, listEvents, readEvent } from '@limber/contract/analytics/events/event.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { openLive } from '#platform/live/live.ts'
import {
  FakeEventSource,
  FakeServer,
  makeSession,
  Refusal,
  renderScreen,
  withoutCurrentYear,
} from '#platform/testing/testing.tsx'
import DashboardScreen from './dashboard.screen.tsx'

const slow = { timeout: 5_000 }

const makeEvent = (place: number, more: Partial<AnalyticsEvent> = {}): AnalyticsEvent => ({
  id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
  user_id: 7,
  action_type: 'session_booked',
  event_outcome: 'success',
  method: 'POST',
  url: '/api/bookings/58213',
  response_status: 201,
  response_time: 184.12,
  ip_address: '203.0.113.9',
  createdAt: new Date(Date.UTC(2026, 10, 15, 17, 41, 52) - place * 11_000).toISOString(),
  path: '/api/bookings/:id',
  source: 'customer',
  user: { kind: 'customer', id: 7, name: 'Camille Okafor' },
  ...more,
})

// Three midnights of a week in California, each with one point.
const days = ['2026-11-13T08:00:00.000Z', '2026-11-14T08:00:00.000Z', '2026-11-15T08:00:00.000Z']

const makeDashboard = (more: Partial<Dashboard> = {}): Dashboard => ({
  total_events: 46_216,
  unique_users: 3184,
  avg_response_time: 142.4,
  error_rate: 0.84,
  events_over_time: {
    timestamps: days,
    total_events_over_time: [1284, 1530, 990],
    previous_total_events_over_time: [1134, 1400, 1010],
  },
  actions: {
    by_type: [
      { type: 'session_booked', count: 30_000 },
      { type: 'search', count: 16_216 },
    ],
    types: [
      { type: 'session_booked', count: 30_000 },
      { type: 'search', count: 16_216 },
    ],
  },
  performance: {
    response_times: [
      { path: '/api/marketing/zones', avg_ms: 412.3, p95_ms: 903, events: 240 },
      { path: '/api/auth/check', avg_ms: 9.25, p95_ms: 21, events: 9000 },
    ],
    paths: 2,
    span: { timeframe: 'week', from: days[0] ?? '', to: '2026-11-15T18:00:00.000Z' },
  },
  user_activity: { recent_events: [] },
  previous: { total_events: 43_518, unique_users: 3118, avg_response_time: 151, error_rate: 0.72 },
  trends: { total_events: [3, 4, 5], unique_users: [2, 3, 4], avg_response_time: [9, 8, 7], error_rate: [1, 2, 3] },
  span: { timeframe: 'week', from: days[0] ?? '', to: '2026-11-15T18:00:00.000Z' },
  zone: 'America/Los_Angeles',
  ...more,
})

const TOTAL = 46_216

/** A server with many events that records the requests. */
function makeServer() {
  const asked: Record<string, unknown>[] = []
  const server = new FakeServer()
    .answer(readDashboard, ({ query }) => {
      asked.push({ ...query })
      const span = { timeframe: query.timeframeEvents, from: days[0] ?? '', to: '2026-11-15T18:00:00.000Z' }
      return makeDashboard({ span })
    })
    .answer(listEvents, ({ query: { page, limit, ...rest } }) => {
      asked.push({ page, ...rest })
      return {
        events: Array.from({ length: limit }, (_, i) => makeEvent((page - 1) * limit + i)),
        pagination: { page, limit, totalItems: TOTAL, totalPages: Math.ceil(TOTAL / limit) },
      }
    })
    .answer(readEvent, ({ params }) =>
      makeEvent(Number(params.id.slice(-12)), { event_outcome: 'failure', response_status: 402 }),
    )
  return { server, asked }
}

const open = async (path = '/analytics/dashboard', session = makeSession()) => {
  const { server, asked } = makeServer()
  const view = await renderScreen(<DashboardScreen />, { server, path, session })
  await screen.findByText('46,216', undefined, slow)
  return { ...view, asked }
}
const figures = () => screen.getByRole('region', { name: 'Figures' })
const table = () => screen.findByRole('table', { name: 'Events, newest first' }, slow)

describe('figures', () => {
  it('show value, unit and change from the previous week', async () => {
    await open()
    const text = figures().textContent
    expect(text).toContain('Total events46,216up 6.2%previously 43,518')
    expect(text).toContain('Unique users3,184up 2.1%previously 3,118')
    expect(text).toContain('Average response time142msdown 8.6 mspreviously 151 ms')
    expect(text).toContain('Error rate0.84%up 0.12 ptspreviously 0.72%')
  })

  it('show no change without previous events', async () => {
    const { server } = makeServer()
    const previous = { total_events: 0, unique_users: 0, avg_response_time: 0, error_rate: 0 }
    server.answer(readDashboard, makeDashboard({ previous }))
    await renderScreen(<DashboardScreen />, { server })
    await screen.findByText('46,216', undefined, slow)
    expect(figures().textContent).toContain('Total events46,216none previously')
  })
})

describe('timeframes and filter', () => {
  it('start with the week and all actions', async () => {
    const { asked } = await open()
    expect(asked[0]).toEqual({ timeframeEvents: 'week', timeframePerformance: 'week', actionTypeFilter: '' })
    expect(
      screen.getByText(/Fri, Nov 13(, 2026)? – Sun, Nov 15(, 2026)?, compared with the previous week\. Updated/),
    ).toBeTruthy()
  })

  it('are in the URL and are read from it', async () => {
    const { user, router, asked } = await open('/analytics/dashboard?events=day&performance=hour&action=search&page=3')
    expect(asked).toContainEqual({ timeframeEvents: 'day', timeframePerformance: 'hour', actionTypeFilter: 'search' })
    expect(asked).toContainEqual({ timeframeEvents: 'day', actionTypeFilter: 'search', page: 3 })
    await user.click(screen.getByRole('radio', { name: 'Month' }))
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ events: 'month', performance: 'hour', action: 'search' }),
    )
    await user.selectOptions(screen.getByRole('combobox', { name: 'Action type' }), 'All action types')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Timeframe for performance' }), 'Day')
    await waitFor(() => expect(router.state.location.search).toEqual({ events: 'month', performance: 'day' }))
    expect(asked).toContainEqual({ timeframeEvents: 'month', timeframePerformance: 'day', actionTypeFilter: '' })
  })

  it('fall back to the week for an unknown timeframe in the URL', async () => {
    const { asked } = await open('/analytics/dashboard?events=year&performance=%00')
    expect(asked[0]).toEqual({ timeframeEvents: 'week', timeframePerformance: 'week', actionTypeFilter: '' })
  })
})

describe('charts', () => {
  it('show the values of both weeks with the arrow keys', async () => {
    const { user } = await open()
    const chart = await screen.findByRole('slider', { name: /Events over time/ }, slow)
    chart.focus()
    await user.keyboard('{ArrowRight}')
    expect(chart.textContent).toContain(withoutCurrentYear('Fri, Nov 13, 2026, 12:00 AM – 12:00 AM'))
    expect(chart.textContent).toContain('This week1,284')
    expect(chart.textContent).toContain('Previous week1,134')
  })

  it('show the same figures as a table', async () => {
    const { user } = await open()
    const view = screen.getByRole('group', { name: 'View of Actions by type' })
    await user.click(within(view).getByRole('button', { name: 'Table' }))
    const rows = within(screen.getByRole('region', { name: 'Actions by type as a table' })).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual([
      'ActionAction typeEventsShare',
      'Session bookedsession_booked30,00064.9%',
      'Searchsearch16,21635.1%',
    ])
  })

  it('show average and 95th percentile of each path and highlight paths above the budget', async () => {
    await open()
    const card = screen.getByRole('region', { name: 'Response time by path' })
    expect(card.textContent).toContain('/api/marketing/zones412 msp95 903')
    expect(card.textContent).toContain('/api/auth/check9.3 msp95 21')
    expect(card.querySelectorAll('li [data-over]')).toHaveLength(1)
  })

  it('export CSV', async () => {
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return 'blob:saved'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Export Response time by path as CSV' }))
    expect(await saved[0]?.text()).toContain('/api/marketing/zones,412.3,903,240')
    // The server exports all events of the timeframe.
    expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/api/analytics/events/export?timeframeEvents=week',
    )
  })
})

describe('recent events', () => {
  it('show ten rows a page', async () => {
    const { user, asked, router } = await open()
    expect(within(await table()).getAllByRole('row')).toHaveLength(11)
    expect(screen.getByText('1 to 10 of 46,216')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Page 4,622' }))
    await waitFor(() => expect(asked).toContainEqual({ timeframeEvents: 'week', actionTypeFilter: '', page: 4622 }))
    expect(router.state.location.search).toEqual({ page: '4622' })
  })

  it('open a dialog with all details and keep it in the URL', async () => {
    const { user, router } = await open()
    const [first] = within(await table()).getAllByRole('button', { name: 'Session booked' })
    await user.click(first as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'Session booked' }, slow)
    await within(dialog).findByText('203.0.113.9', undefined, slow)
    for (const text of [
      'Failure',
      'session_booked',
      '402',
      '184.12 ms',
      '/api/bookings/:id',
      'customer 7',
      'customer product',
    ])
      expect(within(dialog).getByText(text)).toBeTruthy()
    expect(within(dialog).getByRole('link', { name: 'Camille Okafor' }).getAttribute('href')).toBe(
      '/support/users?user=7',
    )
    expect(router.state.location.search).toEqual({ event: makeEvent(0).id })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('link to the customer only with permission', async () => {
    await open('/analytics/dashboard', makeSession(['analytics.view']))
    expect(within(await table()).getAllByText('Camille Okafor')).toHaveLength(10)
    expect(screen.queryByRole('link', { name: 'Camille Okafor' })).toBeNull()
  })

  it('have an empty state', async () => {
    const { server } = makeServer()
    const nothing = { total_events: 0, unique_users: 0, avg_response_time: 0, error_rate: 0 }
    server
      .answer(
        readDashboard,
        makeDashboard({
          ...nothing,
          previous: nothing,
          actions: { by_type: [], types: [] },
          performance: { ...makeDashboard().performance, response_times: [], paths: 0 },
        }),
      )
      .answer(listEvents, { events: [], pagination: { page: 1, limit: 10, totalItems: 0, totalPages: 1 } })
    await renderScreen(<DashboardScreen />, { server, path: '/?action=waiver_signed' })
    await waitFor(() => expect(screen.getAllByText('No events in this period')).toHaveLength(2), slow)
    expect(screen.getByText('No actions in this period')).toBeTruthy()
    expect(screen.getByText('No requests in this period')).toBeTruthy()
    expect(await screen.findByText(/No “Waiver signed” events/)).toBeTruthy()
    expect(screen.getByRole('option', { name: 'Waiver signed', selected: true } as object)).toBeTruthy()
    expect(figures().textContent).toContain('Error rate--')
  })
})

describe('a failed request', () => {
  it('shows an error with Retry in place of the figures, and keeps the filters', async () => {
    const { server } = makeServer()
    let isBroken = true
    server.answer(readDashboard, () =>
      isBroken
        ? new Refusal(500, 'broken', 'Something went wrong on our side. It has been recorded.')
        : makeDashboard(),
    )
    const { user } = await renderScreen(<DashboardScreen />, { server, path: '/?events=day' })
    const alert = await screen.findByRole('alert', undefined, slow)
    expect(alert.textContent).toContain('Failed to fetch dashboard data')
    expect(alert.textContent).toContain('Something went wrong on our side.')
    expect(screen.getByRole('radio', { name: 'Day', checked: true })).toBeTruthy()
    isBroken = false
    await user.click(within(alert).getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('46,216', undefined, slow)).toBeTruthy()
  })
})

describe('the open dashboard', () => {
  it('reloads when the figures change, at most every five seconds', async () => {
    const { server } = await open()
    openLive()
    const before = server.callCount(readDashboard)
    const say = () => act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'analytics' }) }))
    say()
    await waitFor(() => expect(server.callCount(readDashboard)).toBe(before + 1))
    say()
    say()
    await new Promise((done) => setTimeout(done, 50))
    expect(server.callCount(readDashboard)).toBe(before + 1)
  })
})
