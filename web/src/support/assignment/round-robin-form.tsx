import { type Assignment, type RoundRobin, saveRoundRobin } from '@limber/contract/support/assignment/assignment.ts'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { SwitchField } from '#ui/form/fields.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useSaveRoundRobin } from './assignment.api.ts'
import { queueName } from './assignment-labels.ts'
import { MembersField } from './members-field.tsx'

const Fields = saveRoundRobin.body.omit({ view: true, version: true })

interface Props {
  queue: RoundRobin
  workers: Assignment['workers']
  onClose: () => void
}

/** Who takes turns on the new tickets of a queue. */
export default function RoundRobinForm({ queue, workers, onClose }: Props) {
  // A refresh must not change the version under the open form.
  const [base] = useState(queue)
  const save = useSaveRoundRobin()
  const known = base.members.map(({ id }) => id).filter((id) => workers.some((worker) => worker.id === id))
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Round robin: ${queueName(base)}`}
      context="A new ticket goes to the worker with the fewest open tickets who is signed in and not out of office."
      submit="Save"
      schema={Fields}
      mutation={{
        mutateAsync: (fields) => save.mutateAsync({ ...fields, view: base.view?.id ?? null, version: base.version }),
      }}
      initial={{ isOn: base.isOn, maxOpen: base.maxOpen, members: known }}
      onDone={(reply) => toastUndo('Round robin saved.', reply)}
    >
      <SwitchField name="isOn" label="Assign new tickets" />
      <MembersField name="members" workers={workers} />
      <NumberField
        name="maxOpen"
        label="Open tickets each, at most"
        min={1}
        max={200}
        hint="Beyond that, tickets stay unassigned."
      />
    </FormDialog>
  )
}
