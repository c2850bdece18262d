import { formatDay, formatMomentRange } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { holidayOn } from '@limber/contract/kit/holidays.ts'
import { Button, Skeleton } from '@mantine/core'
import { now } from '#platform/clock.ts'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { candidateLabels, startInZone } from '../labels.ts'
import { Why } from '../sessions/stretcher-choice.tsx'
import styles from './planner.module.css'
import type { Planner } from './use-planner.ts'

/** What would happen at the chosen start, in one sentence. */
function sentenceOf({ lifted, start, spot, fit, candidates }: Planner): string {
  if (!lifted || !spot) return 'Choose a start in the week.'
  if (!start) return 'Daylight saving time skips this time on that day.'
  const end = new Date(start.getTime() + lifted.minutes * 60_000)
  const when = formatMomentRange(start, end, { zone: lifted.zone, now: now(), hasWeekday: true })
  if (fit === 'past') return `${when} has passed.`
  if (fit === 'expired') {
    const last = lifted.block?.expires_on
    return `This block can be used until ${last ? formatDay(last, { now: now() }) : 'its last day'}.`
  }
  if (fit === 'nobody') return `No one is free ${when}.`
  if (fit === 'unknown') return `${when}…`
  const [first, ...others] = candidates.filter(({ state }) => state === 'free')
  return `${first?.name} is free ${when}${others.length > 0 ? `, and ${pluralize(others.length, 'other')}` : ''}.`
}

/** What is being placed, whether it fits where it is, and where else it would. */
export function Placing({ planner }: { planner: Planner }) {
  const { lifted, spot, fit, candidates, suggestions, isSuggesting } = planner
  if (!lifted) return null
  const isRefused = fit !== 'free' && fit !== 'unknown'
  const holiday = spot && holidayOn(spot.day)
  return (
    <section className={styles.placing} aria-label="Placing">
      <b>{lifted.business}</b>
      <span className={styles.what}>{lifted.detail}</span>
      <p role="status" data-meaning={isRefused ? 'red' : fit === 'free' ? 'teal' : undefined}>
        {sentenceOf(planner)}
      </p>
      {holiday && <p data-meaning="amber">{holiday.name}: the business may be closed.</p>}
      {fit === 'nobody' && (
        <ul className={styles.reasons}>
          {candidates.map((candidate) => (
            <li key={candidate.id}>
              {candidate.name}{' '}
              <span className={styles.reason}>
                {candidateLabels[candidate.state][1]} <Why candidate={candidate} zone={lifted.zone} />
              </span>
            </li>
          ))}
          {candidates.length === 0 && <li>No stretcher works in this zone.</li>}
        </ul>
      )}
      {(isSuggesting || suggestions.length > 0) && (
        <div className={styles.nearest} aria-busy={isSuggesting}>
          <span className={styles.nearestTitle}>Nearest starts that work</span>
          {suggestions.length === 0 && <Skeleton height={42} />}
          {suggestions.map((one, nth) => (
            <button key={one.at.toISOString()} type="button" onClick={() => planner.point(one)}>
              <KeyCap keys={String(nth + 1)} isHidden />
              <span>{startInZone(one.at, lifted.zone, now())}</span>
              <span>{one.stretcher}</span>
            </button>
          ))}
        </div>
      )}
      <p className={styles.keys} aria-hidden>
        <KeyCap keys="← →" /> day <KeyCap keys="↑ ↓" /> 30 min <KeyCap keys="Esc" /> put back
      </p>
      <div className={styles.acts}>
        <Button variant="default" onClick={planner.putBack}>
          Put back
        </Button>
        <Button disabled={!spot || isRefused} onClick={() => planner.drop(spot)}>
          {lifted.session ? 'Move…' : 'Schedule…'}
        </Button>
      </div>
    </section>
  )
}
