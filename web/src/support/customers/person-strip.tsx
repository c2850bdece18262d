import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { humanize } from './labels.ts'
import styles from './person.module.css'
import type { UserTab } from './user-search.ts'

interface Props {
  user: UserDetail
  onTab: (tab: UserTab) => void
}

/** What matters about a customer at a glance; each fact opens its place. */
export function PersonStrip({ user, onTab }: Props) {
  const { engagement, activity, glance, accountStatus } = user
  const { bookings } = activity
  const { zone, isLocated, nextSession, promises } = glance
  const maySeeMap = useCan('growth.tab')
  const tab = (to: UserTab, content: ReactNode) => (
    <button type="button" className={styles.open} onClick={() => onTab(to)}>
      {content}
    </button>
  )
  const [first] = promises ?? []
  const isClosed = accountStatus.isErased || accountStatus.mergedInto !== null
  if (isClosed) return null
  const zoneName = <span className={styles.words}>{zone ?? (isLocated ? 'Outside' : 'None')}</span>
  return (
    <StatStrip
      label="At a glance"
      stats={[
        {
          id: 'state',
          label: 'State',
          value: humanize(engagement.lifecycleStage),
          note: pluralize(bookings.total, 'session'),
        },
        {
          id: 'rank',
          label: 'Rank',
          value: tab('rewards', engagement.rank),
          note: `${formatInteger(engagement.points)} pts`,
        },
        { id: 'credits', label: 'Credits', value: tab('rewards', formatInteger(engagement.credits)) },
        {
          id: 'zone',
          label: 'Zone',
          value:
            zone && maySeeMap ? (
              <Link className={styles.open} {...linkTo('/growth/heatmap')}>
                {zoneName}
              </Link>
            ) : (
              zoneName
            ),
          note: zone ? 'In service area' : isLocated ? 'Outside all zones' : 'No address',
        },
        {
          id: 'next',
          label: 'Next session',
          value: tab('bookings', nextSession ? <Moment at={nextSession.startsAt} form="day" /> : 'None'),
          ...(nextSession && {
            note: '',
            change: (
              <span className={styles.small}>
                <Moment at={nextSession.startsAt} form="time" />
                {nextSession.stretcher && `, ${nextSession.stretcher}`}
              </span>
            ),
          }),
        },
        ...(promises
          ? [
              {
                id: 'promises',
                label: 'Open promises',
                value: first ? (
                  <Link className={styles.open} {...linkTo('/support/tickets', { ticket: first.ticketId })}>
                    {formatInteger(promises.length)}
                  </Link>
                ) : (
                  '0'
                ),
                ...(first?.dueAt && {
                  change: (
                    <span className={styles.warn}>
                      Due <Moment at={first.dueAt} />
                    </span>
                  ),
                }),
              },
            ]
          : []),
      ]}
    />
  )
}
