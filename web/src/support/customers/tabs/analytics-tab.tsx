import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { UserAnalytics } from '@limber/contract/support/customers/user.ts'
import { useQuery } from '@tanstack/react-query'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { humanize } from '../labels.ts'
import { userAnalyticsQuery } from '../user.api.ts'
import styles from './user-tabs.module.css'
import { WeekStrip } from './week-strip.tsx'

type Activity = UserAnalytics['activity'][number]

/** Groups by day in the viewer's time zone. */
const byDay = (activity: readonly Activity[]) =>
  Object.entries(Object.groupBy(activity, (entry) => momentText(entry.createdAt, 'day')))

function Activity({ activity }: Pick<UserAnalytics, 'activity'>) {
  return (
    <SectionCard title="Activity" isFlush={activity.length > 0}>
      {activity.length === 0 && <p className={styles.none}>No activity yet</p>}
      {byDay(activity).map(([day, entries = []]) => (
        <section key={day} aria-label={day}>
          <h3 className={styles.day}>{day}</h3>
          <ul className={styles.entries}>
            {entries.map((entry, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries with the same time have no other key
              <li key={`${entry.createdAt} ${place}`} className={styles.entry}>
                <Moment at={entry.createdAt} form="time" />
                <span>{humanize(entry.action_type)}</span>
                <span className={styles.meta}>{humanize(entry.action_category)}</span>
                <span className={styles.meta}>{entry.event_context}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </SectionCard>
  )
}

export default function AnalyticsTab({ id }: { id: number }) {
  const query = useQuery(userAnalyticsQuery(id))
  return (
    <QueryView query={query} failure="Failed to fetch user analytics">
      {({ engagement_score, total_logins, total_actions, weeks, activity }) => (
        <div className={styles.stack}>
          <StatStrip
            label="Product usage"
            stats={[
              { id: 'score', label: 'Engagement score', value: formatInteger(engagement_score) },
              { id: 'logins', label: 'Total logins', value: formatInteger(total_logins) },
              { id: 'actions', label: 'Total actions', value: formatInteger(total_actions) },
            ]}
          />
          <WeekStrip weeks={weeks} />
          <Activity activity={activity} />
        </div>
      )}
    </QueryView>
  )
}
