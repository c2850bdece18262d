import { IconStar, IconStarFilled } from '@tabler/icons-react'
import styles from './stars.module.css'

const places = [1, 2, 3, 4, 5]

export function Stars({ rating }: { rating: number }) {
  return (
    <span className={styles.stars} role="img" aria-label={`Rating: ${rating} of 5 stars`}>
      {places.map((place) =>
        place <= rating ? (
          <IconStarFilled key={place} size={14} className={styles.full} aria-hidden />
        ) : (
          <IconStar key={place} size={14} stroke={1.5} aria-hidden />
        ),
      )}
    </span>
  )
}
