import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { useRef } from 'react'
import { useRowNavigation } from '#ui/table/row-navigation.ts'
import styles from './agenda.module.css'
import { zonesOf } from './place-sessions.ts'
import { SessionCard } from './session-card.tsx'
import { useMinute } from './use-minute.ts'
import { dayName } from './week.ts'

interface Props {
  sessions: readonly CalendarSession[]
  onOpen: (id: number) => void
}

/** The days of a week that have sessions, as a list. */
export function Agenda({ sessions, onOpen }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useRowNavigation(list)
  const now = useMinute()
  const timeZones = zonesOf(sessions)
  const todays = new Set(timeZones.map((zone) => dayIn(zone, now)))
  const days = [...Map.groupBy(sessions, ({ day }) => day)].toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <div ref={list}>
      {days.map(([day, theirs]) => (
        <section key={day} className={styles.day} aria-label={dayName(day)}>
          <h3 className={styles.head} data-today={todays.has(day) || undefined}>
            {dayName(day)}
            {todays.has(day) && <span className={styles.today}>Today</span>}
            <span className={styles.count}>{pluralize(theirs.length, 'session')}</span>
          </h3>
          <ul>
            {theirs.map((session) => (
              <li key={session.id} className={styles.item}>
                <SessionCard session={session} kind="line" isZoneNamed={timeZones.length > 1} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
