import { type TicketStatus, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { ACCOUNTS, type TimelineSource, timelineSource } from '#platform/timeline.ts'

const LISTED = [['users.tickets']] as const
/** Threads are open only to workers who handle tickets. */
const READ = [['users.tickets'], ['tickets.handle']] as const
const MAIL = [['support.tab']] as const

const preview = sql.lit(400)

interface Ticket {
  id: number
  subject: string
}

const named = ({ id, subject }: Ticket) => `#${id} ${subject}`
const linked = ({ id }: Ticket) => ({ to: 'ticket', id }) as const

/** Tickets, emails and text messages. */
export const contactSources: readonly TimelineSource[] = [
  timelineSource<Ticket & { status: TicketStatus; content: string | null }>({
    ...{ kind: 'ticket', group: 'tickets', title: 'Tickets', needs: LISTED, isOfTickets: true },
    rows: (id) => sql`select t.created_at as at, t.id, 'opened ticket #' || t.id || ' ' || t.subject as words,
        jsonb_build_object('id', t.id, 'subject', t.subject, 'status', t.status,
          'content', (select left(m.content, ${preview}) from ticket_messages m where m.ticket_id = t.id order by m.id limit 1)) as data
      from tickets t where t.customer_id = ${id} and t.merged_into_id is null`,
    present: ({ status, content, ...ticket }) => ({
      title: 'Opened ticket',
      text: `${named(ticket)} (${ticketStatusLabels[status]})`,
      quote: content,
      tone: status === 'closed' ? null : 'amber',
      link: linked(ticket),
    }),
  }),
  timelineSource<Ticket & { by: string | null; content: string }>({
    ...{ kind: 'ticket_message', group: 'tickets', title: 'Tickets', needs: READ, isOfTickets: true },
    rows: (
      id,
    ) => sql`select m.created_at as at, m.id, 'replied to ticket #' || t.id || ' ' || t.subject || ' ' || m.content as words,
        jsonb_build_object('id', t.id, 'subject', t.subject, 'content', left(m.content, ${preview}),
          'by', case when not m.from_customer then (select w.name from workers w where w.id = m.worker_id) end) as data
      from tickets t join ticket_messages m on m.ticket_id = t.id
      where t.customer_id = ${id} and t.merged_into_id is null
        and exists (select from ticket_messages e where e.ticket_id = t.id and e.id < m.id)`,
    present: ({ by, content, ...ticket }) => ({
      title: by ?? 'Replied',
      text: `${by ? 'replied ' : ''}to ticket ${named(ticket)}`,
      quote: content,
      link: linked(ticket),
    }),
  }),
  timelineSource<Ticket & { by: string; content: string }>({
    ...{ kind: 'ticket_note', group: 'notes', title: 'Notes', needs: READ, isOfTickets: true },
    rows: (
      id,
    ) => sql`select n.created_at as at, n.id, 'internal note ' || w.name || ' #' || t.id || ' ' || n.content as words,
        jsonb_build_object('id', t.id, 'subject', t.subject, 'by', w.name, 'content', left(n.content, ${preview})) as data
      from tickets t join ticket_notes n on n.ticket_id = t.id join workers w on w.id = n.worker_id
      where t.customer_id = ${id} and t.merged_into_id is null`,
    present: ({ by, content, ...ticket }) => ({
      title: `Internal note by ${by}`,
      text: `on ticket ${named(ticket)}`,
      quote: content,
      link: linked(ticket),
    }),
  }),
  timelineSource<Ticket & { rating: 'good' | 'bad'; comment: string | null }>({
    ...{ kind: 'ticket_rating', group: 'tickets', title: 'Tickets', needs: LISTED, isOfTickets: true },
    rows: (
      id,
    ) => sql`select r.rated_at as at, t.id, 'rated support ' || r.rating || ' ' || coalesce(r.comment, '') as words,
        jsonb_build_object('id', t.id, 'subject', t.subject, 'rating', r.rating, 'comment', r.comment) as data
      from tickets t join ticket_ratings r on r.ticket_id = t.id
      where t.customer_id = ${id} and t.merged_into_id is null and r.rated_at is not null`,
    present: ({ rating, comment, ...ticket }) => ({
      title: rating === 'good' ? 'Rated our answer as good' : 'Rated our answer as bad',
      text: named(ticket),
      quote: comment,
      tone: rating === 'good' ? 'green' : 'red',
      link: linked(ticket),
    }),
  }),
  timelineSource<{ subject: string; from: string }>({
    ...{ kind: 'email', group: 'messages', title: 'Emails', needs: MAIL },
    // Replies to tickets are entries of their own.
    rows: (id) => sql`select e.created_at as at, e.id, 'email sent ' || e.subject as words,
        jsonb_build_object('subject', e.subject, 'from', e.from_address) as data
      from email_logs e where e.customer_id = ${id} and e.type <> 'ticket_reply'`,
    present: ({ subject }) => ({ title: 'Email sent:', text: subject }),
  }),
  timelineSource<{ isOutgoing: boolean; body: string; by: string | null; failed: boolean }>({
    ...{ kind: 'text', group: 'messages', title: 'Text messages', needs: [ACCOUNTS, ['support.tab']] },
    rows: (id) => sql`select t.sent_at as at, t.id, 'text message ' || t.body as words,
        jsonb_build_object('isOutgoing', t.is_outgoing, 'body', t.body, 'failed', t.state = 'failed',
          'by', (select w.name from workers w where w.id = t.worker_id)) as data
      from texts t where t.number = (select c.phone from customers c where c.id = ${id})`,
    present: ({ isOutgoing, body, by, failed }) => ({
      title: !isOutgoing ? 'Text message received:' : failed ? 'Text message not delivered:' : 'Text message sent:',
      text: `“${body}”${by ? ` by ${by}` : ''}`,
      tone: failed ? 'red' : null,
    }),
  }),
]
