import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { StretcherLink } from '#platform/routing/stretcher-link.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { sessionLabels } from '../labels.ts'
import styles from './session-card.module.css'
import { problemLabels, startOf, timesOf } from './session-labels.ts'

interface Props {
  session: CalendarSession
  /** In a column of the week or in a row of the list. */
  kind: 'block' | 'line'
  /** Whether other time zones are on the screen too. */
  isZoneNamed: boolean
  /** Whether M moves it. */
  isMovable?: boolean
  onOpen: (id: number) => void
}

/** One session. A click opens it. In the list its names link to their records; in a column they would be too small to hit. */
export function SessionCard({ session, kind, isZoneNamed, isMovable, onOpen }: Props) {
  const { id, business, stretcher, zone, status, problem, slots, taken_slots } = session
  const [meaning, words] = sessionLabels[status]
  const when = kind === 'block' ? startOf(session, isZoneNamed) : timesOf(session, isZoneNamed)
  return (
    <div className={cx(styles.card, styles[kind])} data-meaning={meaning}>
      <UnstyledButton
        className={styles.open ?? ''}
        data-row
        data-opens
        aria-keyshortcuts={isMovable ? 'm' : undefined}
        aria-label={`${when}, ${business.name}: open session`}
        onClick={() => onOpen(id)}
      >
        {when}
      </UnstyledButton>
      <span className={styles.business}>
        {kind === 'block' ? (
          business.name
        ) : (
          <RecordLink
            to="/worker/managing/businesses"
            search={{ business: business.id }}
            needs="businesses.manage"
            className={styles.way}
          >
            {business.name}
          </RecordLink>
        )}
      </span>
      <span className={styles.who}>
        {kind === 'block' ? (
          stretcher.name
        ) : (
          <StretcherLink id={stretcher.id} className={styles.way}>
            {stretcher.name}
          </StretcherLink>
        )}
        {kind === 'line' && <span className={styles.zone}>{zone.name}</span>}
      </span>
      <span className={styles.state}>
        {/* A column has room for what is not as usual only. */}
        {(kind === 'line' || (!problem && status !== 'scheduled')) && <StatusDot meaning={meaning}>{words}</StatusDot>}
        {problem && (
          <span className={styles.problem}>
            <Icon of={IconAlertTriangle} size={12} />
            {problemLabels[problem]}
          </span>
        )}
        <span className={styles.slots}>
          {taken_slots} of {slots} slots
        </span>
      </span>
    </div>
  )
}
