import type { Candidate, CandidateList } from '@limber/contract/businesses/sessions/onsite.ts'
import { formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { Button } from '@mantine/core'
import { useId } from 'react'
import { now } from '#platform/clock.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { candidateLabels, startInZone } from '../labels.ts'
import styles from './session.module.css'

interface Props {
  list: CandidateList
  chosen: number | undefined
  onChoose: (id: number) => void
  onStart: (at: Date) => void
  isDisabled?: boolean
}

/** Why a stretcher is unavailable: another booking, or a missing certification. */
export function Why({ candidate: { clash, lacks }, zone }: { candidate: Candidate; zone: string }) {
  if (lacks)
    return (
      <span className={styles.clash}>
        {lacks.certification} {lacks.ended_on ? `until ${dayText(lacks.ended_on)}` : 'missing'}
      </span>
    )
  if (!clash) return null
  const where = clash.kind === 'booking' ? 'with a customer' : `at ${clash.business ?? 'a business'}`
  return (
    <span className={styles.clash}>
      {formatTimeRange(readBareMoment(clash.starts_at), readBareMoment(clash.ends_at), { zone })} {where}
    </span>
  )
}

/** The stretchers of the zone for the session, free ones first, and other possible starts. */
export function StretcherChoice({ list, chosen, onChoose, onStart, isDisabled = false }: Props) {
  const group = useId()
  const { time_zone: zone, candidates } = list
  const own = candidates.find(({ id }) => id === chosen)
  const starts = own?.next_starts ?? list.next_starts.map((one) => one.starts_at)
  return (
    <>
      <div>
        <span className={styles.label} id={group}>
          Stretcher
        </span>
        <div className={styles.choices} role="radiogroup" aria-labelledby={group}>
          {candidates.map((candidate) => {
            const [meaning, words] = candidateLabels[candidate.state]
            const isOut = candidate.state === 'in_training' || candidate.state === 'not_certified'
            return (
              <label key={candidate.id} className={styles.choice}>
                <input
                  type="radio"
                  name={group}
                  checked={candidate.id === chosen}
                  disabled={isDisabled || isOut}
                  onChange={() => onChoose(candidate.id)}
                />
                <span>{candidate.name}</span>
                <span className={styles.state}>
                  <StatusDot meaning={meaning}>{words}</StatusDot>
                  <Why candidate={candidate} zone={zone} />
                </span>
              </label>
            )
          })}
        </div>
      </div>
      {!isDisabled && (
        <div className={styles.next}>
          <span className={styles.muted}>Next possible start times</span>
          {starts.length === 0 && <span className={styles.muted}>none within two weeks</span>}
          {starts.map((text) => (
            <Button key={text} variant="default" size="compact-xs" onClick={() => onStart(readBareMoment(text))}>
              {startInZone(readBareMoment(text), zone, now())}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}
