import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { Id, Instant } from '@limber/contract/kit/values.ts'
import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { noteRefund, type TicketContext } from '@limber/contract/support/related/related.ts'
import { lazy } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField } from '#ui/form/fields.tsx'
import { MoneyField } from '#ui/form/figure-field.tsx'
import { InstantField } from '#ui/form/instant-field.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import type { RailLayer } from './rail-parts.tsx'
import { useBookingChange, useRefundNote } from './related.api.ts'

const accountForms = () => import('#support/customers/account/account-forms.tsx')
const BlockForm = lazy(async () => ({ default: (await accountForms()).BlockForm }))
const UnblockForm = lazy(async () => ({ default: (await accountForms()).UnblockForm }))
const CreditsForm = lazy(async () => ({
  default: (await import('#support/customers/account/credits-form.tsx')).CreditsForm,
}))

const TextDialog = lazy(() => import('#support/texts/text-dialog.tsx'))

interface Props {
  layer: RailLayer
  ticketId: number
  user: UserDetail
  account: NonNullable<TicketContext['account']>
  onClose: () => void
}

type PartProps = Omit<Props, 'layer'>

const Move = z.strictObject({ bookingId: Id, startsAt: Instant })
const Cancel = z.strictObject({ bookingId: Id })

const changeable = ({ bookings }: Props['account']) => bookings.filter(({ isRequested }) => !isRequested)

const bookingOptions = (account: Props['account']) =>
  changeable(account).map(({ id, startsAt, stretcher }) => ({
    value: String(id),
    label: `${momentText(startsAt, 'moment')}${stretcher ? ` with ${stretcher}` : ''}`,
  }))

const initialBooking = (account: Props['account']) => {
  const [next] = changeable(account)
  return next ? { bookingId: next.id } : {}
}
const REQUEST_NOTE =
  'The app changes bookings. The request goes to it at once and cannot be undone. A task stays on the ticket until the booking is changed.'

function MoveForm({ ticketId, account, onClose }: PartProps) {
  const request = useBookingChange(ticketId)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Move a booking"
      context={REQUEST_NOTE}
      submit="Request the change"
      schema={Move}
      mutation={{ mutateAsync: (body) => request.mutateAsync({ change: 'move', ...body }) }}
      initial={initialBooking(account)}
      onDone={() => toast('The app was asked to move the booking.')}
    >
      <ChoiceField name="bookingId" label="Booking" options={bookingOptions(account)} isNumeric />
      <InstantField name="startsAt" label="New start" />
    </FormDialog>
  )
}

function CancelForm({ ticketId, account, onClose }: PartProps) {
  const request = useBookingChange(ticketId)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Cancel a booking"
      context={REQUEST_NOTE}
      submit="Request cancellation"
      cancel="Keep the booking"
      isDestructive
      schema={Cancel}
      mutation={{ mutateAsync: (body) => request.mutateAsync({ change: 'cancel', ...body }) }}
      initial={initialBooking(account)}
      onDone={() => toast('The app was asked to cancel the booking.')}
    >
      <ChoiceField name="bookingId" label="Booking" options={bookingOptions(account)} isNumeric />
    </FormDialog>
  )
}

const paymentTypes: Record<string, string> = { credit_purchase: 'Credits', session_payment: 'Session' }

function RefundForm({ ticketId, account: { payments }, onClose }: PartProps) {
  const note = useRefundNote(ticketId)
  const [newest] = payments
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Note a refund"
      context="The note is added to this ticket and to the customer. The payment itself is refunded where it was made."
      submit="Add note"
      schema={noteRefund.body}
      mutation={note}
      initial={newest ? { paymentId: newest.id } : {}}
      onDone={() => toast('Refund noted.')}
    >
      <ChoiceField
        name="paymentId"
        label="Payment"
        options={payments.map(({ id, createdAt, type, amount }) => ({
          value: String(id),
          label: `${formatMoney(amount)}, ${paymentTypes[type] ?? type}, ${momentText(createdAt, 'day')}`,
        }))}
        isNumeric
      />
      <MoneyField name="amount" label="Refund" />
      <AreaField name="reason" label="Reason" rows={2} />
    </FormDialog>
  )
}

/** The forms for the customer of a ticket. */
export default function CustomerLayers({ layer, ...props }: Props) {
  const { user, onClose } = props
  const form = { user, onClose, onDone: onClose }
  switch (layer) {
    case 'credits':
      return <CreditsForm {...form} />
    case 'block':
      return user.accountStatus.status === 'blocked' ? <UnblockForm {...form} /> : <BlockForm {...form} />
    case 'move':
      return <MoveForm {...props} />
    case 'cancel':
      return <CancelForm {...props} />
    case 'refund':
      return <RefundForm {...props} />
    case 'text':
      return <TextDialog name={user.personalInfo.name} phone={user.personalInfo.phone ?? ''} onClose={onClose} />
  }
}
