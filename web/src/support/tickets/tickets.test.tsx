// @module-tag slow
import { paginate } from '@limber/contract/kit/page.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import {
  assignTicket,
  countTickets,
  createTicket,
  listPresence,
  listTickets,
  setTicketStatus,
  type TicketDetail,
} from '@limber/contract/support/tickets/ticket.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeEventSource, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { idempotencyKeysOf, loseFirstResponse } from '../lost-response.testing.ts'
import { makeMessage, makeTicket, serveTickets } from './ticket.testing.ts'
import { waitingText } from './ticket-labels.ts'
import { findTickets } from './ticket-palette.ts'
import Tickets from './tickets.screen.tsx'

const path = '/support/tickets'
const opened = `${path}?ticket=4127`
const card = (name: RegExp) =>
  within(screen.getByRole('region', { name: 'Filter by status' })).getByRole('button', { name })
const rows = () => within(screen.getByRole('region', { name: 'Tickets' })).getAllByRole('link')
// Loaded on first opening.
const dialogNamed = (name: string) => screen.findByRole('dialog', { name }, { timeout: 10_000 })
const hear = (message: object) => act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify(message) }))
const open = async (...tickets: TicketDetail[]) => {
  const desk = serveTickets(...tickets)
  const view = await renderScreen(<Tickets />, { server: desk.server, path: opened })
  await screen.findByRole('heading', { name: tickets[0]?.subject ?? '' })
  return { ...desk, ...view }
}

