import { formatClockText } from '@limber/contract/kit/formats/dates.ts'
import { exportUserBookings, type UserBooking } from '@limber/contract/support/customers/user.ts'
import { IconCalendarEvent } from '@tabler/icons-react'
import { StretcherLink } from '#platform/routing/stretcher-link.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { bookingLabels, bookingMeaning } from '../labels.ts'
import { userBookingsQuery } from '../user.api.ts'
import { MoreRows } from './more-rows.tsx'
import { Stars } from './stars.tsx'
import { usePagedList } from './use-paged-list.ts'
import styles from './user-tabs.module.css'

function Stretcher({ booking: { stretcher, stretcherId } }: { booking: UserBooking }) {
  if (stretcher === null) return <>no stretcher yet</>
  if (stretcherId === null) return <>{stretcher}</>
  return <StretcherLink id={stretcherId}>{stretcher}</StretcherLink>
}

function Booking({ booking }: { booking: UserBooking }) {
  const { date, startTime, endTime, status, zone, Rating, Feedback } = booking
  return (
    <li className={styles.card}>
      <div className={styles.itemHead}>
        <span className={styles.itemTitle}>
          {dayText(date)}, {formatClockText(startTime)} – {formatClockText(endTime)}
        </span>
        <StatusBadge meaning={bookingMeaning[status]}>{bookingLabels[status]}</StatusBadge>
      </div>
      <span className={styles.meta}>
        With <Stretcher booking={booking} /> in {zone}
      </span>
      {Rating && <Stars rating={Rating.rating} />}
      {Rating && Rating.attributes.length > 0 && (
        <ul className={styles.attributes} aria-label="Attributes">
          {Rating.attributes.map((attribute) => (
            <li key={attribute}>{attribute}</li>
          ))}
        </ul>
      )}
      {Feedback && (
        <blockquote className={styles.quote}>
          <p className={styles.words}>{Feedback.message_text}</p>
          <span className={styles.meta}>
            <Moment at={Feedback.message_date} form="day" />
          </span>
        </blockquote>
      )}
    </li>
  )
}

const FAILURE = 'Failed to fetch user bookings'

/** A customer's sessions, newest first, with local dates and times of their zone. */
export default function BookingsTab({ id }: { id: number }) {
  const list = usePagedList<UserBooking>((page) => userBookingsQuery(id, page))
  return (
    <QueryView
      query={list.first}
      failure={FAILURE}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyState icon={IconCalendarEvent} title="No bookings">
          This customer's sessions will appear here.
        </EmptyState>
      }
    >
      {() => (
        <>
          <div className={styles.tools}>
            <ExportButton call={exportUserBookings} params={{ id: String(id) }} />
          </div>
          <ul className={styles.cards}>
            {list.rows.map((booking) => (
              <Booking key={booking.id} booking={booking} />
            ))}
          </ul>
          <MoreRows list={list} failure={FAILURE} />
        </>
      )}
    </QueryView>
  )
}
