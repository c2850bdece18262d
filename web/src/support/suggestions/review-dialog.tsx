import {
  reviewSuggestion,
  type Suggestion,
  type SuggestionDetail,
  suggestionStatusLabels,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { statusOptions } from './labels.ts'
import { useReviewSuggestion } from './suggestion.api.ts'

const { status, reason, publishedUrl } = reviewSuggestion.body.shape
const Fields = z.object({ status, reason: reason.default(''), publishedUrl: publishedUrl.unwrap().unwrap().optional() })
type Fields = z.output<typeof Fields>

const fieldsOf = (suggestion: Suggestion): Fields => ({
  status: suggestion.status,
  reason: '',
  ...(suggestion.publishedUrl ? { publishedUrl: suggestion.publishedUrl } : {}),
})

/** Sets the status with a reason. After a concurrent review the second reviewer chooses which values to keep. */
export function ReviewDialog({ suggestion, onClose }: { suggestion: SuggestionDetail; onClose: () => void }) {
  // A refresh must not change the values under the open form.
  const [base] = useState<Suggestion>(suggestion)
  const review = useReviewSuggestion(base.id)
  const { mutateAsync, conflict } = useConflict<typeof reviewSuggestion, Fields>({
    base,
    fieldsOf,
    title: 'Someone else reviewed this suggestion',
    formatters: [
      ['Status', (fields) => suggestionStatusLabels[fields.status]],
      ['Published page', (fields) => fields.publishedUrl ?? '--'],
    ],
    send: async (fields) => {
      const saved = await review.mutateAsync({ ...fields, publishedUrl: fields.publishedUrl ?? null })
      toast(`Suggestion set to ${suggestionStatusLabels[saved.status].toLowerCase()}.`)
      return saved
    },
    onSaved: onClose,
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title="Review Suggestion"
        context={base.title}
        submit="Save"
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(Fields.parse(typed)) }}
        initial={fieldsOf(base)}
      >
        <ChoiceField label="Status" name="status" options={statusOptions} />
        <AreaField label="Reason" name="reason" rows={3} placeholder="Provide a reason for this status change..." />
        <TextField
          label="Published page"
          name="publishedUrl"
          type="url"
          isOptional
          placeholder="https://"
          hint="Add the link after the content is published."
        />
      </FormDialog>
      {conflict}
    </>
  )
}
