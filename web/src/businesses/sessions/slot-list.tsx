import { exportParticipants, type SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { ExportButton } from '#ui/table/export-button.tsx'
import styles from './session.module.css'

/** Every slot of a session with its participant. */
export function SlotList({ session }: { session: SessionDetail }) {
  const { id, slot_list, time_zone: zone, taken_slots, slots } = session
  return (
    <div>
      <div className={styles.slotsHead}>
        <span className={styles.label}>
          Slots, {taken_slots} of {slots} taken
        </span>
        <ExportButton call={exportParticipants} params={{ id: String(id) }} total={slot_list.length} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <ul className={styles.slots} aria-label="Slots" tabIndex={0}>
        {slot_list.map(({ starts_at, ends_at, participant }) => (
          <li key={starts_at} className={styles.slot}>
            <span>{formatTimeRange(readBareMoment(starts_at), readBareMoment(ends_at), { zone })}</span>
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
