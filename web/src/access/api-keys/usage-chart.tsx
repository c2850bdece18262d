import type { ApiKeyUsage } from '@limber/contract/access/api-keys/api-key.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Tooltip } from '@mantine/core'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { dayText } from '#ui/format/day-text.ts'
import styles from './api-keys.module.css'

type Day = ApiKeyUsage['days'][number]

const barLabel = ({ day, calls, errors }: Day) =>
  `${dayText(day)}: ${pluralize(calls, 'call')}, ${pluralize(errors, 'error')}`

function summary(days: readonly Day[], worst: Day | undefined): string {
  const calls = days.map((each) => each.calls)
  const range = `between ${formatInteger(Math.min(...calls))} and ${formatInteger(Math.max(...calls))}`
  return `Calls per day for ${days.length} days, ${range}${worst ? `; most errors on ${barLabel(worst)}` : ''}`
}

/** The calls of 30 days, with the errors among them. */
export function UsageChart({ name, days }: { name: string; days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ calls }) => calls))
  const worst = days.filter(({ errors }) => errors > 0).toSorted((a, b) => b.errors - a.errors)[0]
  const table = {
    heads: ['Day', 'Calls', 'Errors'],
    rows: days.map(({ day, calls, errors }) => [dayText(day), calls, errors]),
    keys: days.map(({ day }) => day),
  }
  return (
    <ChartFrame
      title="Calls per day"
      kind="bars"
      legend={[
        { label: 'calls', series: 1 },
        { label: 'errors', series: 2 },
      ]}
      table={table}
      file={`api-calls-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`}
    >
      <div className={styles.bars} role="img" aria-label={summary(days, worst)}>
        {days.map((each) => (
          <Tooltip key={each.day} label={barLabel(each)}>
            <div className={styles.slot}>
              <div className={styles.bar} style={{ height: `${(each.calls / most) * 100}%` }}>
                {each.errors > 0 && (
                  <div className={styles.errors} style={{ height: `${(each.errors / each.calls) * 100}%` }} />
                )}
              </div>
            </div>
          </Tooltip>
        ))}
      </div>
      <div className={styles.axis}>
        <span>{dayText(days[0]?.day)}</span>
        {worst && (
          <span>
            {dayText(worst.day)}: {pluralize(worst.errors, 'error')}
          </span>
        )}
        <span>{dayText(days.at(-1)?.day)}</span>
      </div>
    </ChartFrame>
  )
}
