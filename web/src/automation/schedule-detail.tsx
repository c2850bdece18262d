import type { ScheduleDetail } from '@limber/contract/automation/schedule.ts'
import { useQuery } from '@tanstack/react-query'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { DetailColumns, DetailHead, DetailPane } from '#ui/layout/detail-pane.tsx'
import { activeLabel } from './run-labels.ts'
import { scheduleQuery } from './schedule.api.ts'
import { ScheduleActions } from './schedule-actions.tsx'
import { LastRun, Timing } from './schedule-facts.tsx'
import { ScheduleRuns } from './schedule-runs.tsx'

function Detail({ schedule }: { schedule: ScheduleDetail }) {
  const { name, title, enabled, pausedBy, pausedAt, pausedReason } = schedule
  return (
    <DetailPane>
      <DetailHead
        title={title}
        badges={<StatusBadge meaning={enabled ? 'green' : 'amber'}>{activeLabel(schedule)}</StatusBadge>}
        sub={name}
        actions={<ScheduleActions schedule={schedule} />}
      />
      {!enabled && (
        <Banner kind="amber">
          Paused by {pausedBy ?? 'a worker'} on <Moment at={pausedAt} />: {pausedReason}
        </Banner>
      )}
      <DetailColumns kind="even">
        <Timing schedule={schedule} />
        <LastRun schedule={schedule} />
      </DetailColumns>
      <ScheduleRuns name={name} />
    </DetailPane>
  )
}

export function ScheduleView({ name }: { name: string }) {
  const query = useQuery(scheduleQuery(name))
  return (
    <QueryView query={query} failure="Couldn't load this schedule">
      {(schedule) => <Detail schedule={schedule} />}
    </QueryView>
  )
}
