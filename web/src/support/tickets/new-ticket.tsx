import { createTicket } from '@limber/contract/support/ticket.ts'
import { AreaField, ChoiceField, TextField } from '#ui/fields.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { toast } from '#ui/toast-store.ts'
import { useCreateTicket } from './ticket.api.ts'
import { priorityOptions } from './ticket-words.ts'

/** Opens a ticket for a customer who called or wrote elsewhere. */
export default function NewTicket({ onClose, onCreated }: { onClose: () => void; onCreated: (id: number) => void }) {
  const create = useCreateTicket()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New Ticket"
      context="The customer gets a confirmation by mail, and every response to it."
      submit="Create ticket"
      schema={createTicket.body}
      initial={{ priority: 'medium' }}
      mutation={{
        mutateAsync: async (body) => {
          const { id } = await create.mutateAsync(body)
          toast(`Ticket #${id} is open.`)
          onCreated(id)
        },
      }}
    >
      <TextField name="customer_email" label="Customer e-mail" type="email" />
      <TextField name="subject" label="Subject" />
      <AreaField name="content" label="Message" rows={6} />
      <ChoiceField name="priority" label="Priority" options={priorityOptions} />
    </FormDialog>
  )
}
