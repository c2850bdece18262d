import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { linkTickets, splitTicket } from '@limber/contract/support/related/related.ts'
import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { createTask } from '@limber/contract/support/tickets/ticket-task.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { now } from '#platform/clock.ts'
import { useSession } from '#platform/session/session.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { ChoiceField, TextField } from '#ui/form/fields.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { ticketWorkersQuery } from '../tickets/ticket.api.ts'
import { TicketField } from '../tickets/ticket-field.tsx'
import { useCreateTask, useLink, useSplit } from './related.api.ts'

const MergeTicket = lazy(() => import('../tickets/merge-ticket.tsx'))
const TicketSuggestion = lazy(() => import('../tickets/thread/ticket-suggestion.tsx'))

export type TicketLayer = 'merge' | 'suggest' | 'split' | 'link' | 'callback'

interface PartProps {
  ticket: TicketDetail
  onClose: () => void
  onOpen: (id: number) => void
}

const START = 60

/** The customer's messages after the first, newest first: a split must leave something behind. */
const splittable = ({ messages }: TicketDetail) =>
  messages.filter(({ from_customer }, place) => from_customer && (place > 0 || messages.length > 1)).toReversed()

function Split({ ticket, onClose, onOpen }: PartProps) {
  const split = useSplit(ticket.id)
  const messages = splittable(ticket)
  const options = messages.map(({ id, createdAt, content }) => ({
    value: String(id),
    label: `${momentText(createdAt, 'moment')}: ${content.replaceAll(/\s+/g, ' ').slice(0, START)}`,
  }))
  const [newest] = messages
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Split ticket #${ticket.id}`}
      context="Messages move into a new ticket of the same customer. Both tickets refer to each other. This cannot be undone, but the tickets can be merged."
      submit="Split"
      schema={splitTicket.body}
      mutation={{
        mutateAsync: async (body) => {
          const { id } = await split.mutateAsync(body)
          toast(`Ticket #${id} was split off.`)
          onOpen(id)
        },
      }}
      initial={{ takes: 'one', subject: ticket.subject, ...(newest && { messageId: newest.id }) }}
      fixed={{ version: ticket.version }}
    >
      <ChoiceField name="messageId" label="Message" options={options} isNumeric />
      <ChoiceField
        name="takes"
        label="Move"
        options={[
          { value: 'one', label: 'Only this message' },
          { value: 'rest', label: 'This message and all later ones' },
        ]}
      />
      <TextField name="subject" label="Subject of the new ticket" />
    </FormDialog>
  )
}

function LinkForm({ ticket, onClose }: PartProps) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Link a ticket"
      context="Both tickets show each other as related."
      submit="Link"
      schema={linkTickets.body}
      mutation={useLink(ticket.id)}
      onDone={(reply) => toastUndo('Tickets linked.', reply)}
    >
      <TicketField name="ticket" label="Ticket" ticket={ticket} />
    </FormDialog>
  )
}

function Callback({ ticket, onClose }: PartProps) {
  const { workerId } = useSession()
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const today = companyDay(now())
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Book a call-back"
      context="It appears on this worker's Today from that day until it is checked off."
      submit="Book"
      size={400}
      schema={createTask.body}
      mutation={useCreateTask(ticket.id)}
      initial={{ dueOn: addDays(today, 1), workerId }}
      onDone={(reply) => toastUndo('Call-back booked.', reply)}
    >
      <DayField name="dueOn" label="Day" min={today} />
      <ChoiceField
        name="workerId"
        label="Who calls"
        options={workers.map(({ id, name }) => ({ value: String(id), label: name }))}
        isNumeric
      />
    </FormDialog>
  )
}

/** The dialogs of the menu of a ticket. */
export default function TicketLayers({ layer, ...props }: PartProps & { layer: TicketLayer }) {
  const { ticket, onClose, onOpen } = props
  switch (layer) {
    case 'merge':
      return <MergeTicket ticket={ticket} onClose={onClose} onMerged={onOpen} />
    case 'suggest':
      return <TicketSuggestion ticket={ticket} onClose={onClose} />
    case 'split':
      return <Split {...props} />
    case 'link':
      return <LinkForm {...props} />
    case 'callback':
      return <Callback {...props} />
  }
}
