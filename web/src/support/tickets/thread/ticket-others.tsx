import type { TicketPresence } from '@limber/contract/support/tickets/ticket.ts'
import { Avatar } from '#ui/layout/avatar.tsx'
import styles from './ticket-detail.module.css'

/** The other workers on this ticket, so that two do not reply to the same question. */
export default function TicketOthers({ presence }: { presence: TicketPresence }) {
  return (
    <div className={styles.others} role="status">
      {presence.map(({ workerId, name, state }) => (
        <span key={workerId} className={styles.other}>
          <Avatar name={name} isOnline />
          <span>
            <b>{name}</b> is viewing this ticket{state === 'typing' && ' and writing a reply'}
          </span>
        </span>
      ))}
    </div>
  )
}
