import type { OnsiteSession } from '@limber/contract/businesses/blocks/block.ts'
import type { rescheduleSession, SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { currentOf } from '#platform/api/call-failure.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useChangeStretcher, useReschedule } from '../blocks/block.api.ts'
import type { Notify } from './notify-choice.tsx'

/** Another start, another stretcher, or both at once. */
interface SessionChange {
  start?: Date
  stretcher?: number
}

/** Moves or reassigns a session in the version that was seen, and confirms it with a toast. */
export function useSessionChanges({ id, version }: SessionDetail, notify: Notify, show: () => Promise<void>) {
  const reschedule = useReschedule()
  const reassign = useChangeStretcher()
  const [conflict, setConflict] = useState<{ theirs: OnsiteSession; change: SessionChange }>()

  const act = async (change: SessionChange, of: number) => {
    const { start, stretcher } = change
    const common = { session_id: id, version: of, notify }
    const other = stretcher === undefined ? {} : { new_stretcher_id: stretcher }
    try {
      const reply = start
        ? await reschedule.mutateAsync({ ...common, ...other, new_starts_at: start.toISOString() })
        : stretcher !== undefined && (await reassign.mutateAsync({ ...common, new_stretcher_id: stretcher }))
      await show()
      const text = start ? 'Session rescheduled.' : 'Stretcher updated.'
      // Emails cannot be taken back.
      if (Object.values(notify ?? {}).some(Boolean)) toast(text)
      else toastUndo(text, reply)
      // One request changed both.
      if (start && stretcher !== undefined) toast('Stretcher updated.')
    } catch (error) {
      const theirs = currentOf<typeof rescheduleSession>(error)
      if (theirs) setConflict({ theirs, change })
      else toastFailure(`Error: ${messageOf(error)}`, error, { detail: '' })
    }
  }
  return {
    isMoving: reschedule.isPending,
    isReassigning: reassign.isPending,
    make: (change: SessionChange) => void act(change, version),
    theirs: conflict?.theirs,
    overwrite: () => {
      if (!conflict) return
      setConflict(undefined)
      void act(conflict.change, conflict.theirs.version)
    },
    dismiss: () => setConflict(undefined),
  }
}
