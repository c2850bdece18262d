import { createSuggestion } from '@limber/contract/support/kb-suggestion.ts'
import type { TicketDetail } from '@limber/contract/support/ticket.ts'
import { send } from '#platform/api.ts'
import { withWords } from '#platform/with-words.ts'
import { AreaField, ChoiceField, FieldRow, TextField } from '#ui/fields.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { toast } from '#ui/toast-store.ts'
import { priorityOptions } from './ticket-words.ts'

const sections = [
  { value: 'faq', label: 'FAQ' },
  { value: 'experience', label: 'Experience' },
  { value: 'about', label: 'About' },
]

/** The question as it was asked first, and the last answer of the staff. */
function draftOf({ messages }: TicketDetail): string {
  const question = messages.find(({ from_customer }) => from_customer)?.content
  const answer = messages.findLast(({ from_customer }) => !from_customer)?.content
  return [question && `Question: ${question}`, answer && `Answer: ${answer}`].filter(Boolean).join('\n\n')
}

/** Suggests what a ticket taught for the knowledge base. */
export default function TicketSuggestion({ ticket, onClose }: { ticket: TicketDetail; onClose: () => void }) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      size={640}
      title="Suggest for knowledge base"
      context={`From ticket #${ticket.id}. Take out what is the customer's own before you send it.`}
      submit="Create suggestion"
      schema={createSuggestion.body}
      initial={{ title: ticket.subject, content: draftOf(ticket), target_section: 'faq', priority: 'medium' }}
      fixed={{ ticketId: ticket.id }}
      mutation={{
        mutateAsync: (body) => withWords('Failed to create suggestion', send(createSuggestion, { body })),
      }}
      onDone={() => void toast('The suggestion is filed.')}
    >
      <TextField name="title" label="Title" />
      <AreaField name="content" label="Content" rows={8} />
      <FieldRow>
        <ChoiceField name="target_section" label="Section" options={sections} />
        <ChoiceField name="priority" label="Priority" options={priorityOptions} />
      </FieldRow>
      <TextField name="target_location" label="Location" hint="Where on the page, if you know it" isOptional />
    </FormDialog>
  )
}
