import { KeyCap } from '#ui/layout/key-cap.tsx'
import { clockOf } from './plan.ts'
import styles from './planner.module.css'
import type { Planner } from './use-planner.ts'

interface Props {
  day: string
  planner: Planner
  /** The distance of a minute of the day from the top. */
  topOf: (minute: number) => number
}

/** On one day of the week: what is being placed, and the starts that would work. */
export function DayPlan({ day, planner: { lifted, spot, fit, suggestions, refusals }, topOf }: Props) {
  if (!lifted) return null
  const boxOf = (minute: number) => {
    const to = Math.min(24 * 60, minute + lifted.minutes)
    return { top: topOf(minute) + 1, height: topOf(to) - topOf(minute) - 2 }
  }
  return (
    <div aria-hidden>
      {suggestions.map(
        (one, nth) =>
          one.day === day && (
            <div key={one.minute} className={styles.hint} style={boxOf(one.minute)}>
              <span>
                <KeyCap keys={String(nth + 1)} /> {clockOf(one.minute)}
              </span>
            </div>
          ),
      )}
      {spot?.day === day && (
        // A new key plays the motion again.
        <div
          key={refusals}
          className={styles.ghost}
          data-fit={fit}
          data-refused={refusals > 0 || undefined}
          style={boxOf(spot.minute)}
        >
          {clockOf(spot.minute)}
          <br />
          <b>{lifted.business}</b>
        </div>
      )}
    </div>
  )
}
