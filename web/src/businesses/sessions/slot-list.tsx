import type { SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { clockInZone } from '../words.ts'
import styles from './session.module.css'

/** Every slot of a session with who took it. */
export function SlotList({ session }: { session: SessionDetail }) {
  const { slot_list, time_zone: zone, taken_slots, slots } = session
  const clock = (text: string) => clockInZone(readBareMoment(text), zone)
  return (
    <div>
      <span className={styles.label}>
        Slots, {taken_slots} of {slots} taken
      </span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <ul className={styles.slots} aria-label="Slots" tabIndex={0}>
        {slot_list.map(({ starts_at, ends_at, participant }) => (
          <li key={starts_at} className={styles.slot}>
            <span>
              {clock(starts_at)} to {clock(ends_at)}
            </span>
            {participant ? (
              <>
                <span className={styles.who}>
                  {participant.name}
                  <span className={styles.muted}>{participant.email}</span>
                </span>
                <span className={styles.muted}>
                  {participant.rating === null ? '--' : `${participant.rating} of 5`}
                </span>
              </>
            ) : (
              <span className={styles.muted}>free</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
