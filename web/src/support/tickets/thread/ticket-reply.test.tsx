// @module-tag slow
import { createSuggestion } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import {
  listTickets,
  mergeTicket,
  noteTicket,
  readTicket,
  reportPresence,
  respondToTicket,
  type TicketDetail,
} from '@limber/contract/support/tickets/ticket.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeEventSource, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeMessage, makeTicket, serveTickets } from '../ticket.testing.ts'
import Tickets from '../tickets.screen.tsx'

const opened = '/support/tickets?ticket=4127'
const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type your response...')
// Loaded on first opening.
const dialogNamed = (name: string) => screen.findByRole('dialog', { name }, { timeout: 10_000 })
const hear = (message: object) => act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify(message) }))
const theirs = makeMessage({
  id: 9,
  from_customer: false,
  content: 'I was first.',
  worker: { id: 8, name: 'Dana Whitfield' },
  createdAt: '2026-11-14T18:41:00.000Z',
})

async function open(first: TicketDetail = makeTicket(), ...others: TicketDetail[]) {
  const desk = serveTickets(first, ...others)
  const view = await renderScreen(<Tickets />, { server: desk.server, path: opened })
  await screen.findByRole('heading', { name: first.subject })
  const sent: object[] = []
  desk.server.answer(respondToTicket, ({ params, body }) => {
    sent.push(body)
    const before = desk.find(params.id)
    const reply = makeMessage({ id: 20 + sent.length, from_customer: false, content: body.message, delivery: 'sent' })
    const { version } = before
    return desk.put({
      ...before,
      version: version + 1,
      status: body.status ?? before.status,
      messages: [...before.messages, reply],
      messageCount: before.messageCount + 1,
    })
  })
  return { ...desk, ...view, sent }
}

