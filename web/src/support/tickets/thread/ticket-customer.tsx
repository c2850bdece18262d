import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketContext } from '@limber/contract/support/related/related.ts'
import { type TicketDetail, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { withSearch } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { userQuery, usersKey, userTicketsQuery } from '#support/customers/user.api.ts'
import { CustomerLink } from '#support/public.tsx'
import { Links, nextSessionOf, type RailLayer, Tasks, Watchers } from '#support/related/rail-parts.tsx'
import { contextQuery } from '#support/related/related.api.ts'
import rail from '#support/related/related.module.css'
import { LatestEntries } from '#support/timeline/latest-entries.tsx'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './ticket-facts.module.css'

/** Credits, bookings and the next session, for workers who may see accounts. */
function Account({ id, context, onLayer }: { id: number; context: TicketContext | undefined; onLayer: OnLayer }) {
  const { data } = useQuery(userQuery(id))
  if (!data) return null
  const next = nextSessionOf(context)
  const { bookings } = data.activity
  return (
    <>
      <Facts.Row label="Credits">
        <span>
          {formatInteger(data.engagement.credits)}{' '}
          {context?.account && (
            <button type="button" className={rail.verb} onClick={() => onLayer('credits')}>
              Grant
            </button>
          )}
        </span>
      </Facts.Row>
      {next && (
        <Facts.Row label="Next session">
          <span>
            <Moment at={next.startsAt} />{' '}
            <button type="button" className={rail.verb} onClick={() => onLayer('move')}>
              Move
            </button>
          </span>
        </Facts.Row>
      )}
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

const loadMenu = () => import('#support/related/customer-menu.tsx')
const CustomerMenu = lazy(loadMenu)
const CustomerLayers = lazy(() => import('#support/related/customer-layers.tsx'))

const menuButton = (
  <ActionIcon className={rail.more ?? ''} size={24} aria-label="Actions for the customer">
    <Icon of={IconDots} />
  </ActionIcon>
)

/** What can be done for the customer, and its forms. */
function CustomerActions({
  ticket,
  context,
  layer,
  onLayer,
}: PartProps & { layer: RailLayer | undefined; onLayer: OnLayer }) {
  const { data: user } = useQuery(userQuery(ticket.customer?.id ?? 0))
  const account = context?.account
  if (!user || !account) return null
  return (
    <>
      <LazyMenu button={menuButton} load={loadMenu}>
        <CustomerMenu
          user={user}
          bookings={account.bookings}
          hasPayment={account.payments.length > 0}
          onLayer={onLayer}
        />
      </LazyMenu>
      <Suspense>
        {layer && (
          <CustomerLayers
            layer={layer}
            ticketId={ticket.id}
            user={user}
            account={account}
            onClose={() => onLayer(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

interface PartProps {
  ticket: TicketDetail
  context: TicketContext | undefined
}
type OnLayer = (layer: RailLayer | undefined) => void

/** The account behind the address, if there is one. */
function Customer({ ticket, context }: PartProps) {
  const { customer, customer_email, satisfaction } = ticket
  const mayRead = useCan(['users.overview', 'users.directory'])
  const [layer, setLayer] = useState<RailLayer>()
  return (
    <section className={styles.part} aria-label="Customer">
      <h3>Customer</h3>
      {customer ? (
        <>
          <div className={styles.person}>
            <Avatar name={customer.name} tone="plain" size={32} />
            <div className={styles.name}>
              <CustomerLink id={customer.id}>{customer.name}</CustomerLink>
              <StatusBadge meaning={customer.verified ? 'green' : 'amber'}>
                {customer.verified ? 'Verified' : 'Unverified'}
              </StatusBadge>
            </div>
            {mayRead && <CustomerActions ticket={ticket} context={context} layer={layer} onLayer={setLayer} />}
          </div>
          <Facts>
            <Facts.Row label="Rank">{customer.rank}</Facts.Row>
            <Facts.Row label="Points">{formatInteger(customer.points)}</Facts.Row>
            {mayRead && <Account id={customer.id} context={context} onLayer={setLayer} />}
            {satisfaction && satisfaction.rated > 0 && (
              <Facts.Row label="Satisfaction">
                {formatInteger(satisfaction.good)} of {formatInteger(satisfaction.rated)} good
              </Facts.Row>
            )}
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

/** Linked tickets, then others of the same customer. */
function RelatedTickets({ ticket, context }: PartProps) {
  const links = context?.links ?? []
  const earlier = useEarlier(ticket).filter(({ id }) => !links.some((link) => link.id === id))
  if (earlier.length === 0 && links.length === 0) return null
  return (
    <section className={styles.part} aria-label="Related tickets">
      <h3>Related tickets</h3>
      <ul className={styles.tickets}>
        <Links ticketId={ticket.id} links={links} />
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

/** The customer of a ticket, what happened to them, tasks, watchers and related tickets. */
export default function TicketCustomer({ ticket }: { ticket: TicketDetail }) {
  const query = useQuery(contextQuery(ticket.id))
  useLiveRefresh('customers', contextQuery(ticket.id).queryKey)
  useLiveRefresh('customers', usersKey)
  const { data: context } = query
  return (
    <>
      <Customer ticket={ticket} context={context} />
      {query.isError && !context && (
        <div className={styles.part}>
          <FailureView error={query.error} title="Couldn't load tasks and links" onRetry={() => void query.refetch()} />
        </div>
      )}
      {context && context.tasks.length > 0 && (
        <div className={styles.part}>
          <Tasks ticketId={ticket.id} tasks={context.tasks} />
        </div>
      )}
      {ticket.customer && (
        <LatestEntries
          customerId={ticket.customer.id}
          exceptTicket={ticket.id}
          within={(entries) => <div className={styles.part}>{entries}</div>}
        />
      )}
      <RelatedTickets ticket={ticket} context={context} />
      {context && context.watchers.length > 0 && (
        <div className={styles.part}>
          <Watchers watchers={context.watchers} />
        </div>
      )}
    </>
  )
}
