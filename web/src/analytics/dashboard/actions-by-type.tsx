import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { IconChartBar } from '@tabler/icons-react'
import { BarList } from '#ui/charts/bar-list.tsx'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { actionLabel } from '../action-label.ts'
import { shareText } from '../labels.ts'
import styles from './dashboard.module.css'

const SHOWN = 8

/** Event counts by action type, most frequent first. */
export function ActionsByType({ dashboard: { actions } }: { dashboard: Dashboard }) {
  const all = actions.types.reduce((sum, { count }) => sum + count, 0)
  const left = actions.by_type.length - SHOWN
  return (
    <ChartFrame
      title="Actions by type"
      kind="bars"
      file="actions-by-type"
      table={{
        heads: ['Action', 'Action type', 'Events', 'Share'],
        rows: actions.by_type.map(({ type, count }) => [actionLabel(type), type, count, shareText(count, all)]),
      }}
    >
      {actions.by_type.length === 0 ? (
        <EmptyState icon={IconChartBar} title="No actions in this period" />
      ) : (
        <>
          <BarList
            rows={actions.by_type.slice(0, SHOWN).map(({ type, count }) => ({
              label: actionLabel(type),
              title: type,
              value: count,
              note: shareText(count, all),
            }))}
          />
          {left > 0 && <p className={styles.more}>and {left} more in the table</p>}
        </>
      )}
    </ChartFrame>
  )
}
