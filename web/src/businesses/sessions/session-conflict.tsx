import type { OnsiteSession } from '@limber/contract/businesses/blocks/block.ts'
import type { SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { now } from '#platform/clock.ts'
import { ConflictDialog } from '#ui/form/conflict-dialog.tsx'
import { startInZone } from '../labels.ts'

interface Props {
  session: SessionDetail
  theirs: OnsiteSession
  start: Date | undefined
  /** The newly selected stretcher, if any. */
  stretcher: string | undefined
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** A session that someone else moved or reassigned. */
export function SessionConflict({ session, theirs, start, stretcher, ...choose }: Props) {
  const when = (at: Date) => startInZone(at, session.time_zone, now())
  const whenOf = ({ starts_at }: { starts_at: string }) => when(readBareMoment(starts_at))
  const isMoved = start !== undefined && when(start) !== whenOf(session)
  return (
    <ConflictDialog
      title="Someone else changed this session"
      rows={[
        {
          label: 'Start time',
          base: whenOf(session),
          theirs: whenOf(theirs),
          mine: isMoved && start ? when(start) : whenOf(theirs),
        },
        {
          label: 'Stretcher',
          base: session.stretcher_name,
          theirs: theirs.stretcher_name,
          mine: stretcher ?? theirs.stretcher_name,
        },
      ]}
      {...choose}
    />
  )
}
