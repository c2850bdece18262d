import { createTicket } from '@limber/contract/support/tickets/ticket.ts'
import { useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField, TextField } from '#ui/form/fields.tsx'
import { CustomerField } from './customer-field.tsx'
import { priorityOptions } from './priority-labels.ts'
import { useCreateTicket } from './ticket-change.api.ts'

interface Props {
  /** The customer's email, if known. */
  customer?: string
  onClose: () => void
  onCreated: (id: number) => void
}

/** Creates a ticket for a customer who called or wrote elsewhere. */
export default function NewTicket({ customer, onClose, onCreated }: Props) {
  const create = useCreateTicket()
  const { hasMailServer } = useSession()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New Ticket"
      context={
        hasMailServer
          ? 'The customer gets a confirmation and every reply by email. An email cannot be taken back.'
          : 'Email is not connected, so the customer gets no confirmation and no replies. Set up a mail server first.'
      }
      submit="Create ticket"
      schema={createTicket.body}
      initial={{ priority: 'medium', ...(customer && { customer_email: customer }) }}
      mutation={{
        mutateAsync: async (body) => {
          const { id } = await create.mutateAsync(body)
          toast(`Ticket #${id} created.`)
          onCreated(id)
        },
      }}
    >
      <CustomerField />
      <TextField name="subject" label="Subject" />
      <AreaField name="content" label="Message" rows={6} />
      <ChoiceField name="priority" label="Priority" options={priorityOptions} />
    </FormDialog>
  )
}
