import type { LeadDetail, LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { now } from '#platform/clock.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import styles from './lead-detail.module.css'
import { spanText, statusLabels, statusMeaning } from './lead-labels.ts'

const MINUTE = 60_000

/** Final statuses show no running duration. */
const isEnd = (status: LeadStatus) => status === 'converted' || status === 'not_interested'

/** The status history, newest first, with the time spent in each status. */
export function LeadSteps({ lead }: { lead: LeadDetail }) {
  return (
    <ol className={styles.steps}>
      {lead.steps.toReversed().map((step) => {
        const end = step.leftAt ? Date.parse(step.leftAt) : now().getTime()
        return (
          <li key={step.id} className={styles.step}>
            <StatusDot meaning={statusMeaning[step.status]}>{statusLabels[step.status]}</StatusDot>
            {!(step.leftAt === null && isEnd(step.status)) && (
              <span className={styles.stay}>
                {spanText((end - Date.parse(step.enteredAt)) / MINUTE)}
                {step.leftAt === null && ' so far'}
              </span>
            )}
            <span className={styles.when}>
              <Moment at={step.enteredAt} />
              {step.worker && `, ${step.worker}`}
              {step.reason && `: ${step.reason}`}
              {step.endedByMerge && ', ended by merge'}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
