import { mergeTicket, type TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { SwitchField } from '#ui/form/fields.tsx'
import { useMerge } from './ticket-change.api.ts'
import { type FoundTicket, TicketField } from './ticket-field.tsx'

interface Props {
  ticket: TicketDetail
  onClose: () => void
  onMerged: (into: number) => void
}

export default function MergeTicket({ ticket, onClose, onMerged }: Props) {
  const merge = useMerge(ticket.id)
  const [target, setTarget] = useState<FoundTicket>()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Merge ticket #${ticket.id}`}
      context="Its messages and notes move to the other ticket, and it is closed. This cannot be undone."
      submit="Merge"
      schema={mergeTicket.body}
      mutation={{
        mutateAsync: async (body) => {
          const { id } = await merge.mutateAsync(body)
          toast(`Ticket #${ticket.id} is now part of ticket #${id}.`)
          onMerged(id)
        },
      }}
      fixed={{ version: ticket.version }}
    >
      <TicketField name="into" label="Into" ticket={ticket} onChoose={setTarget} />
      {target && target.customer_email !== ticket.customer_email && (
        <SwitchField
          name="isSamePerson"
          label="Both addresses belong to the same person"
          hint={`This ticket is from ${ticket.customer_email}. Replies go to the address that wrote last.`}
        />
      )}
    </FormDialog>
  )
}
