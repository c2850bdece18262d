import type { ScheduleDetail, ScheduleRun } from '@limber/contract/automation/schedule.ts'
import { formatDuration } from '@limber/contract/kit/formats/numbers.ts'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { outcomeText, startedBy, stateLabels, stateMeaning } from './run-labels.ts'
import { scheduleQuery } from './schedule.api.ts'
import styles from './schedule-detail.module.css'

const columns: Column<ScheduleRun>[] = [
  { key: 'due', title: 'Due', cell: ({ dueAt }) => <Moment at={dueAt} /> },
  {
    key: 'state',
    title: 'Status',
    cell: ({ state }) => <StatusDot meaning={stateMeaning[state]}>{stateLabels[state]}</StatusDot>,
  },
  { key: 'duration', title: 'Duration', isRight: true, cell: ({ duration }) => formatDuration(duration) },
  { key: 'by', title: 'Started by', cell: startedBy },
  {
    key: 'outcome',
    title: 'Result',
    cell: (run) => (
      <span className={styles.outcome}>
        {outcomeText(run) || '--'}
        {run.tries > 1 && ` (${run.tries} attempts)`}
      </span>
    ),
  },
]

const pageOf = ({ runs }: ScheduleDetail): TablePage<ScheduleRun> => ({ rows: runs, totalItems: runs.length })

export function ScheduleRuns({ name }: { name: string }) {
  const query = useQuery({ ...scheduleQuery(name), select: pageOf })
  return (
    <SectionCard title="Last 20 runs" isFlush>
      <DataTable
        label="Runs, newest first"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        density="tight"
        empty={
          <EmptyState icon={IconHistory} title="No runs yet">
            Each run appears here with its duration and result.
          </EmptyState>
        }
      />
    </SectionCard>
  )
}
