import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { type TicketDetail, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { withSearch } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { userQuery, userTicketsQuery } from '#support/customers/user.api.ts'
import { CustomerLink } from '#support/public.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import styles from './ticket-facts.module.css'

/** Credits and bookings, for workers who may see accounts. */
function Account({ id }: { id: number }) {
  const { data } = useQuery(userQuery(id))
  if (!data) return null
  const { bookings } = data.activity
  return (
    <>
      <Facts.Row label="Credits">{formatInteger(data.engagement.credits)}</Facts.Row>
      <Facts.Row label="Bookings">
        <span>
          {formatInteger(bookings.total)}
          {bookings.lastBooking && (
            <span className={styles.last}>
              {' '}
              (Last: <Moment at={bookings.lastBooking} form="day" />)
            </span>
          )}
        </span>
      </Facts.Row>
    </>
  )
}

/** The account behind the address, if there is one. */
function Customer({ ticket: { customer, customer_email } }: { ticket: TicketDetail }) {
  const mayRead = useCan(['users.overview', 'users.directory'])
  return (
    <section className={styles.part} aria-label="Customer">
      <h3>Customer</h3>
      {customer ? (
        <>
          <div className={styles.person}>
            <Avatar name={customer.name} tone="plain" size={32} />
            <span className={styles.name}>
              <CustomerLink id={customer.id}>{customer.name}</CustomerLink>
            </span>
            <StatusBadge meaning={customer.verified ? 'green' : 'amber'}>
              {customer.verified ? 'Verified' : 'Unverified'}
            </StatusBadge>
          </div>
          <Facts>
            <Facts.Row label="Rank">{customer.rank}</Facts.Row>
            <Facts.Row label="Points">{formatInteger(customer.points)}</Facts.Row>
            {mayRead && <Account id={customer.id} />}
          </Facts>
        </>
      ) : (
        <p className={styles.none}>No account has the address {customer_email}.</p>
      )}
    </section>
  )
}

const SHOWN = 8

type Earlier = { id: number; subject: string; status: TicketDetail['status']; createdAt: string }

function useEarlier({ id, customer, others }: TicketDetail): Earlier[] {
  const mayList = useCan('users.tickets') && customer !== null
  const { data } = useQuery({ ...userTicketsQuery(customer?.id ?? 0), enabled: mayList })
  const all = data ? [...data.recentTickets, ...data.ticketHistory] : others
  return all.filter((one) => one.id !== id)
}

/** Other tickets of the same customer. */
function EarlierTickets({ ticket }: { ticket: TicketDetail }) {
  const earlier = useEarlier(ticket)
  if (earlier.length === 0) return null
  return (
    <section className={styles.part} aria-label="Other tickets">
      <h3>Other tickets</h3>
      <ul className={styles.tickets}>
        {earlier.slice(0, SHOWN).map(({ id, subject, status, createdAt }) => (
          <li key={id}>
            <Link {...withSearch<'/support/tickets'>({ ticket: id })}>
              <span className={styles.subject}>{subject}</span>
              <span className={styles.when}>
                {status === 'closed' ? <Moment at={createdAt} form="age" /> : ticketStatusLabels[status]}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The customer of a ticket and their other tickets. */
export default function TicketCustomer({ ticket }: { ticket: TicketDetail }) {
  return (
    <>
      <Customer ticket={ticket} />
      <EarlierTickets ticket={ticket} />
    </>
  )
}
