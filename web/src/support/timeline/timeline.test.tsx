import { addNote } from '@limber/contract/support/customers/note.ts'
import { readTicket } from '@limber/contract/support/tickets/ticket.ts'
import { countTimeline, listTimeline, type TimelineEntry } from '@limber/contract/support/timeline/timeline.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { FakeEventSource, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { groupByDay } from '#ui/format/group-by-day.ts'
import { makeUser, serveUsers } from '../customers/users.testing.ts'
import { makeTicket } from '../tickets/ticket.testing.ts'
import { LatestEntries } from './latest-entries.tsx'
import Timeline from './timeline.tsx'

beforeAll(() => import('./entry-answer.tsx'))

const makeEntry = (overrides: Partial<TimelineEntry>): TimelineEntry => ({
  ...{ key: 'payment-1', group: 'payments', kind: 'payment', at: '2026-11-10T18:00:00.000Z' },
  ...{ title: 'Bought 3 credits', text: '', quote: null, tone: null },
  ...{ amount: '225.0000', balance: null, stars: null, link: null },
  ...overrides,
})

const note = makeEntry({
  ...{ key: 'note-4', group: 'notes', kind: 'note', title: 'Note by Dana Whitfield', amount: null },
  quote: 'Prefers mornings.',
})
const ticket = makeEntry({
  ...{ key: 'ticket-41', group: 'tickets', kind: 'ticket', title: 'Opened ticket', amount: null, tone: 'amber' },
  ...{ text: '#41 Charged twice', link: { to: 'ticket' as const, id: 41 } },
})

async function show(entries: TimelineEntry[], permissions?: Parameters<typeof makeSession>[0]) {
  const server = serveUsers(makeUser())
    .answer(listTimeline, { entries, next: null, failed: [] })
    .answer(countTimeline, {
      groups: [
        { group: 'payments', count: 12, isMore: false },
        { group: 'notes', count: 999, isMore: true },
      ],
    })
  const session = makeSession(permissions)
  const view = await renderScreen(<Timeline id={8} />, { server, path: '/support/users?user=8', session })
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull())
  return { ...view, server }
}