describe('a response', () => {
  it("goes to the customer in the worker's own name, with Ctrl-Enter or the button", async () => {
    const { user, sent } = await open()
    await user.keyboard('r')
    expect(document.activeElement).toBe(box())
    await user.keyboard('Sorry about that.{Control>}{Enter}{/Control}')
    const thread = screen.getByRole('list', { name: 'Messages' })
    expect(await within(thread).findByText('Sorry about that.')).toBeTruthy()
    expect(sent).toEqual([{ message: 'Sorry about that.', workerId: 7, version: 1 }])
    await waitFor(() => expect(box().value).toBe(''))
    await user.type(box(), 'It is refunded.')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]).toMatchObject({ version: 2 })
  })

  it('scrolls to the own message from anywhere, but not to messages of others', async () => {
    const { user, server, put, find } = await open()
    const thread = screen.getByRole('list', { name: 'Messages' })
    Object.defineProperties(thread, { scrollHeight: { value: 900 }, clientHeight: { value: 300 } })
    const scrollUp = () => {
      thread.scrollTop = 10
      fireEvent.scroll(thread)
    }
    scrollUp()
    const before = find(4127)
    put({ ...before, version: 2, messages: [...before.messages, theirs] })
    hear({ topic: 'tickets', ticket: 4127 })
    await within(thread).findByText('I was first.')
    expect(thread.scrollTop).toBe(10)
    server.answer(respondToTicket, ({ body }) => {
      const worker = { id: 7, name: 'Priya Raman' }
      const mine = makeMessage({ id: 30, from_customer: false, content: body.message, worker, delivery: 'sent' })
      const now = find(4127)
      return put({
        ...now,
        version: 3,
        messages: [...now.messages, { ...mine, createdAt: '2026-11-14T18:50:00.000Z' }],
      })
    })
    await user.type(box(), 'Sorry.')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await within(thread).findByText('Sorry.')
    expect(thread.scrollTop).toBe(900)
  })

  it('shows a message that is longer than the list is high from its beginning', async () => {
    const { put, find } = await open()
    const thread = screen.getByRole('list', { name: 'Messages' })
    Object.defineProperties(thread, { scrollHeight: { value: 900 }, clientHeight: { value: 300 } })
    const rect = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return new DOMRect(0, this === thread ? 50 : 250)
    })
    const before = find(4127)
    put({ ...before, version: 2, messages: [...before.messages, theirs] })
    hear({ topic: 'tickets', ticket: 4127 })
    await within(thread).findByText('I was first.')
    rect.mockRestore()
    expect(thread.scrollTop).toBe(188)
  })

  it('can close the ticket or set it to In Progress', async () => {
    const { user, sent } = await open()
    for (const [name, status] of [
      ['Send and set In Progress', 'in_progress'],
      ['Send and close', 'closed'],
    ] as const) {
      await user.type(box(), 'Done.')
      await user.click(screen.getByRole('button', { name: 'Other ways to send' }))
      await user.click(await screen.findByRole('menuitem', { name }))
      await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe(status))
    }
    await user.type(box(), 'Over.{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    await waitFor(() => expect(sent).toHaveLength(3))
    expect(sent.map((body) => (body as { status?: string }).status)).toEqual(['in_progress', 'closed', 'closed'])
  })

  it('that fails shows the error on another screen and stays as a draft', async () => {
    const { user, server } = await open(makeTicket(), makeTicket({ id: 2, subject: 'Thanks' }))
    const answer = Promise.withResolvers<Refusal>()
    server.answer(respondToTicket, () => answer.promise)
    await user.type(box(), 'Sorry.{Control>}{Enter}{/Control}')
    await user.click(screen.getByRole('link', { name: /Thanks/ }))
    await screen.findByRole('heading', { name: 'Thanks' })
    answer.resolve(new Refusal(500, 'broken', 'It broke.'))
    expect(await screen.findByText('Failed to send response: Charged twice for Saturday session')).toBeTruthy()
    await user.click(screen.getByRole('link', { name: /Charged twice/ }))
    await waitFor(() => expect(box().value).toBe('Sorry.'))
  })

  it('is not sent empty', async () => {
    const { user, sent } = await open()
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Send Response' })
    expect(button.disabled).toBe(true)
    await user.type(box(), '   {Control>}{Enter}{/Control}')
    expect(button.disabled).toBe(true)
    expect(sent).toEqual([])
  })

  it('keeps the text when it fails, and retries with the same key', async () => {
    const { user, server } = await open()
    server.answer(respondToTicket, new Refusal(500, 'broken', 'It broke.'))
    await user.type(box(), 'Hello')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    expect(await screen.findByText('Failed to send response: It broke.')).toBeTruthy()
    expect(box().value).toBe('Hello')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(server.callCount(respondToTicket)).toBe(2))
    const keys = server.requests
      .filter(({ call }) => call === respondToTicket)
      .map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys[0]).toBeTruthy()
    expect(keys[1]).toBe(keys[0])
  })

  it('requires a signed-in worker', async () => {
    const { server } = serveTickets(makeTicket())
    const session = makeSession(undefined, { workerId: 0 })
    const { user } = await renderScreen(<Tickets />, { server, path: opened, session })
    await screen.findByRole('heading', { name: 'Charged twice for Saturday session' })
    await user.type(box(), 'Hello')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    expect(await screen.findByText('No worker information available')).toBeTruthy()
    expect(server.callCount(respondToTicket)).toBe(0)
  })

  it('is refused when someone replied first, and keeps the draft', async () => {
    const { user, server, sent } = await open()
    const now = makeTicket({ version: 4, messages: [makeMessage(), theirs] })
    await user.type(box(), 'Me too')
    server.answer(
      respondToTicket,
      new Refusal(409, 'replied_meanwhile', 'Someone else replied. Read the new message, then send again.', {
        current: now,
      }),
    )
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    expect(await screen.findByText('Someone else replied. Read the new message, then send again.')).toBeTruthy()
    expect(await within(screen.getByRole('list', { name: 'Messages' })).findByText('I was first.')).toBeTruthy()
    expect(box().value).toBe('Me too')
    server.answer(respondToTicket, ({ body }) => {
      sent.push(body)
      return now
    })
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(sent).toEqual([{ message: 'Me too', workerId: 7, version: 4 }]))
  })

  it('is checked against the messages its writer had read, although newer ones are on screen', async () => {
    const { user, put, sent } = await open()
    await user.type(box(), 'Me too')
    put(makeTicket({ version: 4, messages: [makeMessage(), theirs] }))
    hear({ topic: 'tickets', ticket: 4127 })
    expect(await screen.findByText('Someone else replied. Read the new message, then send.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(sent).toEqual([{ message: 'Me too', workerId: 7, version: 1 }]))
  })

  it('is not taken for a reply of someone else while it is being sent', async () => {
    const { user, server, put } = await open()
    const answer = Promise.withResolvers<TicketDetail>()
    server.answer(respondToTicket, () => answer.promise)
    await user.type(box(), 'On it')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    const own = makeMessage({ id: 9, from_customer: false, content: 'On it, says the live update' })
    const whole = put(makeTicket({ version: 2, messages: [makeMessage(), own] }))
    hear({ topic: 'tickets', ticket: 4127 })
    const thread = within(screen.getByRole('list', { name: 'Messages' }))
    expect(await thread.findByText(own.content)).toBeTruthy()
    expect(screen.queryByText(/Someone else replied/)).toBeNull()
    answer.resolve(whole)
    await waitFor(() => expect(box().value).toBe(''))
  })

  it('replies to the newest message after its writer confirms reading it', async () => {
    const { user, put, sent } = await open()
    await user.type(box(), 'Me too')
    put(makeTicket({ version: 4, messages: [makeMessage(), theirs] }))
    hear({ topic: 'tickets', ticket: 4127 })
    await user.click(await screen.findByRole('button', { name: 'I have read it' }))
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(sent).toEqual([{ message: 'Me too', workerId: 7, version: 4 }]))
  })
})

