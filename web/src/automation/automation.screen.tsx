import { exportSchedules } from '@limber/contract/automation/schedule.ts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { automationKey, schedulesQuery } from './schedule.api.ts'
import { ScheduleView } from './schedule-detail.tsx'
import { ScheduleList } from './schedule-list.tsx'
import { ScheduleSummary } from './schedule-summary.tsx'

export const Search = z.object({ schedule: z.string().max(64).catch('') })

export default function Automation() {
  useLiveRefresh('automation', automationKey)
  const [{ schedule }, change] = useSearchState(Search)
  const { data } = useQuery(schedulesQuery)
  const active = data?.filter(({ enabled }) => enabled).length ?? 0
  return (
    <>
      <PageHead
        title="System Automation"
        actions={<ExportButton call={exportSchedules} total={data?.length} />}
        isOneLine
      >
        Scheduled background work{data && `: ${active} active, ${data.length - active} inactive`}.
      </PageHead>
      <MasterDetail
        listName="Schedules"
        list={<ScheduleList open={schedule} />}
        detail={schedule ? <ScheduleView key={schedule} name={schedule} /> : null}
        placeholder={<ScheduleSummary schedules={data ?? []} />}
        onBack={() => change({ schedule: '' })}
      />
    </>
  )
}
