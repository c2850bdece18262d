import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { formatHour, formatWeekday } from '@limber/contract/kit/formats/dates.ts'
import { holidayOn } from '@limber/contract/kit/holidays.ts'
import { VisuallyHidden } from '@mantine/core'
import {
  type CSSProperties,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { scrollByKeys } from '#ui/keyboard/scroll-by-keys.ts'
import { useRowNavigation } from '#ui/table/row-navigation.ts'
import { DayPlan } from '../planner/day-plan.tsx'
import { liftSession } from '../planner/plan.ts'
import { useGridPointer } from '../planner/use-grid-pointer.ts'
import type { Planner } from '../planner/use-planner.ts'
import { layOutDay, type PlacedSpan } from './lay-out.ts'
import { clockNames, hoursOf, type NowLine, nowLines, type Placed, placeOf, zonesOf } from './place-sessions.ts'
import { SessionCard } from './session-card.tsx'
import { useMinute } from './use-minute.ts'
import { dayName, dayNumber } from './week.ts'
import styles from './week-grid.module.css'

const HOUR_HEIGHT = 52
/** Where an empty week begins. */
const EIGHT = 8
/** Lifts the session that has the focus. */
const MOVE_KEY = 'm'
/** Wide enough for the times, names and slots of a session. */
const LANE_WIDTH = 100
/** A day without sessions leaves room to the others. */
const EMPTY_DAY = { width: 70, share: 0.7 }

interface ColumnProps {
  day: string
  laid: readonly PlacedSpan<Placed>[]
  lines: readonly NowLine[]
  firstHour: number
  isZoneNamed: boolean
  holiday: 'federal' | 'state' | undefined
  planner: Planner
  onOpen: (id: number) => void
}

function DayColumn({ day, laid, lines, firstHour, isZoneNamed, holiday, planner, onOpen }: ColumnProps) {
  const topOf = (minute: number) => ((minute - firstHour * 60) * HOUR_HEIGHT) / 60
  const boxOf = ({ from, to, lane, lanes }: PlacedSpan<Placed>): CSSProperties => ({
    top: topOf(from) + 1,
    height: topOf(to) - topOf(from) - 2,
    left: `calc(${(lane * 100) / lanes}% + 2px)`,
    width: `calc(${100 / lanes}% - 4px)`,
  })
  return (
    <div className={styles.day} data-day={day} data-today={lines.length > 0 || undefined} data-holiday={holiday}>
      <ul aria-label={dayName(day)}>
        {laid.map((one) => (
          <li key={one.session.id} className={styles.place} style={boxOf(one)} {...dragOf(one.session, planner)}>
            <SessionCard
              session={one.session}
              kind="block"
              isZoneNamed={isZoneNamed}
              isMovable={liftSession(one.session) !== undefined}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
      <DayPlan day={day} planner={planner} topOf={topOf} />
      {lines.map(({ minute, name }) => (
        <div key={name} className={styles.now} style={{ top: topOf(minute) }} data-now={name}>
          {isZoneNamed && <span>{name}</span>}
        </div>
      ))}
    </div>
  )
}

/** A session that can move is dragged by its card. */
function dragOf(session: CalendarSession, { lift, putBack }: Planner) {
  const lifted = liftSession(session)
  return (
    lifted && {
      draggable: true,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        dataTransfer.effectAllowed = 'move'
        dataTransfer.setData('text/plain', String(session.id))
        // Chrome ends the drag at once if the page changes while it begins.
        setTimeout(() => lift(lifted))
      },
      // A refused drop leaves it lifted, with the reasons.
      onDragEnd: ({ dataTransfer }: DragEvent) => dataTransfer.dropEffect === 'none' && putBack(),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== MOVE_KEY || !isPageKey(event.nativeEvent)) return
        event.preventDefault()
        lift(lifted)
      },
    }
  )
}

interface Props {
  /** The seven days of a week, or one of them where there is no room. */
  days: readonly string[]
  planner: Planner
  sessions: readonly CalendarSession[]
  onOpen: (id: number) => void
}

/** Days as a grid: a column per day, and sessions as tall as they are long in their time zones. */
export function WeekGrid({ days: shown, planner, sessions, onOpen }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  useRowNavigation(grid)
  useEffect(() => scrollByKeys(grid.current), [])
  const now = useMinute()
  const timeZones = zonesOf(sessions)
  const placed = sessions.filter(({ day }) => shown.includes(day)).map(placeOf)
  const { first, last } = hoursOf(placed)
  const hours = Array.from({ length: last - first }, (_, nth) => first + nth)
  useGridPointer(grid, first, HOUR_HEIGHT, {
    onClick: planner.drop,
    onOver: (spot) => planner.lifted && planner.point(spot),
    onDrop: planner.drop,
  })
  const lines = nowLines(timeZones, now)
  const days = shown.map((day) => ({
    day,
    laid: layOutDay(placed.filter(({ session }) => session.day === day)),
    lines: lines.filter((line) => line.day === day),
    holiday: holidayOn(day),
  }))
  const columns = days.map(({ laid, holiday }) => {
    const lanes = Math.max(0, ...laid.map((one) => one.lanes))
    if (days.length === 1) return 'minmax(0, 1fr)'
    return `minmax(${lanes * LANE_WIDTH || EMPTY_DAY.width}px, ${lanes || (holiday ? 1 : EMPTY_DAY.share)}fr)`
  })
  // Scroll to an hour above the first session of these days. Later changes do not scroll.
  const [firstDay] = shown
  const goToFirst = useEffectEvent(() => {
    const hour = placed.length === 0 ? EIGHT : Math.min(...placed.map(({ from }) => from)) / 60
    if (grid.current) grid.current.scrollTop = Math.max(0, hour - 1 - first) * HOUR_HEIGHT
  })
  useLayoutEffect(() => {
    if (firstDay) goToFirst()
  }, [firstDay])
  const isVisible = ({ minute }: NowLine) => minute >= first * 60 && minute <= last * 60
  return (
    <div className={styles.scroll} ref={grid}>
      <div
        className={styles.grid}
        style={
          {
            gridTemplateColumns: `52px ${columns.join(' ')}`,
            '--hours': hours.length,
            '--hour': `${HOUR_HEIGHT}px`,
          } as CSSProperties
        }
      >
        <div className={styles.corner}>{timeZones.length === 1 && clockNames(sessions)}</div>
        {days.map((one) => (
          <h3
            key={one.day}
            className={styles.head}
            data-today={one.lines.length > 0 || undefined}
            data-holiday={one.holiday?.kind}
          >
            {formatWeekday(one.day)} <span className={styles.number}>{dayNumber(one.day)}</span>
            {one.lines.length > 0 && <VisuallyHidden>, today</VisuallyHidden>}
            {one.holiday && (
              <span className={styles.holiday} title={one.holiday.name}>
                {one.holiday.name}
              </span>
            )}
          </h3>
        ))}
        <div className={styles.hours} aria-hidden>
          {hours.map((hour) => (
            <span key={hour}>{formatHour(hour)}</span>
          ))}
        </div>
        {days.map((one) => (
          <DayColumn
            key={one.day}
            day={one.day}
            laid={one.laid}
            lines={one.lines.filter(isVisible)}
            firstHour={first}
            isZoneNamed={timeZones.length > 1}
            holiday={one.holiday?.kind}
            planner={planner}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  )
}