describe('a draft', () => {
  it('survives leaving the ticket and belongs to its worker', async () => {
    const { user, unmount, server } = await open(makeTicket(), makeTicket({ id: 5, subject: 'Another' }))
    await user.type(box(), 'Half a sen')
    await user.click(screen.getByRole('link', { name: /Another/ }))
    await screen.findByRole('heading', { name: 'Another' })
    expect(box().value).toBe('')
    await user.click(screen.getByRole('link', { name: /Charged twice/ }))
    await screen.findByRole('heading', { name: 'Charged twice for Saturday session' })
    expect(box().value).toBe('Half a sen')
    unmount()
    const other = makeSession(undefined, { workerId: 8 })
    await renderScreen(<Tickets />, { server, path: opened, session: other })
    await screen.findByRole('heading', { name: 'Charged twice for Saturday session' })
    expect(box().value).toBe('')
  })

  it('of a note stays a note', async () => {
    const { user, server, unmount } = await open()
    await user.click(screen.getByRole('button', { name: 'Internal note' }))
    await user.type(screen.getByRole('textbox', { name: 'Internal note' }), 'A double tap.')
    unmount()
    const noted = vi.fn()
    server.answer(noteTicket, ({ body }) => {
      noted(body)
      return makeTicket()
    })
    const view = await renderScreen(<Tickets />, { server, path: opened })
    await screen.findByRole('heading', { name: 'Charged twice for Saturday session' })
    expect(screen.queryByRole('button', { name: 'Send Response' })).toBeNull()
    await view.user.click(screen.getByRole('button', { name: 'Add Note' }))
    await waitFor(() => expect(noted).toHaveBeenCalledWith({ content: 'A double tap.' }))
    expect(server.callCount(respondToTicket)).toBe(0)
    // After a note, the box is for replies to the customer again.
    expect(await screen.findByRole('button', { name: 'Send Response' })).toBeTruthy()
  })
})

