import { DAY, HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import { draftThread, draftTicket, type ThreadMessage } from '@limber/server/support/tickets/ticket.factory.ts'
import type { Random } from '../random.ts'
import type { SeedContext } from '../seeder.ts'
import { staffNotes, topics } from './threads.ts'

export interface Person {
  id: number
  first_name: string
  email: string
  phone: string | null
  joined_at: Date
}

const TICKETS = 250
/** Nobody waits longer than this for a response. */
const MAX_WAIT = 9 * HOUR

/** Minutes until the next message: the staff reply within hours, customers take longer. */
const pause = (random: Random, isStaff: boolean) =>
  Math.round(isStaff ? random.between(8, 360) : random.between(15, 2000))

function converse(random: Random, person: Person, staff: number, opened: Date, now: Date) {
  const topic = random.pick(topics)
  const thread: ThreadMessage[] = []
  const turns = random.integer(1, topic.turns.length)
  let after = 0
  for (const [index, turn] of topic.turns.slice(0, turns).entries()) {
    const isStaff = index % 2 === 1
    if (index > 0) after += pause(random, isStaff)
    if (shift(opened, after * MINUTE) > now) break
    const content = random.pick(turn).replaceAll('{n}', () => person.first_name)
    thread.push({ content, after, ...(isStaff && { workerId: staff }) })
  }
  const last = thread.at(-1)
  const answer = topic.turns[thread.length]
  // By now, older messages have a response.
  if (last && last.workerId === undefined && shift(opened, (last.after ?? 0) * MINUTE) < shift(now, -MAX_WAIT)) {
    if (answer) {
      const content = random.pick(answer).replaceAll('{n}', () => person.first_name)
      thread.push({ content, after: (last.after ?? 0) + pause(random, true), workerId: staff })
    } else if (thread.length > 1) thread.pop()
  }
  const priority = (['low', 'medium', 'high'] as const)[random.weighted(topic.priority)] ?? 'medium'
  return { thread, subject: random.pick(topic.subjects), priority, kind: topic.kind }
}

/** Old tickets are closed, recent ones open or in progress. */
function statusOf(random: Random, age: number, isAnswered: boolean, isWaiting: boolean) {
  if (age > 12 * DAY) return random.chance(0.97) || isWaiting ? 'closed' : 'in_progress'
  if (!isAnswered) return 'open'
  return (['open', 'in_progress', 'closed'] as const)[random.weighted([4, 3, 4])] ?? 'open'
}

/** A year of tickets with threads, notes and history. More of them are recent. */
export async function seedTickets(context: SeedContext, people: readonly Person[], support: readonly number[]) {
  const random = context.random('support/tickets')
  const { now } = context.calendar
  const openings = Array.from({ length: TICKETS * Math.min(context.scale, 40) }, () =>
    shift(now, -Math.round(random.next() ** 2.2 * 330 * DAY) - 5 * MINUTE),
  ).sort((a, b) => a.getTime() - b.getTime())
  const tickets: object[] = []
  const messages: object[] = []
  const notes: object[] = []
  const events: object[] = []
  for (const [index, opened] of openings.entries()) {
    const id = index + 1
    const known = people.filter((one) => one.joined_at < opened)
    const person = random.pick(known.length > 0 ? known : people)
    const staff = random.pick(support)
    const conversation = converse(random, person, staff, opened, now)
    const { messages: thread, ticket } = draftThread(id, opened, conversation.thread)
    // By email, entered by a worker after a call, or from the app of the company.
    const channel = (['email', 'worker', 'app'] as const)[random.weighted([70, 12, 18])]
    const isCall = channel === 'worker'
    for (const [place, message] of thread.entries())
      if (message.from_customer && channel === 'email') message.inbound_key = `<${id}.${place}@mail.example.com>`
    if (isCall && thread[0]) thread[0].worker_id = staff
    const isAnswered = thread.some(({ from_customer }) => !from_customer)
    const status = statusOf(random, now.getTime() - opened.getTime(), isAnswered, ticket.waiting_since !== null)
    tickets.push({
      id,
      ...draftTicket({
        customer_id: person.id,
        customer_email: person.email,
        subject: conversation.subject,
        priority: conversation.priority,
        kind: conversation.kind,
        status,
        created_by: isCall ? staff : null,
        assignee_id: isAnswered || random.chance(0.3) ? staff : null,
        created_at: opened,
      }),
      ...ticket,
    })
    messages.push(...thread)
    if (status !== 'open') {
      const at = new Date(Math.min(new Date(ticket.updated_at).getTime() + HOUR, now.getTime()))
      const text = status === 'closed' ? 'Set to Closed' : 'Set to In Progress'
      events.push({ ticket_id: id, worker_id: staff, kind: 'status', text, created_at: at })
    }
    if (random.chance(0.2))
      notes.push({ ticket_id: id, worker_id: staff, content: random.pick(staffNotes), created_at: ticket.updated_at })
  }
  await context.copy('tickets', tickets)
  await context.copy('ticket_messages', messages)
  await context.copy('ticket_notes', notes)
  await context.copy('ticket_events', events)
}
