import { createSuggestion } from '@limber/contract/support/kb-suggestion.ts'
import { AreaField, ChoiceField, FieldRow, TextField } from '#ui/fields.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { toast } from '#ui/toast-store.ts'
import { useCreateSuggestion } from './suggestion.api.ts'
import { priorityOptions, sectionOptions } from './words.ts'

/** Files a suggestion. */
export default function NewSuggestion({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New Suggestion"
      submit="Create"
      size={520}
      schema={createSuggestion.body}
      mutation={useCreateSuggestion()}
      onDone={() => toast('The suggestion is filed.')}
    >
      <TextField label="Title" name="title" />
      <AreaField label="Content" name="content" rows={5} />
      <FieldRow>
        <ChoiceField label="Section" name="target_section" options={sectionOptions} placeholder="Select section..." />
        <ChoiceField label="Priority" name="priority" options={priorityOptions} placeholder="Select priority..." />
      </FieldRow>
      <TextField label="Location" name="target_location" isOptional hint="Where on the page, if you know it." />
    </FormDialog>
  )
}
