import { formatMinutes } from '@limber/contract/kit/formats/numbers.ts'
import { customerRanks, type PromiseDraft, type PromiseKind } from '@limber/contract/support/promises/promise.ts'
import { NativeSelect } from '@mantine/core'
import { useField } from '#ui/form/form-state.ts'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { priorityOptions } from '../tickets/priority-labels.ts'
import styles from './promises.module.css'

const HOUR = 60
const choices = [15, 30, HOUR, 90, ...[2, 3, 4, 6, 8, 12, 16, 24, 32, 40].map((hours) => hours * HOUR)]

/** The usual targets, and the one that is set. */
const optionsFor = (value: number | null) => [
  { value: '', label: 'None' },
  ...[...new Set(value === null ? choices : [...choices, value])]
    .toSorted((a, b) => a - b)
    .map((minutes) => ({ value: String(minutes), label: formatMinutes(minutes) })),
]

/** Targets of one kind of response: a row for each priority, a column for each rank. */
export function TargetsField({ name, kind, title }: { name: string; kind: PromiseKind; title: string }) {
  const { value, set } = useField<PromiseDraft['targets'] | undefined>(name, title, undefined)
  if (!value) return null
  const change = (priority: 'high' | 'medium' | 'low', rank: (typeof customerRanks)[number], minutes: number | null) =>
    set({ ...value, [kind]: { ...value[kind], [priority]: { ...value[kind][priority], [rank]: minutes } } })
  return (
    <div className={styles.targets}>
      <h3>{title}</h3>
      <PlainTable label={title}>
        <thead>
          <tr>
            <th>Priority</th>
            {customerRanks.map((rank) => (
              <th key={rank}>{rank}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {priorityOptions.map(({ value: priority, label }) => (
            <tr key={priority}>
              <th scope="row" className={styles.priority}>
                {label}
                <span className={styles.word}> priority</span>
              </th>
              {customerRanks.map((rank) => {
                const target = value[kind][priority][rank]
                return (
                  <td key={rank} className={styles.target} data-rank={rank}>
                    <NativeSelect
                      aria-label={`${title}, ${label} priority, ${rank}`}
                      data={optionsFor(target)}
                      value={target === null ? '' : String(target)}
                      onChange={({ currentTarget }) =>
                        change(priority, rank, currentTarget.value === '' ? null : Number(currentTarget.value))
                      }
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  )
}
