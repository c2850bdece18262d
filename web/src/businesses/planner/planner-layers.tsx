import type { UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import { lazy, Suspense } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { dayName } from '../calendar/week.ts'
import { clockOf, type Spot } from './plan.ts'
import styles from './planner.module.css'
import { Tray } from './tray.tsx'
import type { Dropped } from './use-planner.ts'

// Loads when the first block is placed.
const ScheduleDialog = lazy(() =>
  import('../sessions/schedule-dialog.tsx').then((file) => ({ default: file.ScheduleDialog })),
)

const startText = ({ day, minute }: Spot) => `${dayName(day)}, ${clockOf(minute)}, in the time zone of the business`

interface Props {
  dropped: Dropped | undefined
  isChoosing: boolean
  onChoose: (block: UnusedBlock) => void
  onClose: () => void
}

/** What placing a block opens: the choice of the block, or its session. */
export function PlannerLayers({ dropped, isChoosing, onChoose, onClose }: Props) {
  const spot = dropped && 'pick' in dropped ? dropped.pick : undefined
  return (
    <>
      {(isChoosing || spot) && (
        <Dialog
          isOpen
          onClose={onClose}
          title="Schedule session"
          context={spot ? startText(spot) : 'Select a block.'}
          size={480}
        >
          <div className={styles.sheet}>
            <Tray lifted={undefined} onDrag={undefined} onChoose={onChoose} />
          </div>
        </Dialog>
      )}
      <Suspense>
        {dropped && 'block' in dropped && (
          <ScheduleDialog
            key={dropped.block.id}
            business={dropped.block.business}
            block={dropped.block}
            {...(dropped.start && { start: dropped.start })}
            onClose={onClose}
          />
        )}
      </Suspense>
    </>
  )
}
