import { companyDay } from '@limber/contract/kit/company.ts'
import { federalHolidays } from '@limber/contract/kit/federal-holidays.ts'
import { type Holiday, MAX_HOLIDAYS } from '@limber/contract/support/promises/promise.ts'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconFlag, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { now } from '#platform/clock.ts'
import { useField } from '#ui/form/form-state.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './promises.module.css'

const byDay = (a: Holiday, b: Holiday) => a.day.localeCompare(b.day)

/** This year's and next year's federal holidays that are still to come. */
function upcomingFederal(): Holiday[] {
  const today = companyDay(now())
  const year = Number(today.slice(0, 4))
  return [year, year + 1, year + 2]
    .flatMap(federalHolidays)
    .filter(({ day }) => day >= today && Number(day.slice(0, 4)) <= year + 1)
}

/** Days on which the desk is closed. */
export function HolidaysField({ name }: { name: string }) {
  const { value, error, set } = useField<Holiday[]>(name, 'The list', [])
  const [day, setDay] = useState('')
  const [title, setTitle] = useState('')
  const missing = upcomingFederal().filter((one) => !value.some((known) => known.day === one.day))
  const add = (added: readonly Holiday[]) =>
    set([...value.filter((known) => !added.some((one) => one.day === known.day)), ...added].toSorted(byDay))
  const isFull = value.length >= MAX_HOLIDAYS
  const isReady = day !== '' && title.trim() !== '' && !isFull
  const addTyped = () => {
    if (!isReady) return
    add([{ day, name: title.trim() }])
    setDay('')
    setTitle('')
  }
  return (
    <>
      {value.length === 0 ? (
        <p className={styles.hint}>No holidays yet. Promises do not run on a holiday.</p>
      ) : (
        <ul className={styles.holidays}>
          {value.map((holiday) => (
            <li key={holiday.day}>
              <span className={styles.date}>{dayText(holiday.day)}</span>
              <span className={styles.name}>{holiday.name}</span>
              <ActionIcon
                size={28}
                aria-label={`Remove ${holiday.name}, ${dayText(holiday.day)}`}
                onClick={() => set(value.filter((one) => one.day !== holiday.day))}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.add}>
        <TextInput
          type="date"
          aria-label="Date of the holiday"
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        <TextInput
          aria-label="Name of the holiday"
          placeholder="Name"
          maxLength={60}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            addTyped()
          }}
        />
        <Button variant="default" leftSection={<Icon of={IconPlus} />} disabled={!isReady} onClick={addTyped}>
          Add holiday
        </Button>
        <Button
          variant="default"
          leftSection={<Icon of={IconFlag} />}
          disabled={missing.length === 0 || value.length + missing.length > MAX_HOLIDAYS}
          onClick={() => add(missing)}
        >
          Add US federal holidays
        </Button>
      </div>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </>
  )
}
