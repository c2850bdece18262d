import { mergeTicket, type TicketDetail, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { ChoiceField, SwitchField } from '#ui/form/fields.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { useMerge } from './ticket-change.api.ts'

interface Props {
  ticket: TicketDetail
  onClose: () => void
  onMerged: (into: number) => void
}

export default function MergeTicket({ ticket, onClose, onMerged }: Props) {
  const merge = useMerge(ticket.id)
  const [isByNumber, setByNumber] = useState(ticket.others.length === 0)
  const options = ticket.others.map(({ id, subject, status, createdAt }) => ({
    value: String(id),
    label: `#${id} ${subject} (${ticketStatusLabels[status]}, ${momentText(createdAt, 'day')})`,
  }))
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
      {isByNumber ? (
        <>
          <NumberField name="into" label="Into ticket number" min={1} />
          <SwitchField
            name="isSamePerson"
            label="It may be from another address"
            hint="Only for the same person. Replies go to the address of the other ticket."
          />
        </>
      ) : (
        <>
          <ChoiceField name="into" label="Into" placeholder="Select a ticket" options={options} isNumeric />
          <div>
            <Button variant="subtle" size="compact-sm" onClick={() => setByNumber(true)}>
              Enter a ticket number
            </Button>
          </div>
        </>
      )}
    </FormDialog>
  )
}