describe('the ticket list', () => {
  it('shows the loading state, then subject, wait and assignee', async () => {
    const given = makeTicket({ assignee: { id: 8, name: 'Dana Whitfield' } })
    const calm = makeTicket({ id: 2, subject: 'Thanks', customer: null, waitingSince: null, status: 'closed' })
    const { server } = serveTickets(given, calm)
    await renderScreen(<Tickets />, { server, path })
    expect(screen.getByText('Loading tickets...')).toBeTruthy()
    expect(await screen.findByText('Select a ticket to view details')).toBeTruthy()
    await screen.findByText('Charged twice for Saturday session')
    const [first, second] = rows()
    expect(first?.textContent).toContain('Waiting ')
    expect(first?.textContent).toContain('Camille Okafor: My card was charged two times.')
    expect(first?.textContent).toContain('Gold · 2,340 pts')
    expect(first?.textContent).toContain('Assigned to Dana Whitfield')
    expect(second?.textContent).toContain('Closed')
    expect(second?.textContent).toContain('Unassigned')
    expect(second?.textContent).not.toContain('Waiting')
    expect(screen.getByText(/^1 ticket waiting for a reply, the first since Nov 14(, 2026)?\.$/)).toBeTruthy()
  })

  it('filters by a card, which counts all tickets, and clears it on a second click', async () => {
    const { server } = serveTickets(makeTicket(), makeTicket({ id: 2, subject: 'Done', status: 'closed' }))
    const { user, router } = await renderScreen(<Tickets />, { server, path })
    await screen.findByText('Done')
    await user.click(card(/Closed/))
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(router.state.location.href).toBe(`${path}?status=closed`)
    expect(card(/Closed/).getAttribute('aria-pressed')).toBe('true')
    expect(card(/Open/).textContent).toContain('1')
    await user.click(card(/Closed/))
    await waitFor(() => expect(rows()).toHaveLength(2))
    expect(router.state.location.href).toBe(path)
  })

  it('switches to the longest wait first and back', async () => {
    const calm = makeTicket({ id: 2, subject: 'Thanks', waitingSince: null })
    const { server, state } = serveTickets(makeTicket(), calm)
    const { user, router } = await renderScreen(<Tickets />, { server, path })
    await screen.findByText('Thanks')
    await user.click(screen.getByRole('button', { name: 'Longest wait first' }))
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(router.state.location.href).toBe(`${path}?queue=waiting`)
    expect(screen.getByText(/, longest wait first$/)).toBeTruthy()
    state.tickets = [calm]
    hear({ topic: 'tickets', ticket: 4127 })
    expect(await screen.findByText('No one is waiting for a reply')).toBeTruthy()
    await user.click(within(screen.getByRole('region', { name: 'Tickets' })).getByRole('button'))
    await waitFor(() => expect(router.state.location.href).toBe(path))
    expect(await screen.findByText('Thanks')).toBeTruthy()
  })

  it('sends search, assignee and priority, and keeps them in the URL', async () => {
    const { server } = serveTickets(makeTicket())
    const { user, router } = await renderScreen(<Tickets />, { server, path })
    await screen.findByText('Charged twice for Saturday session')
    const asked = vi.fn()
    server.answer(listTickets, ({ query }) => {
      asked(query)
      return []
    })
    await user.type(screen.getByPlaceholderText('Search tickets...'), 'refund')
    await user.selectOptions(screen.getByLabelText('Assignee'), 'Mine')
    await user.selectOptions(screen.getByLabelText('Priority'), 'High priority')
    expect(await screen.findByText('No tickets found')).toBeTruthy()
    await waitFor(() => expect(router.state.location.search).toEqual({ q: 'refund', assignee: 'me', priority: 'high' }))
    const filters = { search: 'refund', assignee: 'me', priority: 'high' }
    await waitFor(() => expect(asked).toHaveBeenLastCalledWith(expect.objectContaining(filters)))
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(router.state.location.href).toBe(path))
    expect(screen.getByPlaceholderText<HTMLInputElement>('Search tickets...').value).toBe('')
  })

  it('clears rows and counts when loading fails, and shows why', async () => {
    const { server } = serveTickets(makeTicket())
    const { user, cache } = await renderScreen(<Tickets />, { server, path })
    await screen.findByText('Charged twice for Saturday session')
    server.answer(listTickets, new Refusal(500, 'broken', 'It broke.'))
    await act(() => cache.invalidateQueries())
    expect(await screen.findByText('Failed to fetch tickets: 500 It broke.')).toBeTruthy()
    expect(screen.queryByText('Charged twice for Saturday session')).toBeNull()
    expect(card(/Open/).textContent).toBe('Open0')
    server.answer(listTickets, [])
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No tickets yet')).toBeTruthy()
    expect(card(/Open/).textContent).toContain('1')
  })

  it.each([
    ['<!doctype html><p>Sign in to the network', 'Invalid response format - received HTML instead of JSON'],
    ['[{"id":', 'Invalid JSON response'],
  ])('shows what it received instead of tickets: %s', async (text, words) => {
    const { server } = serveTickets(makeTicket())
    server.install()
    const known = globalThis.fetch
    const { cache } = await renderScreen(<Tickets />, { server, path })
    await screen.findByText('Charged twice for Saturday session')
    vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
      address.startsWith(`${listTickets.path}?`) ? Promise.resolve(new Response(text)) : known(address, init),
    )
    await act(() => cache.invalidateQueries())
    expect(await screen.findByText(words)).toBeTruthy()
  })

  it('updates live, and shows who is viewing and typing', async () => {
    const { server, state } = serveTickets(makeTicket())
    server.answer(listPresence, [{ ticket: 4127, workerId: 8, name: 'Dana Whitfield', state: 'viewing' }])
    await renderScreen(<Tickets />, { server, path })
    expect(await screen.findByText('Dana viewing')).toBeTruthy()
    hear({ topic: 'tickets.presence', ticket: 4127, who: 9, name: 'Luis Moreno', state: 'typing' })
    expect(await screen.findByText('Luis and 1 more typing')).toBeTruthy()
    // The worker's own presence elsewhere is not shown.
    hear({ topic: 'tickets.presence', ticket: 4127, who: 7, name: 'Priya Raman', state: 'typing' })
    hear({ topic: 'tickets.presence', ticket: 4127, who: 9, name: 'Luis Moreno', state: 'left' })
    hear({ topic: 'tickets.presence', ticket: 4127, who: 8, name: 'Dana Whitfield', state: 'left' })
    expect(await screen.findByText('Gold · 2,340 pts')).toBeTruthy()
    state.tickets = [makeTicket(), makeTicket({ id: 5, subject: 'A new question' })]
    hear({ topic: 'tickets', ticket: 5 })
    expect(await screen.findByText('A new question')).toBeTruthy()
  })

  it.each([true, false])('without tickets leads to the mailboxes, for leads only: %s', async (isLead) => {
    const { server } = serveTickets()
    const session = makeSession(['tickets.handle', ...(isLead ? (['notifications.send'] as const) : [])])
    await renderScreen(<Tickets />, { server, path, session })
    await screen.findByText('No tickets yet')
    const link = screen.queryByRole('link', { name: 'Add a mailbox' })
    expect(link?.getAttribute('href')).toBe(isLead ? '/support/mailboxes' : undefined)
  })

  it('keeps a ticket that left it in its place until the worker leaves the ticket', async () => {
    const desk = serveTickets(
      makeTicket({ id: 1, subject: 'Thanks' }),
      makeTicket(),
      makeTicket({ id: 3, subject: 'Late session' }),
    )
    const { user } = await renderScreen(<Tickets />, { server: desk.server, path: `${path}?status=open&ticket=4127` })
    await screen.findByRole('heading', { name: 'Charged twice for Saturday session' })
    desk.put({ ...desk.find(4127), status: 'closed', version: 2 })
    hear({ topic: 'tickets', ticket: 4127 })
    await screen.findByText('No longer in this list')
    expect(rows().map((row) => row.textContent)).toEqual([
      expect.stringContaining('Thanks'),
      expect.stringMatching(/Charged twice.*Closed/),
      expect.stringContaining('Late session'),
    ])
    await user.click(screen.getByRole('link', { name: /Late session/ }))
    await waitFor(() => expect(rows()).toHaveLength(2))
  })

  it('creates a ticket for a customer, with the permission', async () => {
    const { server, rowOf } = serveTickets(makeTicket())
    const { unmount } = await renderScreen(<Tickets />, { server, path, session: makeSession(['tickets.handle']) })
    await screen.findByText('Charged twice for Saturday session')
    expect(screen.queryByRole('button', { name: 'New Ticket' })).toBeNull()
    unmount()
    const made = vi.fn()
    server.answer(createTicket, ({ body }) => {
      made(body)
      return rowOf(makeTicket({ id: 77 }))
    })
    const { user, router } = await renderScreen(<Tickets />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'New Ticket' }))
    const dialog = await dialogNamed('New Ticket')
    // The caller gives a phone number; it finds the address.
    const camille = {
      id: 31,
      name: 'Camille Okafor',
      email: 'camille.okafor@example.com',
      phone: '+19515550101',
      verified: true,
      rank: 'Gold',
      points: 2_340,
      status: 'active' as const,
      ended: null,
      joinedAt: '2025-01-01T00:00:00.000Z',
    }
    server.answer(listUsers, ({ query }) => ({
      users: query.living === 'yes' ? [camille] : [],
      pagination: { ...paginate(1, 5, 1), pages: 1 },
    }))
    await user.type(within(dialog).getByLabelText('Customer email'), '951 555')
    await user.click(await within(dialog).findByRole('button', { name: /Camille Okafor.*\(951\) 555-0101/ }))
    expect(await within(dialog).findByText('Camille Okafor, Gold.')).toBeTruthy()
    await user.type(within(dialog).getByLabelText('Subject'), 'Called about a charge')
    await user.type(within(dialog).getByLabelText('Message'), 'Was charged twice.')
    await user.selectOptions(within(dialog).getByLabelText('Priority'), 'High')
    await user.click(within(dialog).getByRole('button', { name: 'Create ticket' }))
    await waitFor(() => expect(router.state.location.href).toBe(`${path}?ticket=77`))
    expect(made).toHaveBeenCalledWith({
      customer_email: 'camille.okafor@example.com',
      subject: 'Called about a charge',
      content: 'Was charged twice.',
      priority: 'high',
    })
  })
})

