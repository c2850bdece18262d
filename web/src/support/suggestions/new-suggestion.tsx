import { type CreateSuggestion, createSuggestion } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { priorityOptions } from '../tickets/priority-labels.ts'
import { sectionOptions } from './labels.ts'
import { useCreateSuggestion } from './suggestion.api.ts'

interface Props {
  onClose: () => void
  /** Initial values, for example from a ticket. */
  initial?: Partial<CreateSuggestion>
  ticketId?: number
  context?: string
}

export default function NewSuggestion({ onClose, initial, ticketId, context }: Props) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New Suggestion"
      submit="Create"
      size={520}
      schema={createSuggestion.body}
      mutation={useCreateSuggestion()}
      {...(context && { context })}
      {...(initial && { initial })}
      {...(ticketId && { fixed: { ticketId } })}
      onDone={() => toast('Suggestion created.')}
    >
      <TextField label="Title" name="title" />
      <AreaField label="Content" name="content" rows={5} />
      <FieldRow>
        <ChoiceField label="Section" name="target_section" options={sectionOptions} placeholder="Select section..." />
        <ChoiceField label="Priority" name="priority" options={priorityOptions} placeholder="Select priority..." />
      </FieldRow>
      <TextField label="Location" name="target_location" isOptional hint="Where on the page, if known." />
    </FormDialog>
  )
}
