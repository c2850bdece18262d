import { useMediaQuery } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { EMAIL_PAGE, emailPageQuery } from './email.api.ts'
import styles from './email-list.module.css'
import { EmailRow } from './email-row.tsx'

const BOX = 240
const OVERSCAN = 6

interface Props {
  businessId: number
  search: string
  /** Number of matching addresses. */
  count: number
}

/**
 * The box of addresses. Renders only visible rows and loads only their pages, so that 100,000 addresses scroll like ten.
 */
export function EmailBox({ businessId, search, count }: Props) {
  const rowHeight = useMediaQuery('(max-width: 767px)') ? 44 : 34
  const [top, setTop] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN)
  const last = Math.min(count, Math.ceil((top + BOX) / rowHeight) + OVERSCAN)
  const firstPage = Math.floor(first / EMAIL_PAGE) + 1
  const lastPage = Math.floor(Math.max(0, last - 1) / EMAIL_PAGE) + 1
  const pages = Array.from({ length: lastPage - firstPage + 1 }, (_, place) => firstPage + place)
  const results = useQueries({ queries: pages.map((page) => emailPageQuery(businessId, search, page)) })
  const emailAt = (place: number) => {
    const page = Math.floor(place / EMAIL_PAGE) + 1
    const result = results[pages.indexOf(page)]
    // The previous page stays visible while the next one loads, but its rows are not at this position.
    return result && !result.isPlaceholderData ? result.data?.emails[place % EMAIL_PAGE] : undefined
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div ref={box} className={styles.box} tabIndex={0} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <ul className={styles.space} aria-label="Allowed addresses" style={{ height: count * rowHeight }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, nth) => first + nth).map((place) => {
          const email = emailAt(place)
          return (
            <EmailRow
              key={email?.id ?? `place-${place}`}
              email={email}
              top={place * rowHeight}
              place={place + 1}
              count={count}
            />
          )
        })}
      </ul>
    </div>
  )
}
