import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { formatWeekday } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { holidayOn } from '@limber/contract/kit/holidays.ts'
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
  const holiday = holidayOn(day)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: seven buttons of a toolbar */}
      <div className={styles.strip} role="group" aria-label="Day">
        {daysOf(monday).map((one) => {
          const theirs = sessions.filter((session) => session.day === one)
          return (
            <button
              key={one}
              type="button"
              aria-label={`${dayName(one)}, ${pluralize(theirs.length, 'session')}`}
              aria-pressed={one === day}
              data-holiday={holidayOn(one) !== undefined || undefined}
              onClick={() => onDay(one)}
            >
              <span>{formatWeekday(one).charAt(0)}</span>
              <b>{dayNumber(one)}</b>
              <span className={styles.dots}>
                {theirs.slice(0, MAX_DOTS).map(({ id }) => (
                  <i key={id} />
                ))}
              </span>
            </button>
          )
        })}
      </div>
      {holiday && (
        <p className={styles.note}>
          {holiday.name} is a {holiday.kind} holiday. Businesses may be closed.
        </p>
      )}
    </>
  )
}
