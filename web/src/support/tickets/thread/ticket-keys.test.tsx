import { undoChange } from '@limber/contract/access/history/history.ts'
import { listQueues } from '@limber/contract/support/queues/queue.ts'
import { listTags } from '@limber/contract/support/queues/tag.ts'
import { markTicket } from '@limber/contract/support/related/related.ts'
import {
  assignTicket,
  readTicket,
  setTicketStatus,
  type TicketDetail,
} from '@limber/contract/support/tickets/ticket.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { type FakeServer, renderScreen } from '#platform/testing/testing.tsx'
import { setLetterKeys } from '#ui/keyboard/is-page-key.ts'
import { makeMessage, makeTicket, serveTickets } from '../ticket.testing.ts'
import Tickets from '../tickets.screen.tsx'

async function open(
  more: Parameters<typeof makeTicket>[0] = {},
  also: (server: FakeServer) => unknown = () => undefined,
) {
  const ticket = makeTicket({ messages: [makeMessage(), makeMessage({ id: 2 })], ...more })
  const desk = serveTickets(ticket)
  desk.server.answer(listTags, [])
  const done: unknown[] = []
  desk.server.answer(setTicketStatus, ({ params, body }) => {
    done.push(body.status)
    return { ticket: desk.rowOf(desk.put({ ...desk.find(params.id), status: body.status })), stats: desk.statsOf() }
  })
  desk.server.answer(assignTicket, ({ params, body }) => {
    done.push(body.workerId)
    return desk.rowOf(desk.put({ ...desk.find(params.id), assignee: { id: 7, name: 'Priya Raman' } }))
  })
  also(desk.server)
  const view = await renderScreen(<Tickets />, { server: desk.server, path: '/support/tickets?ticket=4127' })
  await screen.findByRole('heading', { name: ticket.subject })
  return { ...view, done }
}

describe('the keys of an open ticket', () => {
  it('reply, write a note, and go back to the reply', async () => {
    const { user } = await open()
    await user.keyboard('i')
    const note = await screen.findByLabelText('Internal note', { selector: 'textarea' })
    expect(document.activeElement).toBe(note)
    await user.keyboard('i am{Escape}r')
    expect(document.activeElement).toBe(screen.getByLabelText('Type your response...'))
    expect((document.activeElement as HTMLTextAreaElement).value).not.toContain('r')
  })

  it('keep what is typed for the reply while the ticket loads', async () => {
    const ticket = Promise.withResolvers<TicketDetail>()
    const { server } = serveTickets(makeTicket())
    server.answer(readTicket, () => ticket.promise)
    const changed = vi.fn()
    server.answer(setTicketStatus, changed)
    const { user } = await renderScreen(<Tickets />, { server, path: '/support/tickets?ticket=4127' })
    await waitFor(() => expect(server.callCount(readTicket)).toBe(1))
    await user.keyboard('rHere we are')
    ticket.resolve(makeTicket())
    const box = await screen.findByLabelText<HTMLTextAreaElement>('Type your response...')
    await waitFor(() => expect(box.value).toBe('Here we are'))
    expect(document.activeElement).toBe(box)
    expect(changed).not.toHaveBeenCalled()
  })

  it('assign it to me and close it, with a way back', async () => {
    const undone: unknown[] = []
    const { user, done } = await open({}, (server) =>
      server.answer(undoChange, ({ body }) => {
        undone.push(body)
        return { undone: 1 }
      }),
    )
    await user.keyboard('a')
    await waitFor(() => expect(done).toEqual([7]))
    await user.keyboard('e')
    await waitFor(() => expect(done).toEqual([7, 'closed']))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(undone).toEqual([{ request: expect.stringMatching(/^r\d+$/) }]))
  })

  it('open the snooze menu, the tags, the saved replies and the split', async () => {
    const { user } = await open()
    const add = await screen.findByLabelText('Add a tag')
    await user.keyboard('#')
    expect(document.activeElement).toBe(add)
    add.blur()
    await user.keyboard('M')
    expect(await screen.findByRole('dialog', { name: 'Split ticket #4127' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('h')
    expect(await screen.findByRole('menuitem', { name: 'Until the customer replies' })).toBeTruthy()
    await user.keyboard('{Escape}m')
    expect(await screen.findByRole('dialog', { name: /replies/i })).toBeTruthy()
  })

  it('do nothing while someone types, and change nothing on a merged ticket', async () => {
    const { user, done } = await open({ mergedInto: 12 })
    await user.keyboard('ae#M')
    expect(done).toEqual([])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('mark it unread and leave it; opening it takes the mark away', async () => {
    const marks: boolean[] = []
    let unread: number[] = []
    const { user } = await open({}, (server) =>
      server
        .answer(listQueues, () => ({
          queues: { mine: 0, unassigned: 0, breaching: 0, waiting: 1, high: 0, watching: 0, snoozed: 0, all: 1 },
          views: [],
          unread,
          failingMailboxes: [],
        }))
        .answer(markTicket, ({ params, body }) => {
          marks.push(body.isUnread)
          unread = body.isUnread ? [params.id] : []
          return { id: params.id }
        }),
    )
    await user.keyboard('u')
    expect(await screen.findByText('Select a ticket to view details')).toBeTruthy()
    expect(await screen.findByText('Unread')).toBeTruthy()
    expect(marks).toEqual([true])
    await user.click(screen.getByRole('link', { name: /Charged twice/ }))
    await waitFor(() => expect(marks).toEqual([true, false]))
    await waitFor(() => expect(screen.queryByText('Unread')).toBeNull())
  })

  it('do nothing when my profile turned single-letter keys off', async () => {
    setLetterKeys(false)
    const { user, done } = await open()
    await user.keyboard('aehimxjM#')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(document.body)
    await user.keyboard('{Control>}/{/Control}')
    expect(await screen.findByRole('dialog', { name: /replies/i })).toBeTruthy()
    expect(done).toEqual([])
  })
})
