import { formatDuration } from '@limber/contract/kit/formats/numbers.ts'
import type { HealthCheck } from '@limber/contract/tech/health/health.ts'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import styles from './health.module.css'
import { statusLabels, statusMeaning } from './health-labels.ts'
import { HealthStrip } from './health-strip.tsx'
import { HealthTitle } from './health-title.tsx'

/** Timestamps in facts are formatted like all others. */
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** One system component: its status and its last 24 hours. */
export function HealthCard({ check }: { check: HealthCheck }) {
  const { name, status, summary, facts, latency, since, lastError, history } = check
  const needsAttention = status === 'down' || status === 'warning'
  return (
    <section className={styles.card} aria-labelledby={`health-${name}`} data-status={status}>
      <div className={styles.head}>
        <h2 className={styles.title} id={`health-${name}`}>
          <HealthTitle check={check} />
        </h2>
        <StatusBadge meaning={statusMeaning[status]}>{statusLabels[status]}</StatusBadge>
      </div>
      <p className={styles.summary}>{summary}</p>
      <p className={styles.since}>
        {statusLabels[status]} since <Moment key={since} at={since} form="relative" />
        {latency !== null && `, checked in ${formatDuration(latency)}`}
      </p>
      <HealthStrip history={history} />
      {facts.length > 0 && (
        <Facts>
          {facts.map(({ label, value }) => (
            <Facts.Row key={label} label={label}>
              <span className={styles.value}>{INSTANT.test(value) ? <Moment at={value} /> : value}</span>
            </Facts.Row>
          ))}
        </Facts>
      )}
      {lastError && !needsAttention && (
        <p className={styles.since}>
          Last problem <Moment at={lastError.at} form="relative" />: {lastError.text}
        </p>
      )}
    </section>
  )
}