describe('presence', () => {
  it('reports viewing, typing and leaving, and shows others above the thread', async () => {
    const desk = serveTickets(makeTicket())
    const states: string[] = []
    desk.server.answer(reportPresence, ({ body }) => {
      states.push(body.state)
      return { others: [] }
    })
    const { user } = await renderScreen(<Tickets />, { server: desk.server, path: opened })
    await screen.findByRole('heading', { name: 'Charged twice for Saturday session' })
    await user.type(box(), 'H')
    await waitFor(() => expect(states).toEqual(['viewing', 'typing']))
    hear({ topic: 'tickets.presence', ticket: 4127, who: 8, name: 'Dana Whitfield', state: 'typing' })
    expect(await screen.findByText(/is viewing this ticket and writing a reply/)).toBeTruthy()
    hear({ topic: 'tickets.presence', ticket: 4127, who: 8, name: 'Dana Whitfield', state: 'left' })
    await waitFor(() => expect(screen.queryByText(/is viewing this ticket/)).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Tickets' }))
    await waitFor(() => expect(states.at(-1)).toBe('left'))
  })
})

describe('ticket actions', () => {
  const more = async (user: Awaited<ReturnType<typeof open>>['user'], name: string) => {
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }

  it('merges into another ticket of the same customer', async () => {
    const other = { id: 5, subject: 'Still charged', status: 'open', createdAt: '2026-11-15T09:00:00.000Z' } as const
    const { user, server, router, state } = await open(makeTicket({ others: [other] }))
    const asked = vi.fn()
    server.answer(mergeTicket, ({ body }) => {
      asked(body)
      const whole = makeTicket({ id: 5, subject: 'Still charged' })
      state.tickets = [whole]
      return whole
    })
    await more(user, 'Merge into another ticket…')
    const dialog = await dialogNamed('Merge ticket #4127')
    await user.click(within(dialog).getByRole('button', { name: /Still charged.*#5/ }))
    expect(within(dialog).queryByRole('switch')).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'Merge' }))
    expect(await screen.findByText('Ticket #4127 is now part of ticket #5.')).toBeTruthy()
    expect(asked).toHaveBeenCalledWith({ into: 5, version: 1 })
    await waitFor(() => expect(router.state.location.search).toEqual({ ticket: '5' }))
  })

  it('is merged with the keyboard alone', async () => {
    const others = ([5, 6] as const).map((id) => {
      return { id, subject: `Charge ${id}`, status: 'open', createdAt: '2026-11-15T09:00:00.000Z' } as const
    })
    const { user } = await open(makeTicket({ others }))
    await more(user, 'Merge into another ticket…')
    const dialog = await dialogNamed('Merge ticket #4127')
    const field = within(dialog).getByLabelText('Into')
    await waitFor(() => expect(document.activeElement).toBe(field))
    const at = (name: RegExp) => within(dialog).getByRole('button', { name })
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(at(/Charge 5/))
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(field)
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(at(/Charge 6/))
    await user.keyboard('{Enter}')
    expect(await within(dialog).findByRole('group', { name: 'Into' })).toBeTruthy()
    expect(within(dialog).getByText('Charge 6')).toBeTruthy()
  })

  it('merges into a ticket of another address that a search finds', async () => {
    const other = makeTicket({ id: 9, subject: 'From work', status: 'closed', customer_email: 'camille@work.example' })
    const { user, server } = await open(makeTicket(), other)
    const asked = vi.fn()
    server.answer(mergeTicket, ({ body }) => {
      asked(body)
      return makeTicket({ id: 9 })
    })
    await more(user, 'Merge into another ticket…')
    const dialog = await dialogNamed('Merge ticket #4127')
    await user.click(within(dialog).getByRole('button', { name: 'Merge' }))
    expect(await within(dialog).findByText('Into is required.')).toBeTruthy()
    await user.type(within(dialog).getByLabelText('Into'), '9')
    // Not the ticket itself.
    await waitFor(() => expect(within(dialog).getAllByRole('listitem')).toHaveLength(1))
    await user.click(within(dialog).getByRole('button', { name: /From work.*#9 · camille@work.example · Closed/ }))
    await user.click(within(dialog).getByRole('switch', { name: /^Both addresses belong to the same person/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Merge' }))
    await waitFor(() => expect(asked).toHaveBeenCalledWith({ into: 9, isSamePerson: true, version: 1 }))
  })

  it('says when a search finds no other ticket, and lets another one be selected', async () => {
    const other = { id: 5, subject: 'Still charged', status: 'open', createdAt: '2026-11-15T09:00:00.000Z' } as const
    const { user, server } = await open(makeTicket({ others: [other] }))
    await more(user, 'Merge into another ticket…')
    const dialog = await dialogNamed('Merge ticket #4127')
    server.answer(listTickets, [makeTicket()])
    await user.type(within(dialog).getByLabelText('Into'), '4127')
    expect(await within(dialog).findByText('No other ticket found.')).toBeTruthy()
    await user.clear(within(dialog).getByLabelText('Into'))
    await user.click(await within(dialog).findByRole('button', { name: /Still charged/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Change' }))
    expect(within(dialog).getByLabelText('Into')).toBeTruthy()
  })

  it('says who wrote and who gets the reply when several addresses write', async () => {
    const work = { address: 'camille@work.example', name: null }
    const hal = { address: 'hal@example.com', name: 'Hal Ito' }
    await open(
      makeTicket({
        replyTo: work.address,
        messages: [makeMessage(), makeMessage({ id: 2, sender: hal }), makeMessage({ id: 3, sender: work })],
      }),
    )
    const thread = within(screen.getByRole('list', { name: 'Messages' }))
    expect(thread.getByText('Camille Okafor')).toBeTruthy()
    expect(thread.getByText('Hal Ito')).toBeTruthy()
    expect(thread.getByText('hal@example.com')).toBeTruthy()
    expect(thread.getByText('camille@work.example')).toBeTruthy()
    const line = 'To camille@work.example, who wrote last. Not to camille.okafor@example.com, hal@example.com.'
    expect(screen.getByText(line)).toBeTruthy()
  })

  it('a merged ticket links to its target and accepts no response', async () => {
    const { user, router } = await open(makeTicket({ mergedInto: 5, status: 'closed' }))
    expect(screen.queryByPlaceholderText('Type your response...')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Open ticket #5' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ ticket: '5' }))
  })

  it('prefills a suggestion for the knowledge base', async () => {
    const { user, server } = await open(makeTicket({ messages: [makeMessage(), theirs] }))
    const filed = vi.fn()
    server.answer(createSuggestion, ({ body }) => {
      filed(body)
      return new Refusal(422, 'no_ticket', 'The source ticket does not exist.')
    })
    await more(user, 'Suggest for knowledge base')
    const dialog = await dialogNamed('New Suggestion')
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    expect(await within(dialog).findByText(/The source ticket does not exist/)).toBeTruthy()
    expect(filed).toHaveBeenCalledWith({
      title: 'Charged twice for Saturday session',
      content: 'Question: My card was charged two times.\n\nAnswer: I was first.',
      target_section: 'faq',
      priority: 'medium',
      ticketId: 4127,
    })
  })

  it('shows that a ticket does not exist', async () => {
    const { server } = serveTickets(makeTicket())
    server.answer(readTicket, new Refusal(404, 'not_found', 'This ticket does not exist.'))
    await renderScreen(<Tickets />, { server, path: opened })
    expect(await screen.findByText('This ticket does not exist.')).toBeTruthy()
  })
})
