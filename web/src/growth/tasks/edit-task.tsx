import { type ChangeTask, type CityTask, type changeTask, taskPriorities } from '@limber/contract/growth/tasks/task.ts'
import { Day, Id, Text } from '@limber/contract/kit/values.ts'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { DayField } from '#ui/form/day-field.tsx'
import { AreaField, ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useAssignees } from '../growth.api.ts'
import { priorityOptions, priorityText } from '../labels.ts'

const Fields = z.object({
  title: Text(200),
  description: Text(5000, 0).optional(),
  dueDate: Day.optional(),
  priority: z.enum(taskPriorities),
  assignedTo: Id.optional(),
})
type Fields = z.input<typeof Fields>

const fieldsOf = ({ title, details, due, priority, assigneeId }: CityTask): Fields => ({
  title,
  priority,
  ...(details && { description: details }),
  ...(due && { dueDate: due }),
  ...(assigneeId !== null && { assignedTo: assigneeId }),
})

interface Props {
  task: CityTask
  change: (change: ChangeTask & { id: number }) => Promise<CityTask>
  onClose: () => void
}

/** Edits or reassigns a task. When two workers edit at once, the second one resolves the conflict. */
export default function EditTask({ task, change, onClose }: Props) {
  // Keep the form on its base version when the task is reloaded.
  const [base] = useState(task)
  const workers = useAssignees().data?.workers ?? []
  const { assigneeId, assignedTo } = base
  // The current assignee may have left the team.
  const isGone = assigneeId !== null && !workers.some(({ id }) => id === assigneeId)
  const people = isGone ? [{ id: assigneeId, name: assignedTo ?? '' }, ...workers] : workers
  const { mutateAsync, conflict } = useConflict<typeof changeTask, Fields>({
    base,
    fieldsOf,
    title: `Someone else changed ${base.title}`,
    formatters: [
      ['Task Title', ({ title }) => title],
      ['Description', ({ description = '' }) => description],
      ['Due Date', ({ dueDate }) => dayText(dueDate ?? null, 'None')],
      ['Priority', ({ priority }) => priorityText(priority)],
      ['Assigned to', (fields) => people.find(({ id }) => id === fields.assignedTo)?.name ?? 'Unassigned'],
    ],
    send: ({ description = '', dueDate = null, assignedTo: to = null, ...fields }) =>
      change({ id: base.id, ...fields, description, dueDate, assignedTo: to }),
    onSaved: (saved) => {
      toastUndo(`${saved.title} saved.`, saved)
      onClose()
    },
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit ${base.title}`}
        {...(base.cityName && { context: base.cityName })}
        submit="Save"
        schema={Fields}
        initial={fieldsOf(base)}
        mutation={{ mutateAsync }}
      >
        <TextField label="Task Title" name="title" />
        <AreaField label="Description" name="description" rows={4} isOptional />
        <FieldRow>
          <DayField label="Due Date" name="dueDate" />
          <ChoiceField label="Priority" name="priority" options={priorityOptions} />
        </FieldRow>
        <ChoiceField
          label="Assigned to"
          name="assignedTo"
          placeholder="Unassigned"
          isNumeric
          options={people.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      </FormDialog>
      {conflict}
    </>
  )
}
