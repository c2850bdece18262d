import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import {
  IconBan,
  IconCalendarEvent,
  IconCalendarX,
  IconCoins,
  IconMessage,
  IconReceiptRefund,
} from '@tabler/icons-react'
import { useCan } from '#platform/session/session.tsx'
import { MenuChoice } from '#ui/dialog/menu-choice.tsx'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import type { RailLayer } from './rail-parts.tsx'

interface Props {
  user: UserDetail
  bookings: readonly { isRequested: boolean }[]
  hasPayment: boolean
  onLayer: (layer: RailLayer) => void
}

/** What can be done for the customer without leaving the ticket. */
export default function CustomerMenu({ user, bookings, hasPayment, onLayer }: Props) {
  const hasBooking = bookings.some(({ isRequested }) => !isRequested)
  const mayText = useCan('support.tab')
  const { status, isErased, mergedInto } = user.accountStatus
  const isGone = isErased || mergedInto !== null
  const { phone } = user.personalInfo
  return (
    <OpenMenu position="bottom-end">
      <MenuChoice leftSection={<Icon of={IconCoins} />} isDisabled={isGone} onClick={() => onLayer('credits')}>
        Grant credits…
      </MenuChoice>
      <MenuChoice
        leftSection={<Icon of={IconReceiptRefund} />}
        isDisabled={isGone || !hasPayment}
        onClick={() => onLayer('refund')}
      >
        {hasPayment ? 'Note a refund…' : 'No payment to refund'}
      </MenuChoice>
      <MenuChoice
        leftSection={<Icon of={IconCalendarEvent} />}
        isDisabled={!hasBooking}
        onClick={() => onLayer('move')}
      >
        {hasBooking ? 'Move a booking…' : bookings.length > 0 ? 'Booking change requested' : 'No upcoming booking'}
      </MenuChoice>
      {hasBooking && (
        <MenuChoice leftSection={<Icon of={IconCalendarX} />} onClick={() => onLayer('cancel')}>
          Cancel a booking…
        </MenuChoice>
      )}
      {mayText && (
        <MenuChoice leftSection={<Icon of={IconMessage} />} isDisabled={!phone} onClick={() => onLayer('text')}>
          {phone ? 'Text the customer…' : 'No phone number'}
        </MenuChoice>
      )}
      <MenuChoice leftSection={<Icon of={IconBan} />} isDisabled={isGone} onClick={() => onLayer('block')}>
        {status === 'blocked' ? 'Unblock…' : 'Block…'}
      </MenuChoice>
    </OpenMenu>
  )
}
