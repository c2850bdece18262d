import type { TicketPriority } from '@limber/contract/support/tickets/ticket.ts'
import styles from './priority-bars.module.css'
import { priorityLabels } from './priority-labels.ts'

/** The priority as one to three bars, with a label for screen readers. */
export function PriorityBars({ of: priority }: { of: TicketPriority }) {
  return (
    <span
      className={styles.bars}
      data-of={priority}
      role="img"
      aria-label={`${priorityLabels[priority]} priority`}
      title={`${priorityLabels[priority]} priority`}
    />
  )
}
