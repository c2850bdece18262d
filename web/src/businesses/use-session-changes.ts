import type { OnsiteSession } from '@limber/contract/businesses/block.ts'
import type { SessionDetail } from '@limber/contract/businesses/onsite.ts'
import { useState } from 'react'
import { wordsOf } from '#platform/api.ts'
import { toast, toastFailure } from '#ui/toast-store.ts'
import { currentOf } from '#ui/use-versioned-save.ts'
import { useChangeStretcher, useReschedule } from './block.api.ts'
import type { Notify } from './notify-choice.tsx'

type Deed = { do: 'move'; to: Date } | { do: 'give'; to: number }

/** Moves a session or gives it to another stretcher, in the version that was seen; said once it shows. */
export function useSessionChanges(
  { id, version }: SessionDetail,
  notify: Notify,
  show: (deed: Deed['do']) => Promise<void>,
) {
  const reschedule = useReschedule()
  const change = useChangeStretcher()
  const [conflict, setConflict] = useState<{ theirs: OnsiteSession; deed: Deed }>()

  const act = async (deed: Deed, of: number) => {
    const common = { session_id: id, version: of, notify }
    try {
      if (deed.do === 'move') {
        await reschedule.mutateAsync({ ...common, new_starts_at: deed.to.toISOString() })
      } else {
        await change.mutateAsync({ ...common, new_stretcher_id: deed.to })
      }
      await show(deed.do)
      toast(deed.do === 'move' ? 'Session rescheduled.' : 'Stretcher updated.')
    } catch (error) {
      const current = currentOf(error)
      if (current) setConflict({ theirs: current as OnsiteSession, deed })
      else toastFailure(`Error: ${wordsOf(error)}`)
    }
  }
  return {
    isMoving: reschedule.isPending,
    isGiving: change.isPending,
    move: (to: Date | undefined) => to && void act({ do: 'move', to }, version),
    give: (to: number) => void act({ do: 'give', to }, version),
    theirs: conflict?.theirs,
    overwrite: () => {
      if (!conflict) return
      setConflict(undefined)
      void act(conflict.deed, conflict.theirs.version)
    },
    dismiss: () => setConflict(undefined),
  }
}
