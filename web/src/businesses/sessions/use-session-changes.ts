import type { OnsiteSession } from '@limber/contract/businesses/blocks/block.ts'
import type { rescheduleSession, SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { useState } from 'react'
import { wordsOf } from '#platform/api/api.ts'
import { currentOf } from '#platform/api/call-failure.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'

import { useChangeStretcher, useReschedule } from '../blocks/block.api.ts'
import type { Notify } from './notify-choice.tsx'

/** Another start, another stretcher, or both at once. */
interface Deed {
  start?: Date
  stretcher?: number
}

/** Moves a session and gives it to another stretcher, in the version that was seen; said once it shows. */
export function useSessionChanges({ id, version }: SessionDetail, notify: Notify, show: () => Promise<void>) {
  const reschedule = useReschedule()
  const change = useChangeStretcher()
  const [conflict, setConflict] = useState<{ theirs: OnsiteSession; deed: Deed }>()

  const act = async (deed: Deed, of: number) => {
    const { start, stretcher } = deed
    const common = { session_id: id, version: of, notify }
    const other = stretcher === undefined ? {} : { new_stretcher_id: stretcher }
    try {
      if (start) await reschedule.mutateAsync({ ...common, ...other, new_starts_at: start.toISOString() })
      else if (stretcher !== undefined) await change.mutateAsync({ ...common, new_stretcher_id: stretcher })
      await show()
      if (start) toast('Session rescheduled.')
      if (stretcher !== undefined) toast('Stretcher updated.')
    } catch (error) {
      const theirs = currentOf<typeof rescheduleSession>(error)
      if (theirs) setConflict({ theirs, deed })
      else toastFailure(`Error: ${wordsOf(error)}`, error, { detail: '' })
    }
  }
  return {
    isMoving: reschedule.isPending,
    isGiving: change.isPending,
    make: (deed: Deed) => void act(deed, version),
    theirs: conflict?.theirs,
    overwrite: () => {
      if (!conflict) return
      setConflict(undefined)
      void act(conflict.deed, conflict.theirs.version)
    },
    dismiss: () => setConflict(undefined),
  }
}
