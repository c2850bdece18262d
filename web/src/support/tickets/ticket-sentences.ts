import {
  assignTicket,
  listTicketWorkers,
  readTicket,
  setTicketStatus,
  type TicketDetail,
  ticketStatusLabels,
} from '@limber/contract/support/tickets/ticket.ts'
import { IconArrowBackUp, IconCircleCheck, IconHistory, IconMail, IconStar, IconUser } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { OpenSentence, PaletteItem, Sentence } from '#platform/routing/verbs.ts'
import { act } from '#ui/feedback/act.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { findTickets } from './ticket-palette.ts'

const paramsOf = (id: number) => ({ params: { id: String(id) } })
const read = (id: number) => send(readTicket, paramsOf(id))
const UNDO = {
  icon: IconArrowBackUp,
  label: 'Undo',
  value: 'In the message and the history, while the ticket is as it is left.',
}

/** What else can be done to a ticket. */
const alsoOn = ({ id, customer }: TicketDetail) => ({
  title: `Also for ticket #${id}`,
  items: [
    {
      id: `open-${id}`,
      title: 'Open ticket',
      icon: IconHistory,
      run: (go) => go(hrefTo('/support/tickets', { ticket: id })),
    },
    ...(customer
      ? [
          {
            id: `open-customer-${customer.id}`,
            title: `Open ${customer.name}`,
            icon: IconUser,
            run: (go) => go(hrefTo('/support/users', { user: customer.id })),
          } satisfies PaletteItem,
        ]
      : []),
  ] satisfies PaletteItem[],
})

export async function closeSentence(id: number): Promise<Sentence> {
  const ticket = await read(id)
  return {
    verb: 'Close',
    parts: [{ slot: `#${id} ${ticket.subject}` }],
    effects: () => [
      {
        icon: IconCircleCheck,
        label: `Status of ticket #${id}`,
        was: ticketStatusLabels[ticket.status],
        value: ticketStatusLabels.closed,
      },
      { icon: IconMail, label: 'Email', value: 'None is sent now.' },
      { icon: IconStar, label: 'Rating', value: 'The customer may be asked for one later.' },
      UNDO,
    ],
    action: `Close ticket #${id}`,
    form: hrefTo('/support/tickets', { ticket: id }),
    also: alsoOn(ticket),
    run: () =>
      act(() => send(setTicketStatus, { ...paramsOf(id), body: { status: 'closed', version: ticket.version } }), {
        done: (reply) => toastUndo(`Ticket #${id} is closed.`, reply),
        failed: 'Failed to update status',
      }),
  }
}

function toWorker(ticket: TicketDetail, worker: { id: number; name: string }): Sentence {
  const { id, subject, assignee, version } = ticket
  return {
    verb: 'Assign',
    parts: [{ slot: `#${id} ${subject}` }, { word: 'to' }, { slot: worker.name }],
    effects: () => [
      { icon: IconUser, label: `Assignee of ticket #${id}`, was: assignee?.name ?? 'Unassigned', value: worker.name },
      { icon: IconMail, label: 'Email', value: 'None is sent.' },
      UNDO,
    ],
    action: 'Assign',
    form: hrefTo('/support/tickets', { ticket: id }),
    also: alsoOn(ticket),
    run: () =>
      act(() => send(assignTicket, { ...paramsOf(id), body: { workerId: worker.id, version } }), {
        done: (reply) => toastUndo(`Ticket #${id} assigned to ${worker.name}.`, reply),
        failed: "Couldn't assign the ticket",
      }),
  }
}

const workersNamed = async (text: string, signal: AbortSignal) => {
  const words = text.toLowerCase()
  return (await send(listTicketWorkers, {}, { signal }))
    .filter(({ name }) => name.toLowerCase().includes(words))
    .slice(0, 8)
}

/** Asks for the worker; `typed` is what was said of the name before. */
export async function assignSentence(id: number, typed?: string): Promise<OpenSentence> {
  const ticket = await read(id)
  return {
    verb: 'Assign',
    parts: [{ slot: `#${id} ${ticket.subject}` }, { word: 'to' }],
    label: 'Worker',
    ...(typed && { typed }),
    options: async (text, signal) =>
      (await workersNamed(text, signal)).map((worker) => ({
        id: `worker-${worker.id}`,
        title: worker.name,
        icon: IconUser,
        ...(worker.id === ticket.assignee?.id && { refusal: 'Has it already' }),
        run: () => undefined,
        sentence: async () => toWorker(ticket, worker),
      })),
  }
}

/** Workers whose ticket is asked for next. */
export async function workersToAssign(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  return (await workersNamed(text, signal)).map((worker) => ({
    id: `worker-${worker.id}`,
    title: worker.name,
    detail: 'Worker',
    icon: IconUser,
    run: () => undefined,
    sentence: async () => ({
      verb: 'Assign to',
      parts: [{ slot: worker.name }],
      label: 'Ticket',
      hint: 'Number or words',
      options: (words, stop) =>
        findTickets(words, stop, ({ id, assignee }) => ({
          ...(assignee?.id === worker.id && { refusal: 'Assigned already' }),
          sentence: async () => toWorker(await read(id), worker),
        })),
    }),
  }))
}
