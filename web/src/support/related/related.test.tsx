import { undoChange } from '@limber/contract/access/history/history.ts'
import { adjustCredits, blockUser } from '@limber/contract/support/customers/account.ts'
import { readUser } from '@limber/contract/support/customers/user.ts'
import {
  followUpTicket,
  linkTickets,
  noteRefund,
  readTicketContext,
  requestBookingChange,
  splitTicket,
  type TicketContext,
  unlinkTickets,
  watchTicket,
} from '@limber/contract/support/related/related.ts'
import { sendMessage } from '@limber/contract/support/texts/message.ts'
import { listTickets, type TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { createTask, setTaskDone, type TicketTask } from '@limber/contract/support/tickets/ticket-task.ts'
import { listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeEventSource, type FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeUser } from '../customers/users.testing.ts'
import { TicketFacts } from '../tickets/thread/ticket-facts.tsx'
import { makeMessage, makeTicket, serveTickets } from '../tickets/ticket.testing.ts'
import Tickets from '../tickets/tickets.screen.tsx'

const task: TicketTask = {
  id: 6,
  kind: 'callback',
  ticket: { id: 4127, subject: 'Charged twice' },
  customer: 'Camille Okafor',
  worker: { id: 7, name: 'Priya Raman' },
  dueOn: '2026-11-20',
  booking: null,
  isDone: false,
  createdAt: '2026-11-14T18:12:00.000Z',
}
const context: TicketContext = {
  links: [
    { kind: 'split_from', id: 4100, subject: 'My session', status: 'closed', createdAt: '2026-11-01T00:00:00.000Z' },
    { kind: 'related', id: 4050, subject: 'Receipt', status: 'open', createdAt: '2026-10-01T00:00:00.000Z' },
  ],
  tasks: [task],
  watchers: [{ id: 8, name: 'Dana Whitfield' }],
  account: {
    bookings: [
      {
        id: 55,
        startsAt: '2026-11-20T02:00:00.000Z',
        status: 'confirmed',
        stretcher: 'Renata Solis',
        isRequested: false,
      },
    ],
    payments: [{ id: 77, createdAt: '2026-11-12T10:00:00.000Z', type: 'credit_purchase', amount: '225.0000' }],
  },
}

const session = makeSession(['tickets.handle', 'users.overview', 'support.tab'])
async function openRail(
  more: Partial<TicketContext> = {},
  ticket = makeTicket(),
  serve?: (server: FakeServer) => void,
) {
  const desk = serveTickets(ticket)
  serve?.(desk.server)
  desk.server.answer(readTicketContext, { ...context, ...more })
  const view = await renderScreen(<TicketFacts ticket={ticket} />, {
    server: desk.server,
    path: '/support/tickets',
    session,
  })
  await screen.findByRole('region', { name: 'Customer' }, { timeout: 10_000 })
  return { ...desk, ...view }
}
async function openTicket(ticket: TicketDetail) {
  const desk = serveTickets(ticket)
  desk.server.answer(readTicketContext, context)
  const view = await renderScreen(<Tickets />, {
    server: desk.server,
    path: `/support/tickets?ticket=${ticket.id}`,
    session,
  })
  await screen.findByRole('heading', { name: ticket.subject })
  const choose = async (name: string) => {
    await view.user.click(screen.getByRole('button', { name: 'More' }))
    await view.user.click(await screen.findByRole('menuitem', { name }, { timeout: 10_000 }))
  }
  return { ...desk, ...view, choose }
}
const dialogNamed = (name: string) => screen.findByRole('dialog', { name }, { timeout: 10_000 })

describe('beside a ticket', () => {
  it('are the last entries, tasks, watchers and related tickets', async () => {
    const asked: unknown[] = []
    const entry = {
      group: 'messages',
      kind: 'text',
      title: 'Text message received:',
      text: '“Is she coming?”',
    } as const
    const none = { quote: null, tone: null, amount: null, balance: null, stars: null, link: null }
    await openRail({}, makeTicket(), (server) => {
      server.answer(listTimeline, ({ query }) => {
        asked.push(query)
        const entries = [{ key: 'text-1', at: '2026-11-14T10:00:00.000Z', ...entry, ...none }]
        return { entries, next: null, failed: [] }
      })
    })
    const timeline = await screen.findByRole('region', { name: 'Timeline' })
    expect(within(timeline).getByRole('listitem').textContent).toContain('received: “Is she coming?”')
    expect(asked).toEqual([{ limit: 5, exceptTicket: 4127, search: '' }])
    const related = screen.getByRole('region', { name: 'Related tickets' })
    expect(within(related).getByText('Split from #4100')).toBeTruthy()
    expect(screen.getByText('Dana Whitfield', { selector: 'p' })).toBeTruthy()
    expect(screen.getByText(/You, Nov 20/)).toBeTruthy()
  })

  it('is nothing where there is nothing', async () => {
    await openRail({ links: [], tasks: [], watchers: [], account: null })
    for (const name of ['Timeline', 'Related tickets', 'Tasks', 'Watchers'])
      expect(screen.queryByRole('region', { name })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Actions for the customer' })).toBeNull()
  })

  it('says when it could not be loaded, and tries again', async () => {
    const { user, server } = await openRail()
    server.answer(readTicketContext, new Refusal(503, 'unavailable', 'Try again.'))
    const ticket = makeTicket({ id: 4128 })
    server.answer(readTicketContext, new Refusal(503, 'unavailable', 'Try again.'))
    await renderScreen(<TicketFacts ticket={ticket} />, { server, path: '/support/tickets', session })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    server.answer(readTicketContext, context)
    await user.click(retry)
    await waitFor(() => expect(screen.queryByText("Couldn't load tasks and links")).toBeNull())
  })

  it('tasks are checked off, and links by hand removed with an undo', async () => {
    const { user, server } = await openRail()
    const done = vi.fn()
    server.answer(setTaskDone, ({ params, body }) => {
      done(params.id, body.isDone)
      return { ...task, isDone: body.isDone }
    })
    await user.click(await screen.findByRole('checkbox', { name: /Call back/ }))
    await waitFor(() => expect(done).toHaveBeenCalledWith(6, true))
    server.answer(unlinkTickets, ({ params }) => ({ id: params.other }))
    server.answer(undoChange, { undone: 1 })
    expect(screen.queryByRole('button', { name: 'Remove the link to #4100' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Remove the link to #4050' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.callCount(undoChange)).toBe(1))
  })
})

describe('for the customer of a ticket', () => {
  const choose = async (user: Awaited<ReturnType<typeof openRail>>['user'], name: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for the customer' }))
    await user.click(await screen.findByRole('menuitem', { name }, { timeout: 10_000 }))
  }

  it('credits are granted', async () => {
    const { user, server } = await openRail()
    const granted = vi.fn()
    server.answer(adjustCredits, ({ body }) => {
      granted(body)
      return { id: 31, version: 2, credits: 5 }
    })
    await user.click(await screen.findByRole('button', { name: 'Grant' }))
    const form = await dialogNamed('Adjust credits for Camille Okafor')
    await user.type(within(form).getByLabelText('Credits'), '2')
    await user.type(within(form).getByLabelText(/Reason/), 'Short session')
    await user.click(within(form).getByRole('button', { name: 'Adjust' }))
    await waitFor(() => expect(granted).toHaveBeenCalledWith({ delta: 2, reason: 'Short session' }))
  })

  it('a booking is asked to be canceled', async () => {
    const { user, server } = await openRail()
    const asked = vi.fn()
    server.answer(requestBookingChange, ({ body }) => {
      asked(body)
      return { ...task, kind: 'cancel_booking' as const }
    })
    await choose(user, 'Cancel a booking…')
    const form = await dialogNamed('Cancel a booking')
    await user.click(within(form).getByRole('button', { name: 'Request cancellation' }))
    await waitFor(() => expect(asked).toHaveBeenCalledWith({ change: 'cancel', bookingId: 55 }))
  })

  it('a booking is asked to be moved, and a time in the past is refused in the form', async () => {
    const { user, server } = await openRail()
    const asked = vi.fn()
    server.answer(requestBookingChange, new Refusal(422, 'past', 'Select a time in the future.'))
    await choose(user, 'Move a booking…')
    const form = await dialogNamed('Move a booking')
    const request = async (start: string) => {
      fireEvent.change(within(form).getByLabelText(/New start/), { target: { value: start } })
      await user.click(within(form).getByRole('button', { name: 'Request the change' }))
    }
    await request('2026-11-10T09:00')
    await within(form).findByText(/Select a time in the future/)
    server.answer(requestBookingChange, ({ body }) => {
      asked(body)
      return { ...task, kind: 'move_booking' as const }
    })
    await request('2026-11-21T09:00')
    const startsAt = '2026-11-21T17:00:00.000Z'
    await waitFor(() => expect(asked).toHaveBeenCalledWith({ change: 'move', bookingId: 55, startsAt }))
  })

  it('a booking is not offered again while its change is requested', async () => {
    const { user, server } = await openRail()
    server.answer(requestBookingChange, () => {
      const { account } = context
      const bookings = account?.bookings.map((booking) => ({ ...booking, isRequested: true })) ?? []
      server.answer(readTicketContext, { ...context, account: account && { ...account, bookings } })
      return { ...task, kind: 'cancel_booking' as const }
    })
    await choose(user, 'Cancel a booking…')
    await user.click(
      within(await dialogNamed('Cancel a booking')).getByRole('button', { name: 'Request cancellation' }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'Actions for the customer' }))
    const item = await screen.findByRole('menuitem', { name: 'Booking change requested' })
    expect(item.getAttribute('data-disabled')).toBe('true')
    expect(screen.queryByRole('menuitem', { name: 'Cancel a booking…' })).toBeNull()
  })

  it('credits are granted from its menu, too', async () => {
    const { user } = await openRail()
    await choose(user, 'Grant credits…')
    expect(await dialogNamed('Adjust credits for Camille Okafor')).toBeTruthy()
  })

  it('credits are those of the moment, whoever granted them', async () => {
    const { server } = await openRail()
    const rail = await screen.findByRole('region', { name: 'Customer' })
    await waitFor(() => expect(rail.textContent).toContain('Credits3 '))
    server.answer(readUser, makeUser({ engagement: { credits: 5 } }))
    act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'customers', customer: 31 }) }))
    await waitFor(() => expect(rail.textContent).toContain('Credits5 '))
  })

  it('an account is blocked for a reason, with an undo', async () => {
    const { user, server } = await openRail()
    const blocked = vi.fn()
    server.answer(blockUser, ({ params, body }) => {
      blocked(params.id, body)
      return { id: params.id, version: 2 }
    })
    await choose(user, 'Block…')
    const form = await dialogNamed('Block Camille Okafor?')
    await user.type(within(form).getByLabelText(/Reason/), 'Threatened a stretcher')
    await user.click(within(form).getByRole('button', { name: 'Block' }))
    await waitFor(() => expect(blocked).toHaveBeenCalledWith(31, { reason: 'Threatened a stretcher' }))
    expect(await screen.findByText('Camille Okafor is blocked.')).toBeTruthy()
  })

  it('a refund is noted on the ticket, and a refusal keeps what was typed', async () => {
    const { user, server } = await openRail()
    server.answer(noteRefund, new Refusal(422, 'too_much', 'The refund must be more than $0 and at most the payment.'))
    await choose(user, 'Note a refund…')
    const form = await dialogNamed('Note a refund')
    await user.type(within(form).getByLabelText('Refund'), '500')
    await user.type(within(form).getByLabelText('Reason'), 'Twice')
    await user.click(within(form).getByRole('button', { name: 'Add note' }))
    expect(await within(form).findByText(/at most the payment/)).toBeTruthy()
    expect(within(form).getByLabelText<HTMLInputElement>('Refund').value).toBe('500')
    const noted = vi.fn()
    server.answer(noteRefund, ({ params, body }) => {
      noted(params.id, body)
      return makeTicket()
    })
    await user.clear(within(form).getByLabelText('Refund'))
    await user.type(within(form).getByLabelText('Refund'), '50')
    await user.click(within(form).getByRole('button', { name: 'Add note' }))
    expect(await screen.findByText('Refund noted.')).toBeTruthy()
    expect(noted).toHaveBeenCalledWith(4127, { paymentId: 77, amount: '50', reason: 'Twice' })
  })

  it('a text is sent to their number', async () => {
    const { user, server } = await openRail({}, makeTicket(), (desk) => {
      desk.answer(readUser, makeUser())
    })
    const sent = vi.fn()
    server.answer(sendMessage, ({ body }) => {
      sent(body)
      return {
        id: 1,
        sid: null,
        from: '+19515550100',
        media: 0,
        dateSent: '2026-11-15T10:00:00.000Z',
        isOutgoing: true,
        state: 'waiting' as const,
        error: null,
        customer: null,
        ...body,
      }
    })
    await choose(user, 'Text the customer…')
    const form = await dialogNamed('Text Camille Okafor')
    await user.type(within(form).getByLabelText('Message'), 'We are on our way.')
    await user.click(within(form).getByRole('button', { name: 'Send text' }))
    expect(await screen.findByText('Text message sent.')).toBeTruthy()
    expect(sent).toHaveBeenCalledWith({ to: '+19515550123', body: 'We are on our way.' })
  })

  it('a text cannot be sent without a phone number', async () => {
    const { user, server } = await openRail()
    server.answer(sendMessage, new Refusal(503, 'not_connected', 'x'))
    await user.click(await screen.findByRole('button', { name: 'Actions for the customer' }))
    const item = await screen.findByRole('menuitem', { name: 'No phone number' }, { timeout: 10_000 })
    expect(item.hasAttribute('disabled')).toBe(true)
  })
})

