import type { ScheduleDetail } from '@limber/contract/automation/schedule.ts'
import { useQuery } from '@tanstack/react-query'
import { Banner } from '#ui/banner.tsx'
import { Moment } from '#ui/moment.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { StatusBadge } from '#ui/status.tsx'
import { activeWord } from './run-words.ts'
import { scheduleQuery } from './schedule.api.ts'
import { ScheduleActions } from './schedule-actions.tsx'
import styles from './schedule-detail.module.css'
import { LastRun, Timing } from './schedule-facts.tsx'
import { ScheduleRuns } from './schedule-runs.tsx'

function Detail({ schedule }: { schedule: ScheduleDetail }) {
  const { name, title, enabled, pausedBy, pausedAt, pausedReason } = schedule
  return (
    <div className={styles.detail}>
      <div className={styles.head}>
        <div className={styles.what}>
          <h2 className={styles.title}>
            {title}
            <StatusBadge meaning={enabled ? 'green' : 'amber'}>{activeWord(schedule)}</StatusBadge>
          </h2>
          <p className={styles.name}>{name}</p>
        </div>
        <ScheduleActions schedule={schedule} />
      </div>
      {!enabled && (
        <Banner kind="amber">
          Paused by {pausedBy ?? 'a worker'} on <Moment at={pausedAt} />: {pausedReason}
        </Banner>
      )}
      <div className={styles.two}>
        <Timing schedule={schedule} />
        <LastRun schedule={schedule} />
      </div>
      <ScheduleRuns name={name} />
    </div>
  )
}

/** One schedule: when it runs, and how its runs went. */
export function ScheduleView({ name }: { name: string }) {
  const query = useQuery(scheduleQuery(name))
  return (
    <QueryView query={query} failure="This schedule could not be loaded">
      {(schedule) => <Detail schedule={schedule} />}
    </QueryView>
  )
}
