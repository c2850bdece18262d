import { type TicketRating as Rating, ratingLabels } from '@limber/contract/support/ratings/rating.ts'
import { IconMoodSad, IconMoodSmile } from '@tabler/icons-react'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './ticket-rating.module.css'

interface Props {
  rating: Rating
  /** The customer. */
  name: string
}

/** What the customer said about the ticket, as an entry of its thread. */
export default function TicketRating({ rating: { rating, comment, ratedAt }, name }: Props) {
  if (!rating) return null
  return (
    <li className={styles.rating} data-rating={rating}>
      <Icon of={rating === 'good' ? IconMoodSmile : IconMoodSad} size={20} />
      <div className={styles.words}>
        <b>
          {name} rated this {ratingLabels[rating]}
        </b>
        {comment && <p>“{comment}”</p>}
      </div>
      <Moment at={ratedAt} form="time" />
    </li>
  )
}
