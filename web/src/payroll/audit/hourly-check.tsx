import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { checkQuery } from './audit.api.ts'
import styles from './tax-audit.module.css'

/** The last result of the hourly check, and when it runs next. */
export function HourlyCheck() {
  const { data, isError } = useQuery(checkQuery)
  if (isError && !data) return <p className={styles.check}>Couldn't load the hourly check.</p>
  if (!data) return <p className={styles.check} />
  const { state, result, checked_at, next_check_at, fixed_since } = data
  const significant = result?.significant ?? 0
  const warnings = result?.warnings ?? 0
  const found = state === 'failed' || significant > 0 ? 'red' : warnings > 0 ? 'amber' : 'green'
  return (
    <p className={styles.check}>
      <StatusDot meaning={state === 'done' && fixed_since ? 'plain' : found}>Hourly check</StatusDot>{' '}
      <span>
        {state === 'running' && 'running, started'}
        {state === 'failed' && 'failed'}
        {state === 'done' &&
          (significant + warnings === 0
            ? 'found no discrepancies'
            : `found ${formatInteger(significant)} significant, ${pluralize(warnings, 'warning')}`)}{' '}
        at <Moment at={checked_at} form="time" />
        {fixed_since && ', before the latest fix'}, next at <Moment at={next_check_at} form="time" />
      </span>
    </p>
  )
}
