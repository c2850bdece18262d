import { IconChartBar } from '@tabler/icons-react'
import { EmptyState } from '#ui/empty-state.tsx'

/** What stands here while no learner has done anything. */
export default function AnalyticsTab() {
  return (
    <EmptyState icon={IconChartBar} title="Analytics">
      Analytics is still to be implemented: there are no figures of learners yet.
    </EmptyState>
  )
}
