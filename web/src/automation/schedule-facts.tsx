import type { ScheduleDetail } from '@limber/contract/automation/schedule.ts'
import { formatDuration } from '@limber/contract/kit/formats/numbers.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { startedBy, stateLabels, stateMeaning } from './run-labels.ts'
import styles from './schedule-detail.module.css'

export function Timing({ schedule }: { schedule: ScheduleDetail }) {
  const { cron, words, zone, nextRuns } = schedule
  return (
    <SectionCard title="When it runs">
      <Facts>
        <Facts.Row label="Runs">
          {words} {words !== cron && <span className={styles.cron}>{cron}</span>}
        </Facts.Row>
        <Facts.Row label="Time zone">{zone}</Facts.Row>
        <Facts.Row label="Next three runs">
          {nextRuns.length === 0 ? (
            'None while inactive'
          ) : (
            <span className={styles.moments}>
              {nextRuns.map((at) => (
                <Moment key={at} at={at} />
              ))}
            </span>
          )}
        </Facts.Row>
      </Facts>
    </SectionCard>
  )
}

/** The newest run, and the last error even if a later run succeeded. */
export function LastRun({ schedule: { lastRun, lastError } }: { schedule: ScheduleDetail }) {
  return (
    <SectionCard title="Last run">
      {lastRun ? (
        <Facts>
          <Facts.Row label="Started">
            <Moment key={lastRun.id} at={lastRun.startedAt} form="relative" absent="Not yet" />
          </Facts.Row>
          <Facts.Row label="Started by">{startedBy(lastRun)}</Facts.Row>
          <Facts.Row label="Status">
            <StatusDot meaning={stateMeaning[lastRun.state]}>{stateLabels[lastRun.state]}</StatusDot>
          </Facts.Row>
          <Facts.Row label="Duration">{formatDuration(lastRun.duration)}</Facts.Row>
          <Facts.Row label="Last error">
            {lastError ? (
              <span>
                <span className={styles.error}>{lastError.text}</span> <Moment at={lastError.at} form="relative" />
              </span>
            ) : (
              'None'
            )}
          </Facts.Row>
        </Facts>
      ) : (
        <p className={styles.line}>No runs yet.</p>
      )}
    </SectionCard>
  )
}
