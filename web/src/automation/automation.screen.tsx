import { exportSchedules } from '@limber/contract/automation/schedule.ts'
import { IconClockCog } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { automationKey, schedulesQuery } from './schedule.api.ts'
import { ScheduleView } from './schedule-detail.tsx'
import { ScheduleList } from './schedule-list.tsx'

export const Search = z.object({ schedule: z.string().max(64).catch('') })

const nothing = (
  <EmptyState icon={IconClockCog} title="Select a schedule">
    See when it runs and how its last runs went, and run or pause it.
  </EmptyState>
)

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
        placeholder={nothing}
        onBack={() => change({ schedule: '' })}
      />
    </>
  )
}
