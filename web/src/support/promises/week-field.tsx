import type { PromiseDraft } from '@limber/contract/support/promises/promise.ts'
import { Checkbox, Switch, TextInput } from '@mantine/core'
import { use } from 'react'
import { FormContext, useField } from '#ui/form/form-state.ts'
import styles from './promises.module.css'

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
// From Monday on, as people think of opening hours.
const order = [1, 2, 3, 4, 5, 6, 0]
const usual = { from: '09:00', to: '17:00' }

type Day = PromiseDraft['week'][number]

interface DayProps {
  name: string
  day: Day
  problem: string | undefined
  onChange: (day: Day) => void
}

function DayRow({ name, day, problem, onChange }: DayProps) {
  const isToMidnight = day?.to === '24:00'
  return (
    <li className={styles.day}>
      <Switch
        label={name}
        checked={day !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? usual : null)}
      />
      {day ? (
        <div className={styles.hours}>
          <TextInput
            type="time"
            aria-label={`${name}, opens`}
            value={day.from}
            onChange={({ currentTarget }) => onChange({ ...day, from: currentTarget.value })}
          />
          <span aria-hidden="true">to</span>
          <TextInput
            type="time"
            aria-label={`${name}, closes`}
            value={isToMidnight ? '' : day.to}
            disabled={isToMidnight}
            error={problem}
            onChange={({ currentTarget }) => onChange({ ...day, to: currentTarget.value })}
          />
          <Checkbox
            label="Until midnight"
            aria-label={`${name}, until midnight`}
            checked={isToMidnight}
            onChange={({ currentTarget }) => onChange({ ...day, to: currentTarget.checked ? '24:00' : usual.to })}
          />
        </div>
      ) : (
        <span className={styles.closed}>Closed</span>
      )}
    </li>
  )
}

/** Business hours for each day of the week. */
export function WeekField({ name, zone }: { name: string; zone: string }) {
  const { value, error, set } = useField<PromiseDraft['week']>(name, 'The week', [])
  const problems = use(FormContext)?.problems ?? {}
  const problemOf = (at: number) => {
    const text = problems[`${name}.${at}.to`] ?? problems[`${name}.${at}.from`]
    return text && `The time ${text}.`
  }
  return (
    <>
      <p className={styles.hint}>In the time zone of the company, {zone.replaceAll('_', ' ')}.</p>
      <ul className={styles.week}>
        {order.map((at) => (
          <DayRow
            key={at}
            name={days[at] ?? ''}
            day={value[at] ?? null}
            problem={problemOf(at)}
            onChange={(day) => set(value.map((one, place) => (place === at ? day : one)))}
          />
        ))}
      </ul>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </>
  )
}
