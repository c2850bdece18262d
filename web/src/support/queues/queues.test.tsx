import {
  createView,
  deleteView,
  listQueues,
  type TicketView,
  type ViewDraft,
} from '@limber/contract/support/queues/queue.ts'
import { createTag, listTags, removeTag } from '@limber/contract/support/queues/tag.ts'
import { changeTicket, type TicketChange } from '@limber/contract/support/tickets/ticket.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeTicket, serveTickets } from '../tickets/ticket.testing.ts'
import Tickets from '../tickets/tickets.screen.tsx'
import QueueNav from './queue-nav.tsx'

const path = '/support/tickets'
const makeView = (more: Partial<TicketView> = {}): TicketView => ({
  id: 5,
  name: 'Open refunds',
  isShared: false,
  owner: { id: 7, name: 'Priya Raman' },
  queue: null,
  status: 'open',
  priority: null,
  kind: 'refund',
  assignee: null,
  tag: null,
  count: 4,
  version: 1,
  ...more,
})

async function openNav(views: TicketView[] = [], where = path, isLead = false) {
  const { server } = serveTickets(makeTicket())
  server.answer(listQueues, {
    queues: { mine: 6, unassigned: 11, breaching: 3, waiting: 28, high: 3, watching: 2, snoozed: 1, all: 1_250 },
    views,
    unread: [],
    failingMailboxes: [],
  })
  const session = makeSession(isLead ? ['tickets.handle', 'notifications.send'] : ['tickets.handle'])
  const view = await renderScreen(<QueueNav />, { server, path: where, session })
  await screen.findByRole('link', { name: /All/ })
  return view
}

describe('the queues', () => {
  it('show their counts and lead to their tickets', async () => {
    const { user, router } = await openNav()
    expect((await screen.findByRole('link', { name: /Unassigned 11/ })).getAttribute('aria-current')).toBeNull()
    expect(screen.getByRole('link', { name: /All 1,250/ }).getAttribute('aria-current')).toBe('page')
    await user.click(screen.getByRole('link', { name: /Waiting longest 28/ }))
    await waitFor(() => expect(router.state.location.href).toBe(`${path}?queue=waiting`))
    expect(screen.getByRole('link', { name: /Waiting longest/ }).getAttribute('aria-current')).toBe('page')
  })

  it('offer tag management only to those who maintain tags', async () => {
    await openNav()
    expect(screen.queryByRole('button', { name: 'Manage tags' })).toBeNull()
  })
})

