import { Id, Text } from '@limber/contract/kit/values.ts'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { AreaField } from '#ui/form/fields.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { MemberField } from './member-field.tsx'
import { useAddTask } from './team.api.ts'

const Schema = z.object({ details: Text(5000), workerId: Id })
const TITLE = 120

/** The first line is the title. A long one is cut; the details keep all of it. */
function titleOf(details: string): string {
  const [line = ''] = details.trim().split('\n')
  return line.length <= TITLE ? line : `${line.slice(0, TITLE - 1)}…`
}

/** Assigns a free-text task to a team member. */
export default function AssignTask({ onClose }: { onClose: () => void }) {
  const add = useAddTask()
  const mutation = {
    mutateAsync: ({ details, workerId }: z.input<typeof Schema>) =>
      add.mutateAsync({
        title: titleOf(details),
        description: details.trim() === titleOf(details) ? '' : details,
        assignedTo: workerId,
        dueDate: null,
        priority: 'medium',
        type: 'growth',
        cityName: null,
      }),
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Assign Marketing/Growth Task"
      submit="Assign"
      schema={Schema}
      mutation={mutation}
      onDone={(reply) => toastUndo('Task assigned.', reply)}
    >
      <AreaField label="Task details" name="details" rows={4} placeholder="The first line is the title." />
      <MemberField />
    </FormDialog>
  )
}