it('the palette finds a ticket by a one-digit number', async () => {
  const { server } = serveTickets(makeTicket())
  server.install()
  const { signal } = new AbortController()
  const [item] = await findTickets('7', signal)
  expect(item?.detail).toBe('#4127 · Camille Okafor · Open')
  expect(await findTickets('x', signal)).toEqual([])
})

describe('one ticket', () => {
  it.each([
    ['waiting', '2026-11-14T18:05:00.000Z'],
    ['waiting since', '2026-11-02T18:05:00.000Z'],
  ])('shows "%s" before the age', (words, since) => {
    expect(waitingText(since, new Date('2026-11-14T18:12:00.000Z'))).toBe(words)
  })

  it('shows the thread in order and never interprets text as markup', async () => {
    await open(
      makeTicket({
        messages: [
          makeMessage({ content: '<img src=x onerror=alert(1)> & <b>bold</b>' }),
          makeMessage({
            id: 2,
            from_customer: false,
            content: 'We look into it.',
            worker: { id: 8, name: 'Dana Whitfield' },
            delivery: 'failed',
            createdAt: '2026-11-14T18:40:00.000Z',
          }),
        ],
        notes: [
          {
            id: 1,
            content: 'A double tap.',
            worker: { id: 8, name: 'Dana Whitfield' },
            createdAt: '2026-11-14T18:43:00.000Z',
          },
        ],
        events: [{ id: 1, kind: 'status', text: 'Set to Open', worker: null, createdAt: '2026-11-14T18:30:00.000Z' }],
      }),
    )
    const items = within(screen.getByRole('list', { name: 'Messages' })).getAllByRole('listitem')
    expect(items.map((one) => one.textContent)).toEqual([
      expect.stringMatching(/Sat, Nov 14(, 2026)?|Today/),
      expect.stringContaining('<img src=x onerror=alert(1)> & <b>bold</b>'),
      expect.stringContaining('Set to Open'),
      expect.stringMatching(/^Dana Whitfield.*Not delivered.*We look into it\.$/),
      expect.stringMatching(/^Dana Whitfield.*Internal note.*A double tap\.$/),
    ])
    expect(document.querySelector('img[src="x"]')).toBeNull()
  })

  it('shows the rating where it was given, before what came later', async () => {
    const later = makeMessage({ id: 2, content: 'One more question.', createdAt: '2026-11-14T20:00:00.000Z' })
    const rating = { rating: 'good', comment: 'Quick', ratedAt: '2026-11-14T19:00:00.000Z' } as const
    await open(
      makeTicket({ messages: [makeMessage(), later], rating: { askedAt: '2026-11-14T18:30:00.000Z', ...rating } }),
    )
    const list = screen.getByRole('list', { name: 'Messages' })
    await within(list).findByText('Camille Okafor rated this Good')
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((one) => one.textContent),
    ).toEqual([
      expect.anything(),
      expect.stringContaining('My card was charged'),
      expect.stringMatching(/rated this Good“Quick”/),
      expect.stringContaining('One more question.'),
    ])
  })

  it('sets the status at once, and rolls back with the error when refused', async () => {
    const { user, server, put, find, rowOf, statsOf } = await open(makeTicket())
    const select = screen.getByLabelText<HTMLSelectElement>('Status')
    server.answer(setTicketStatus, ({ params, body }) => {
      const ticket = put({ ...find(params.id), status: body.status, version: 2 })
      return { ticket: rowOf(ticket), stats: statsOf() }
    })
    await user.selectOptions(select, 'In Progress')
    await waitFor(() => expect(card(/In Progress/).textContent).toMatch(/^In Progress1/))
    expect(select.value).toBe('in_progress')
    server.answer(setTicketStatus, new Refusal(500, 'broken', 'It broke.'))
    await user.selectOptions(select, 'Closed')
    expect(await screen.findByText('Failed to update status')).toBeTruthy()
    expect(select.value).toBe('in_progress')
  })

  it('shows a refused status after moving on to another ticket', async () => {
    const { user, server } = await open(makeTicket(), makeTicket({ id: 2, subject: 'Thanks' }))
    const answer = Promise.withResolvers<Refusal>()
    server.answer(setTicketStatus, () => answer.promise)
    await user.selectOptions(screen.getByLabelText('Status'), 'Closed')
    await user.click(screen.getByRole('link', { name: /Thanks/ }))
    await screen.findByRole('heading', { name: 'Thanks' })
    answer.resolve(new Refusal(500, 'broken', 'It broke.'))
    expect(await screen.findByText('Failed to update status')).toBeTruthy()
  })

  it('retries a change with the same key after a lost response', async () => {
    const { user, server, put, rowOf, statsOf } = await open(makeTicket())
    loseFirstResponse(server, setTicketStatus, () => ({
      ticket: rowOf(put(makeTicket({ status: 'closed', version: 5 }))),
      stats: statsOf(),
    }))
    await user.selectOptions(screen.getByLabelText('Status'), 'Closed')
    await waitFor(() => expect(server.callCount(setTicketStatus)).toBe(2))
    const keys = idempotencyKeysOf(server, setTicketStatus)
    expect(keys[0]).toBe(keys[1])
    expect(screen.queryByText(/Failed to update status/)).toBeNull()
  })

  it('shows the change of another worker after a conflict', async () => {
    const { user, server, put, rowOf } = await open(makeTicket())
    server.answer(setTicketStatus, () => {
      const theirs = put(makeTicket({ status: 'closed', version: 5 }))
      return new Refusal(409, 'stale', 'Someone else changed this ticket. Reload and try again.', {
        current: rowOf(theirs),
      })
    })
    const select = screen.getByLabelText<HTMLSelectElement>('Status')
    await user.selectOptions(select, 'In Progress')
    expect(await screen.findByText('Someone else changed this ticket. Reload and try again.')).toBeTruthy()
    expect(select.value).toBe('closed')
  })

  it('is assigned to oneself and to another worker', async () => {
    const { user, server, put, find, rowOf } = await open(makeTicket())
    const given: (number | null)[] = []
    server.answer(assignTicket, ({ params, body }) => {
      given.push(body.workerId)
      const worker = body.workerId === 7 ? 'Priya Raman' : 'Dana Whitfield'
      return rowOf(put({ ...find(params.id), assignee: body.workerId ? { id: body.workerId, name: worker } : null }))
    })
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Assign to me' }))
    const owner = await screen.findByLabelText<HTMLSelectElement>('Assignee of this ticket')
    await waitFor(() => expect(owner.value).toBe('7'))
    await user.selectOptions(owner, 'Dana Whitfield')
    await waitFor(() => expect(given).toEqual([7, 8]))
  })

  it('has a menu that handles keys although its first item is disabled', async () => {
    const { user } = await open(makeTicket({ assignee: { id: 7, name: 'Priya Raman' } }))
    await user.click(screen.getByRole('button', { name: 'More' }))
    const menu = await screen.findByRole('menu')
    await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })

  it('links to the customer, with the permission', async () => {
    await open(makeTicket())
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Camille Okafor' })
    expect(link.getAttribute('href')).toBe('/support/users?user=31')
    expect(await screen.findByText('27')).toBeTruthy()
  })

  it('names the customer without a link when the worker may not see accounts', async () => {
    const { server } = serveTickets(makeTicket())
    await renderScreen(<Tickets />, { server, path: opened, session: makeSession(['tickets.handle']) })
    const customer = await screen.findByRole('region', { name: 'Customer' })
    expect(customer.textContent).toContain('Camille Okafor')
    expect(within(customer).queryByRole('link')).toBeNull()
    expect(server.callCount(countTickets)).toBeGreaterThan(0)
  })
})