it('opens the last entries beside a record in place', async () => {
  const server = serveUsers(makeUser()).answer(listTimeline, { entries: [ticket, note], next: null, failed: [] })
  const { user, router } = await renderScreen(<LatestEntries customerId={8} />, { server, path: '/growth/conversion' })
  const line = await screen.findByRole('button', { name: 'Note by Dana Whitfield' })
  expect(screen.queryByRole('link')).toBeNull()
  await user.click(line)
  expect(line.getAttribute('aria-expanded')).toBe('true')
  expect(await screen.findByLabelText('New note')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(line)
  server.answer(readTicket, makeTicket({ id: 41 }))
  await user.click(screen.getByRole('button', { name: 'Opened ticket #41 Charged twice' }))
  expect(screen.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/support/tickets?ticket=41')
  expect(router.state.location.pathname).toBe('/growth/conversion')
})

describe('the timeline', () => {
  it('says each entry in one line, by day', async () => {
    await show([
      makeEntry({ balance: null }),
      makeEntry({ key: 'credit-2', kind: 'credit', amount: null, balance: [4, 3] }),
    ])
    const line = (await screen.findByText('$225.00')).closest('li')
    expect(line?.textContent).toContain('Bought 3 credits')
    expect(screen.getByText('3', { selector: 'b' })).toBeTruthy()
  })

  it('filters by a chip or its digit, and searches', async () => {
    const { user, server } = await show([makeEntry({})])
    const asked: unknown[] = []
    server.answer(listTimeline, ({ query }) => {
      asked.push(query)
      return { entries: [], next: null, failed: [] }
    })
    const chip = screen.getByRole('button', { name: 'Payments 12' })
    expect(screen.getByRole('button', { name: 'All 999+' })).toBeTruthy()
    await user.click(chip)
    expect(chip.getAttribute('aria-pressed')).toBe('true')
    expect(await screen.findByText('No payments')).toBeTruthy()
    expect(asked.at(-1)).toMatchObject({ group: 'payments' })
    await user.click(screen.getByRole('button', { name: 'Clear filter' }))
    await user.keyboard('3')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ group: 'notes' }))
    await user.type(screen.getByPlaceholderText('Search timeline'), 'refund')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ group: 'notes', search: 'refund' }))
  })

  it('names what could not be loaded, and shows the rest', async () => {
    const { user, server } = await show([makeEntry({})])
    server.answer(listTimeline, { entries: [note], next: null, failed: ['Payments'] })
    await user.click(screen.getByRole('button', { name: 'Notes 999+' }))
    expect(await screen.findByText('Payments could not be loaded')).toBeTruthy()
    expect(screen.getByText('Prefers mornings.')).toBeTruthy()
    server.answer(listTimeline, { entries: [note], next: null, failed: [] })
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(screen.queryByText('Payments could not be loaded')).toBeNull())
  })

  it('loads earlier entries', async () => {
    const { user, server } = await show([])
    server.answer(listTimeline, ({ query }) =>
      query.before
        ? { entries: [makeEntry({ key: 'payment-9', title: 'The first payment' })], next: null, failed: [] }
        : { entries: [makeEntry({})], next: '2026-11-10T18:00:00.000000Z~payment~1', failed: [] },
    )
    await user.click(screen.getByRole('button', { name: 'Payments 12' }))
    await user.click(await screen.findByRole('button', { name: 'Show earlier entries' }))
    expect(await screen.findByText('The first payment')).toBeTruthy()
    expect(screen.getByText('You see everything your role allows.')).toBeTruthy()
  })

  it('answers a note with a note, in place', async () => {
    const { user, server } = await show([note])
    const added = vi.fn()
    server.answer(addNote, ({ body }) => {
      added(body)
      return { id: 5, note: body.note, staffId: 7, staffName: 'Priya Raman', timestamp: '2026-11-14T17:00:00.000Z' }
    })
    await user.click(screen.getByRole('button', { name: /^Add a note/ }))
    await user.type(await screen.findByLabelText('New note'), 'Moved to Perris.')
    await user.click(screen.getByRole('button', { name: 'Add Note' }))
    await waitFor(() => expect(added).toHaveBeenCalledWith({ note: 'Moved to Perris.' }))
    await waitFor(() => expect(screen.queryByLabelText('New note')).toBeNull())
  })

  it('opens a ticket to its last messages and the reply', async () => {
    const { user, server } = await show([ticket])
    server.answer(readTicket, makeTicket({ id: 41 }))
    await user.click(screen.getByRole('button', { name: /^Reply/ }))
    const line = screen.getByText('Opened ticket').closest('li') as HTMLElement
    expect(await within(line).findByRole('button', { name: 'Send Response' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(within(line).queryByRole('button', { name: 'Send Response' })).toBeNull())
  })

  it('offers no answer and no link without the permission', async () => {
    await show([ticket, note], ['growth.tab'])
    expect(screen.queryByRole('button', { name: /^Reply/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Add a note/ })).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('follows what happens, and ignores other customers', async () => {
    const { server } = await show([makeEntry({})])
    server.answer(listTimeline, { entries: [note, makeEntry({})], next: null, failed: [] })
    const before = server.callCount(listTimeline)
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"customers","customer":9}' }))
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"customers","customer":8}' }))
    expect(await screen.findByText('Prefers mornings.')).toBeTruthy()
    expect(server.callCount(listTimeline)).toBe(before + 1)
  })

  it('counts new entries instead of moving what is read', async () => {
    const { user, server } = await show([makeEntry({})])
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(900)
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {})
    server.answer(listTimeline, { entries: [note, makeEntry({})], next: null, failed: [] })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"customers","customer":8}' }))
    const chip = await screen.findByRole('button', { name: '1 new entry' })
    expect(screen.queryByText('Prefers mornings.')).toBeNull()
    await user.click(chip)
    expect(await screen.findByText('Prefers mornings.')).toBeTruthy()
    expect(scroll).toHaveBeenCalledWith({ top: 0 })
    vi.restoreAllMocks()
  })

  it('says that it failed, and recovers', async () => {
    const { user, server } = await show([makeEntry({})])
    server.answer(listTimeline, new Refusal(503, 'unavailable', 'Try again.'))
    await user.click(screen.getByRole('button', { name: 'Notes 999+' }))
    expect(await screen.findByText('Try again.')).toBeTruthy()
    server.answer(listTimeline, { entries: [note], next: null, failed: [] })
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Prefers mornings.')).toBeTruthy()
  })
})

describe('the days of a timeline', () => {
  const now = new Date('2026-11-17T18:00:00Z')
  const titles = (...moments: string[]) =>
    groupByDay(
      moments.map((at, index) => makeEntry({ key: `x-${index}`, at })),
      now,
    ).map(({ title, entries }) => `${title} ${entries.length}`)

  it('are planned ones, days in the zone of the company, then months', () => {
    expect(
      titles(
        '2026-11-25T18:00:00.000Z',
        '2026-11-20T18:00:00.000Z',
        '2026-11-17T17:00:00.000Z',
        // Still Monday in Los Angeles.
        '2026-11-17T07:59:00.000Z',
        '2026-11-14T18:00:00.000Z',
        '2026-10-09T18:00:00.000Z',
        '2026-10-02T18:00:00.000Z',
        '2025-03-03T18:00:00.000Z',
      ),
    ).toEqual(['Planned 2', 'Today 1', 'Yesterday 1', 'Sat, Nov 14 1', 'October 2026 2', 'March 2025 1'])
  })

  it('begin with the soonest planned entry', () => {
    const [planned] = groupByDay(
      ['2026-11-25T18:00:00.000Z', '2026-11-20T18:00:00.000Z'].map((at) => makeEntry({ at })),
      now,
    )
    expect(planned?.entries.map(({ at }) => at)).toEqual(['2026-11-20T18:00:00.000Z', '2026-11-25T18:00:00.000Z'])
  })
})
