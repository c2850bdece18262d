import type { Schedule } from '@limber/contract/automation/schedule.ts'
import { IconClockCog } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { activeLabel } from './run-labels.ts'
import { schedulesQuery } from './schedule.api.ts'
import styles from './schedule-list.module.css'

function Row({ schedule, isOpen }: { schedule: Schedule; isOpen: boolean }) {
  const { name, title, enabled, nextRun, pausedBy, pausedReason, lastRun } = schedule
  return (
    <MasterRow<'/worker/tech/automation'> search={{ schedule: name }} isOpen={isOpen}>
      <span className={styles.title}>{title}</span>
      <span className={styles.meta}>
        <StatusDot meaning={enabled ? 'green' : 'amber'}>{activeLabel(schedule)}</StatusDot>
      </span>
      <span className={styles.line}>
        <span className={styles.name}>{name}</span>
        {nextRun ? (
          <span>
            Next <Moment at={nextRun} />
          </span>
        ) : (
          'No next run'
        )}
      </span>
      {!enabled && (
        <span className={styles.why}>
          {pausedBy ?? 'A worker'}: {pausedReason}
        </span>
      )}
      {lastRun?.state === 'failed' && (
        <span className={styles.why}>
          <StatusDot meaning="red">Last run failed</StatusDot>
        </span>
      )}
    </MasterRow>
  )
}

export function ScheduleList({ open }: { open: string }) {
  const query = useQuery(schedulesQuery)
  return (
    <QueryView
      query={query}
      failure="Couldn't load schedules"
      isEmpty={(schedules) => schedules.length === 0}
      empty={
        <EmptyState icon={IconClockCog} title="No schedules yet">
          Schedules appear here once the background worker has started.
        </EmptyState>
      }
    >
      {(schedules) => schedules.map((one) => <Row key={one.name} schedule={one} isOpen={one.name === open} />)}
    </QueryView>
  )
}
