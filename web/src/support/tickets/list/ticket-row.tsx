import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import {
  type Ticket,
  type TicketPresence,
  ticketKindLabels,
  ticketStatusLabels,
} from '@limber/contract/support/tickets/ticket.ts'
import { Checkbox, VisuallyHidden } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { DueChip } from '#support/promises/due-chip.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Highlight } from '#ui/layout/highlight.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { PriorityBars } from '../priority-bars.tsx'
import { presenceText } from '../thread/ticket-presence.ts'
import { statusMeaning } from '../ticket-labels.ts'
import type { TicketSelection } from './selection.ts'
import styles from './ticket-list.module.css'

interface Props {
  ticket: Ticket
  /** Other workers on this ticket. */
  others: TicketPresence
  isOpen: boolean
  /** This worker marked it unread. */
  isMarked: boolean
  /** It left the list and is shown until the worker leaves it. */
  isGone?: boolean
  /** The search text, to highlight. */
  search: string
  selection: TicketSelection
}

const newestText = ({ messages, customer, customer_email }: Ticket) => {
  const newest = messages.at(-1)
  if (!newest) return customer?.name ?? customer_email
  const who = newest.from_customer ? (customer?.name ?? customer_email) : (newest.worker?.name ?? 'Support')
  return `${who}: ${newest.content.slice(0, 200)}`
}

function About({ ticket: { customer, customer_email, kind }, others }: Pick<Props, 'ticket' | 'others'>) {
  const presence = presenceText(others)
  if (presence) return <span className={styles.presence}>{presence}</span>
  const what = kind && `${ticketKindLabels[kind]} · `
  if (!customer)
    return (
      <span className={styles.about}>
        {what}
        {customer_email}
      </span>
    )
  const points = `${formatInteger(customer.points)} pts`
  return (
    <span className={styles.about}>
      {what}
      {customer.rank} · {points}
      {!customer.verified && ' · Unverified'}
    </span>
  )
}

const isWithShift = ({ nativeEvent }: { nativeEvent: Event }) =>
  nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey

/** The checkbox of a ticket. It has no tab stop: the keyboard selects from the row. */
function SelectBox({ ticket: { id, subject }, selection }: Pick<Props, 'ticket' | 'selection'>) {
  return (
    <label className={styles.pick} htmlFor={`select-${id}`}>
      <VisuallyHidden>
        Select #{id} {subject}
      </VisuallyHidden>
      <Checkbox
        id={`select-${id}`}
        tabIndex={-1}
        checked={selection.has(id)}
        onChange={(event) => {
          selection.toggle(id, isWithShift(event))
          // Move the focus to the row, so that the keyboard continues from there.
          event.currentTarget.closest('[data-ticket]')?.querySelector<HTMLElement>('[data-row]')?.focus()
        }}
      />
    </label>
  )
}

/** One ticket in the list. */
export function TicketRow({ ticket, others, isOpen, isMarked, isGone = false, search, selection }: Props) {
  const { id, subject, status, priority, assignee, waitingSince, updatedAt } = ticket
  const isSelected = selection.has(id)
  // In selection mode a click on a row selects it; with Shift also outside the mode, once a ticket is selected.
  const select = (event: MouseEvent) => {
    if (event.button !== 0 || !(event.target instanceof Element && event.target.closest('[data-row]'))) return
    if (!selection.isSelectMode && !(event.shiftKey && selection.selected.length > 0)) return
    event.preventDefault()
    event.stopPropagation()
    selection.toggle(id, event.shiftKey)
  }
  return (
    <div
      className={styles.item}
      data-ticket={id}
      data-selected={isSelected || undefined}
      data-gone={isGone || undefined}
      onClickCapture={select}
    >
      {!isGone && <SelectBox ticket={ticket} selection={selection} />}
      <MasterRow<'/support/tickets'>
        search={{ ticket: id }}
        isOpen={isOpen}
        isUnread={!isGone && (isMarked || waitingSince !== null)}
      >
        <span className={styles.subject}>
          <Highlight text={subject} part={search} />
        </span>
        <span className={styles.time}>
          <DueChip ticket={ticket}>
            {waitingSince && (
              <>
                <Icon of={IconClock} size={12} />
                <VisuallyHidden>Waiting </VisuallyHidden>
              </>
            )}
            <Moment at={waitingSince ?? updatedAt} form="age" />
          </DueChip>
        </span>
        <span className={styles.newest}>
          <Highlight text={newestText(ticket)} part={search} />
        </span>
        <span className={styles.standing}>
          {isMarked && <b className={styles.marked}>Unread</b>}
          <StatusDot meaning={statusMeaning[status]}>{ticketStatusLabels[status]}</StatusDot>
          <PriorityBars of={priority} />
          {isGone ? (
            <span className={styles.about}>No longer in this list</span>
          ) : (
            <About ticket={ticket} others={others} />
          )}
          <span className={styles.assignee}>
            {assignee ? (
              <>
                <VisuallyHidden>Assigned to {assignee.name}</VisuallyHidden>
                <Avatar name={assignee.name} size={20} />
              </>
            ) : (
              'Unassigned'
            )}
          </span>
        </span>
      </MasterRow>
    </div>
  )
}