describe('the list of a queue', () => {
  it('of a number of the report says so, and leads back to all tickets', async () => {
    const { server } = serveTickets(makeTicket())
    const where = `${path}?figure=missed&from=2026-11-01&to=2026-11-17&kind=refund&assignee=8`
    const { user, router } = await renderScreen(<Tickets />, { server, path: where })
    expect(await screen.findByText('From the report: Promises missed, Nov 1 – 17')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show all tickets' }))
    await waitFor(() => expect(router.state.location.href).toBe(path))
  })

  it('says which mailboxes are not read, and that of an empty queue leads to unassigned tickets', async () => {
    const { server } = serveTickets()
    server.answer(listQueues, {
      queues: { mine: 0, unassigned: 11, breaching: 0, waiting: 11, high: 0, watching: 0, snoozed: 0, all: 40 },
      views: [],
      unread: [],
      failingMailboxes: [
        { address: 'help@example.com', readAt: '2026-11-17T17:20:00.000Z' },
        { address: 'new@example.com', readAt: null },
      ],
    })
    const { user, router } = await renderScreen(<Tickets />, {
      server,
      path: `${path}?queue=watching`,
      session: makeSession(['tickets.handle']),
    })
    expect(await screen.findByText(/help@example.com has not been read since/)).toBeTruthy()
    expect(screen.getByText(/new@example.com has not been read yet/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Open mailboxes' })).toBeNull()
    expect(await screen.findByText('You watch no open tickets')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Show 11 unassigned tickets' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ queue: 'unassigned' }))
  })

  it('cannot be saved as a view when it is the queue of watched tickets', async () => {
    await openNav([], `${path}?queue=watching`)
    expect((await screen.findByRole('link', { name: /Watching 2/ })).getAttribute('aria-current')).toBe('page')
    expect(screen.queryByRole('button', { name: 'New view' })).toBeNull()
  })
})

describe('a view', () => {
  it('is saved with the filters on the screen', async () => {
    const { user, server } = await openNav([], `${path}?queue=unassigned&kind=refund&tag=3`)
    const saved: ViewDraft[] = []
    server.answer(createView, ({ body }) => {
      saved.push(body)
      return makeView(body)
    })
    await user.click(screen.getByRole('button', { name: 'New view' }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText(/Unassigned, Refund, Tag short session/)).toBeTruthy()
    await user.type(within(dialog).getByLabelText('Name'), 'Refunds to take')
    await user.click(within(dialog).getByRole('switch', { name: /Share with the team/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Save view' }))
    const filter = { queue: 'unassigned', status: null, priority: null, kind: 'refund', assignee: null, tag: 3 }
    await waitFor(() => expect(saved).toEqual([{ name: 'Refunds to take', isShared: true, ...filter }]))
  })

  it('opens its filter, and only its owner can edit it', async () => {
    const theirs = makeView({ id: 6, name: 'Theirs', kind: null, assignee: 'me', owner: { id: 8, name: 'Dana' } })
    const { user, router } = await openNav([makeView(), theirs])
    await user.click(await screen.findByRole('link', { name: /Open refunds 4/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ status: 'open', kind: 'refund' }))
    expect(screen.getByRole('button', { name: 'Edit view Open refunds' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Edit view Theirs' })).toBeNull()
  })

  it('is deleted after a question', async () => {
    const { user, server } = await openNav([makeView()])
    server.answer(deleteView, { id: 5 })
    await user.click(await screen.findByRole('button', { name: 'Edit view Open refunds' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const question = await screen.findByRole('alertdialog', { name: 'Delete “Open refunds”?' })
    await user.click(within(question).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(server.callCount(deleteView)).toBe(1))
  })
})

it('a tag is merged into another one', async () => {
  const { user, server } = await openNav([], path, true)
  server.answer(listTags, [
    { id: 3, name: 'short session', tickets: 12, version: 4 },
    { id: 4, name: 'too short', tickets: 2, version: 1 },
  ])
  const merged: unknown[] = []
  server.answer(removeTag, ({ params, body }) => {
    merged.push({ from: params.id, ...body })
    return { id: params.id }
  })
  await user.click(screen.getByRole('button', { name: 'Manage tags' }))
  await user.click(await screen.findByRole('button', { name: 'Merge too short' }))
  const dialog = await screen.findByRole('dialog', { name: 'Merge “too short”' })
  await user.selectOptions(within(dialog).getByLabelText('Into'), 'short session')
  await user.click(within(dialog).getByRole('button', { name: 'Merge' }))
  await waitFor(() => expect(merged).toEqual([{ from: 4, into: 3, version: 1 }]))
})

describe('an open ticket', () => {
  async function openTicket(more: Parameters<typeof makeTicket>[0] = {}) {
    const desk = serveTickets(makeTicket(more))
    const changes: TicketChange[] = []
    desk.server.answer(changeTicket, ({ params, body: { change } }) => {
      changes.push(change)
      const before = desk.find(params.id)
      const tags = 'addTag' in change ? [...before.tags, { id: change.addTag, name: 'short session' }] : before.tags
      const part = 'kind' in change ? change : 'snooze' in change ? { snoozed: change.snooze } : { tags }
      return desk.rowOf(desk.put({ ...before, ...part, version: before.version + 1 }))
    })
    const view = await renderScreen(<Tickets />, { server: desk.server, path: `${path}?ticket=4127` })
    await screen.findByRole('heading', { name: 'Charged twice for Saturday session' })
    return { ...desk, ...view, changes }
  }

  it('is snoozed until the customer replies, and the snooze is ended', async () => {
    const { user, changes } = await openTicket()
    await user.click(screen.getByRole('button', { name: 'Snooze' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Until the customer replies' }))
    expect(await screen.findByText(/snoozed until the customer replies/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Snooze' }))
    await user.click(await screen.findByRole('menuitem', { name: 'End snooze' }))
    await waitFor(() => expect(changes).toEqual([{ snooze: { until: null } }, { snooze: null }]))
    await waitFor(() => expect(screen.queryByText(/snoozed until/)).toBeNull())
  })

  it('cannot be snoozed once closed', async () => {
    await openTicket({ status: 'closed' })
    expect(screen.queryByRole('button', { name: 'Snooze' })).toBeNull()
  })

  it('gets a kind, which is taken back when refused', async () => {
    const { user, server, changes } = await openTicket()
    const kind = await screen.findByLabelText<HTMLSelectElement>('Kind of this ticket')
    await user.selectOptions(kind, 'Refund')
    await waitFor(() => expect(changes).toEqual([{ kind: 'refund' }]))
    expect(kind.value).toBe('refund')
    server.answer(changeTicket, new Refusal(500, 'broken', 'It broke.'))
    await user.selectOptions(kind, 'Question')
    expect(await screen.findByText("Couldn't set the kind")).toBeTruthy()
    await waitFor(() => expect(kind.value).toBe('refund'))
  })

  it('gets a known tag and a new one, and loses one', async () => {
    const { user, server, changes } = await openTicket({ tags: [{ id: 9, name: 'late' }] })
    server.answer(createTag, ({ body }) => ({ id: 12, name: body.name, tickets: 0, version: 1 }))
    const add = await screen.findByLabelText('Add a tag')
    await user.selectOptions(add, await within(add).findByRole('option', { name: 'short session' }))
    expect(await screen.findByRole('button', { name: 'Remove tag short session' })).toBeTruthy()
    await user.selectOptions(add, 'New tag…')
    const dialog = await screen.findByRole('dialog', { name: 'New tag' })
    await user.type(within(dialog).getByLabelText('Name'), 'parking')
    await user.click(within(dialog).getByRole('button', { name: 'Add tag' }))
    await user.click(screen.getByRole('button', { name: 'Remove tag late' }))
    await waitFor(() => expect(changes).toEqual([{ addTag: 3 }, { addTag: 12 }, { removeTag: 9 }]))
  })
})
