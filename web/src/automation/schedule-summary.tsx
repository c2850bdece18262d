import type { Schedule } from '@limber/contract/automation/schedule.ts'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { Moment } from '#ui/format/moment.tsx'
import { MasterSummary, SummaryList } from '#ui/layout/master-summary.tsx'

const NEXT = 6

const nameOf = ({ name, title }: Schedule) => (
  <Link {...linkTo('/worker/tech/automation', { schedule: name })}>{title}</Link>
)

/** What failed, what is paused and what runs next. */
export function ScheduleSummary({ schedules }: { schedules: readonly Schedule[] }) {
  const failed = schedules.filter(({ lastRun }) => lastRun?.state === 'failed')
  const paused = schedules.filter(({ enabled }) => !enabled)
  const next = schedules
    .filter(({ nextRun }) => nextRun !== null)
    .sort((one, other) => String(one.nextRun).localeCompare(String(other.nextRun)))
  return (
    <MasterSummary title="Select a schedule" hint="to see its runs, and to run or pause it.">
      {schedules.length > 0 && (
        <>
          <SummaryList
            title="Last run failed"
            rows={failed.map((one) => ({
              id: one.name,
              name: nameOf(one),
              value: <Moment at={one.lastRun?.endedAt ?? one.lastRun?.dueAt ?? null} form="relative" />,
              note: one.lastRun?.error,
            }))}
            none="The last run of every schedule was completed."
          />
          <SummaryList
            title="Paused"
            rows={paused.map((one) => ({
              id: one.name,
              name: nameOf(one),
              value: one.pausedAt && <Moment at={one.pausedAt} form="day" />,
              note: `${one.pausedBy ?? 'A worker'}: ${one.pausedReason}`,
            }))}
            none="No schedule is paused."
          />
          <SummaryList
            title="Next runs"
            rows={next.slice(0, NEXT).map((one) => ({
              id: one.name,
              name: nameOf(one),
              value: <Moment at={one.nextRun} />,
              note: one.words,
            }))}
            none="Nothing is scheduled to run."
          />
        </>
      )}
    </MasterSummary>
  )
}
