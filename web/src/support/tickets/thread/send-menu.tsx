import type { TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { Menu } from '@mantine/core'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'

interface Props {
  onSend: (status: TicketStatus) => void
}

/** Menu items that send a response and set the status. */
export default function SendMenu({ onSend }: Props) {
  return (
    <OpenMenu position="top-end">
      <Menu.Item rightSection={<KeyCap keys="Mod Shift Enter" isHidden />} onClick={() => onSend('closed')}>
        Send and close
      </Menu.Item>
      <Menu.Item onClick={() => onSend('in_progress')}>Send and set In Progress</Menu.Item>
    </OpenMenu>
  )
}
