import { createTask } from '@limber/contract/growth/tasks/task.ts'
import { Text } from '@limber/contract/kit/values.ts'
import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { AreaField, ChoiceField, FieldRow } from '#ui/form/fields.tsx'
import { useField } from '#ui/form/form-state.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useAssignees, useCreateTask } from '../growth.api.ts'
import { priorityOptions } from '../labels.ts'

const Schema = createTask.body.extend({ cityName: Text(120) })

const titleFor = (city: string) => (city.trim() === '' ? '' : `Open city: ${city.trim()}`)

/** The title follows the city until it is edited; without a city it is empty. */
function CityAndTitle() {
  const city = useField<string>('cityName', 'City Name', '')
  const title = useField<string>('title', 'Task Title', '')
  const isOwn = useRef(title.value !== titleFor(city.value))
  const changeCity = (next: string) => {
    city.set(next)
    if (next === '') isOwn.current = false
    if (!isOwn.current) title.set(titleFor(next))
  }
  const changeTitle = (next: string) => {
    isOwn.current = true
    title.set(next)
  }
  return (
    <>
      <TextInput
        label="City Name"
        name="cityName"
        autoComplete="off"
        required
        data-autofocus
        value={city.value}
        error={city.error}
        onChange={(event) => changeCity(event.currentTarget.value)}
      />
      <TextInput
        label="Task Title"
        name="title"
        autoComplete="off"
        required
        value={title.value}
        error={title.error}
        onChange={(event) => changeTitle(event.currentTarget.value)}
      />
    </>
  )
}

interface Props {
  /** The city of the task; empty when opened with the plus button. */
  city: string
  onClose: () => void
}

/** Creates a city task, from the plus button or from a circle on the map. */
export default function TaskDialog({ city, onClose }: Props) {
  const create = useCreateTask()
  const workers = useAssignees().data?.workers ?? []
  const mutation = {
    mutateAsync: (input: Parameters<typeof create.mutateAsync>[0]) =>
      create.mutateAsync(input).catch((error: unknown) => {
        toastFailure('Failed to create task. Please try again.', error)
        throw error
      }),
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={city === '' ? 'Create New City Task' : 'Add City Task'}
      submit="Submit"
      schema={Schema}
      mutation={mutation}
      initial={{ cityName: city, title: titleFor(city), priority: 'medium' }}
      fixed={{ type: 'growth' }}
      onDone={(reply) => toastUndo('Task created successfully!', reply)}
    >
      <CityAndTitle />
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
        options={workers.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </FormDialog>
  )
}
