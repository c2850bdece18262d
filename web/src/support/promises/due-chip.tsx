import type { Ticket } from '@limber/contract/support/tickets/ticket.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconAlarm, IconCheck, IconClock, IconPlayerPause } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTick } from '#ui/format/moment.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './due-chip.module.css'
import { dueOf } from './due-text.ts'

const icons = { clock: IconClock, alarm: IconAlarm, pause: IconPlayerPause, check: IconCheck }

/** By when a ticket needs a response; `children` when nothing was promised. */
export function DueChip({ ticket, children }: { ticket: Ticket; children: ReactNode }) {
  const { promise } = ticket
  const due = dueOf(ticket, useTick(promise?.state === 'running'))
  if (!due) return children
  return (
    <span
      className={styles.chip}
      data-tone={due.tone}
      {...(promise?.dueAt && { title: `Response due ${momentText(promise.dueAt)}` })}
    >
      <Icon of={icons[due.icon]} size={14} />
      <VisuallyHidden>Response: </VisuallyHidden>
      {due.text}
    </span>
  )
}
