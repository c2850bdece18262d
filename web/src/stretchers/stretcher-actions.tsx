import { formatList } from '@limber/contract/kit/formats/numbers.ts'
import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  type StretcherDetail,
} from '@limber/contract/stretchers/stretcher.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { EditStretcher } from './edit-stretcher.tsx'
import { isMet } from './is-met.ts'
import { bookingsText, nameOf, onsiteText } from './labels.ts'
import { useActivate, useDeactivate, useFinishTraining } from './stretcher.api.ts'
import styles from './stretcher-dialog.module.css'

type Action = 'edit' | 'deactivate' | 'activate' | 'train'

/** The consequences of deactivating a stretcher. */
function deactivationEffects({ upcoming: { bookings, onsite } }: StretcherDetail): string {
  const parts = [
    onsite > 0 && `${onsiteText(onsite)} must be reassigned or canceled first.`,
    bookings > 0 && `${bookingsText(bookings)} will become unassigned.`,
  ].filter(Boolean)
  return parts.join(' ') || 'They have no upcoming sessions. Their certifications do not change.'
}

/** What finishing the training means, and which courses it leaves open. */
function trainingEffects({ requirements: { courses } }: StretcherDetail): string {
  const open = courses.filter((course) => !isMet(course)).map(({ courseName }) => courseName)
  const effect =
    'They become active and can be assigned sessions that their certifications allow. This cannot be undone.'
  return open.length === 0 ? effect : `Not completed: ${formatList(open)}. ${effect}`
}

export function StretcherActions({ stretcher }: { stretcher: StretcherDetail }) {
  const { id, version, status, upcoming } = stretcher
  const [action, setAction] = useState<Action>()
  const deactivate = useDeactivate(id)
  const activate = useActivate(id)
  const train = useFinishTraining(id)
  const name = nameOf(stretcher)
  const close = () => setAction(undefined)
  return (
    <div className={styles.actions}>
      <HistoryButton isInDialog record={{ kind: 'stretcher', id }} />
      <Button variant="default" onClick={() => setAction('edit')}>
        Edit
      </Button>
      {status === 'in_training' && (
        <Button variant="default" onClick={() => setAction('train')}>
          Finish training
        </Button>
      )}
      {status === 'inactive' ? (
        <Button variant="default" onClick={() => setAction('activate')}>
          Activate
        </Button>
      ) : (
        <Button variant="default" c="var(--red-text)" onClick={() => setAction('deactivate')}>
          Deactivate
        </Button>
      )}
      {action === 'edit' && <EditStretcher stretcher={stretcher} onClose={close} />}
      <FormDialog
        isOpen={action === 'deactivate'}
        onClose={close}
        title={`Deactivate ${name}?`}
        context={deactivationEffects(stretcher)}
        submit="Deactivate"
        isDestructive
        schema={deactivateStretcher.body}
        mutation={deactivate}
        fixed={{ bookings: upcoming.bookings, version }}
        onDone={(reply) =>
          upcoming.bookings === 0 ? toastUndo(`${name} deactivated.`, reply) : toast(`${name} deactivated.`)
        }
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Shown here and saved in the audit log." />
      </FormDialog>
      <FormDialog
        isOpen={action === 'activate'}
        onClose={close}
        title={`Activate ${name}?`}
        context={stretcher.trainedAt ? 'They can be assigned sessions again.' : 'They continue their training.'}
        submit="Activate"
        schema={activateStretcher.body}
        mutation={activate}
        fixed={{ version }}
        onDone={() => toast(`${name} activated.`)}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Saved in the audit log." />
      </FormDialog>
      <FormDialog
        isOpen={action === 'train'}
        onClose={close}
        title={`Finish training for ${name}?`}
        context={trainingEffects(stretcher)}
        submit="Finish training"
        schema={finishTraining.body}
        mutation={train}
        fixed={{ version }}
        onDone={() => toast(`${name} finished training.`)}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Saved in the audit log." />
      </FormDialog>
    </div>
  )
}