describe('the menu of a ticket', () => {
  const two = () =>
    makeTicket({
      messages: [
        makeMessage(),
        makeMessage({ id: 2, content: 'And my receipt?', createdAt: '2026-11-14T19:00:00.000Z' }),
      ],
    })

  it('splits a message off and opens the new ticket', async () => {
    const { user, server, choose, router } = await openTicket(two())
    const asked = vi.fn()
    server.answer(splitTicket, ({ body }) => {
      asked(body)
      return makeTicket({ id: 5000 })
    })
    await choose('Split into a new ticket…')
    const form = await dialogNamed('Split ticket #4127')
    const subject = within(form).getByLabelText('Subject of the new ticket')
    await user.clear(subject)
    await user.type(subject, 'Receipt')
    await user.click(within(form).getByRole('button', { name: 'Split' }))
    await waitFor(() =>
      expect(asked).toHaveBeenCalledWith({ messageId: 2, takes: 'one', subject: 'Receipt', version: 1 }),
    )
    await waitFor(() => expect(router.state.location.href).toContain('ticket=5000'))
  })

  it('watches it, links another, and books a call-back', async () => {
    const { user, server, choose } = await openTicket(two())
    const did = vi.fn()
    server.answer(watchTicket, ({ body }) => {
      did('watch', body.watches)
      return { watchers: [] }
    })
    server.answer(linkTickets, ({ body }) => {
      did('link', body.ticket)
      return { id: body.ticket }
    })
    server.answer(createTask, ({ body }) => {
      did('task', body.workerId)
      return task
    })
    await choose('Watch')
    await waitFor(() => expect(did).toHaveBeenCalledWith('watch', true))
    await choose('Link a ticket…')
    const link = await dialogNamed('Link a ticket')
    server.answer(listTickets, [makeTicket({ id: 4050, subject: 'Receipt' })])
    await user.type(within(link).getByLabelText('Ticket'), 'receipt')
    await user.click(await within(link).findByRole('button', { name: /Receipt.*#4050/ }))
    await user.click(within(link).getByRole('button', { name: 'Link' }))
    await waitFor(() => expect(did).toHaveBeenCalledWith('link', 4050))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await choose('Book a call-back…')
    const form = await dialogNamed('Book a call-back')
    await user.click(within(form).getByRole('button', { name: 'Book' }))
    await waitFor(() => expect(did).toHaveBeenCalledWith('task', 7))
  })

  it('opens a follow-up of a closed ticket', async () => {
    const { server, choose, router } = await openTicket(makeTicket({ status: 'closed' }))
    server.answer(followUpTicket, () => makeTicket({ id: 5001 }))
    await choose('Open a follow-up')
    await waitFor(() => expect(router.state.location.href).toContain('ticket=5001'))
  })
})
