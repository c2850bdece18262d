import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { formatWeekday } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { holidayOn } from '@limber/contract/kit/holidays.ts'
import { VisuallyHidden } from '@mantine/core'
import styles from './day-strip.module.css'
import { dayName, dayNumber, daysOf } from './week.ts'

const MAX_DOTS = 3

interface Props {
  monday: string
  day: string
  sessions: readonly CalendarSession[]
  onDay: (day: string) => void
}

/** The days of the week in a narrow window, with a dot per session. One of them is shown. */
export function DayStrip({ monday, day, sessions, onDay }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: seven buttons of a toolbar
    <div className={styles.strip} role="group" aria-label="Day">
      {daysOf(monday).map((one) => {
        const theirs = sessions.filter((session) => session.day === one)
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === day}
            data-holiday={holidayOn(one) !== undefined || undefined}
            onClick={() => onDay(one)}
          >
            <VisuallyHidden>
              {dayName(one)}, {pluralize(theirs.length, 'session')}
            </VisuallyHidden>
            <span aria-hidden>{formatWeekday(one).charAt(0)}</span>
            <b aria-hidden>{dayNumber(one)}</b>
            <span className={styles.dots}>
              {theirs.slice(0, MAX_DOTS).map(({ id }) => (
                <i key={id} />
              ))}
            </span>
          </button>
        )
      })}
    </div>
  )
}
