import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { type Ticket, type TicketCompany, ticketStatusWords } from '@limber/contract/support/tickets/ticket.ts'
import { Checkbox, VisuallyHidden } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { Marked } from '#ui/layout/marked.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { PriorityBars } from '../priority-bars.tsx'
import { companyWords } from '../thread/ticket-company.ts'
import { statusMeaning } from '../ticket-words.ts'
import type { Choosing } from './choosing.ts'
import styles from './ticket-list.module.css'

interface Props {
  ticket: Ticket
  /** Other workers on this ticket. */
  others: TicketCompany
  isOpen: boolean
  /** The search text, to highlight. */
  words: string
  choosing: Choosing
}

const newestWords = ({ messages, customer, customer_email }: Ticket) => {
  const newest = messages.at(-1)
  if (!newest) return customer?.name ?? customer_email
  const who = newest.from_customer ? (customer?.name ?? customer_email) : (newest.worker?.name ?? 'Staff')
  return `${who}: ${newest.content.slice(0, 200)}`
}

function About({ ticket: { customer, customer_email }, others }: Pick<Props, 'ticket' | 'others'>) {
  const company = companyWords(others)
  if (company) return <span className={styles.company}>{company}</span>
  if (!customer) return <span className={styles.about}>{customer_email}</span>
  const points = `${formatInteger(customer.points)} pts`
  return (
    <span className={styles.about}>
      {customer.rank} · {points}
      {!customer.verified && ' · Unverified'}
    </span>
  )
}

const isWithShift = ({ nativeEvent }: { nativeEvent: Event }) =>
  nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey

/** The checkbox of a ticket. It has no tab stop: the keyboard selects from the row. */
function ChooseBox({ ticket: { id, subject }, choosing }: Pick<Props, 'ticket' | 'choosing'>) {
  return (
    <label className={styles.pick} htmlFor={`choose-${id}`}>
      <VisuallyHidden>
        Select #{id} {subject}
      </VisuallyHidden>
      <Checkbox
        id={`choose-${id}`}
        tabIndex={-1}
        checked={choosing.has(id)}
        onChange={(event) => {
          choosing.toggle(id, isWithShift(event))
          // Move the focus to the row, so that the keyboard continues from there.
          event.currentTarget.closest('[data-ticket]')?.querySelector<HTMLElement>('[data-row]')?.focus()
        }}
      />
    </label>
  )
}

/** One ticket in the list. */
export function TicketRow({ ticket, others, isOpen, words, choosing }: Props) {
  const { id, subject, status, priority, assignee, waitingSince, updatedAt } = ticket
  const isChosen = choosing.has(id)
  // In selection mode a click on a row selects it; with Shift also outside the mode, once a ticket is selected.
  const choose = (event: MouseEvent) => {
    if (event.button !== 0 || !(event.target instanceof Element && event.target.closest('[data-row]'))) return
    if (!choosing.isByHand && !(event.shiftKey && choosing.chosen.length > 0)) return
    event.preventDefault()
    event.stopPropagation()
    choosing.toggle(id, event.shiftKey)
  }
  return (
    <div className={styles.item} data-ticket={id} data-chosen={isChosen || undefined} onClickCapture={choose}>
      <ChooseBox ticket={ticket} choosing={choosing} />
      <MasterRow<'/support/tickets'> search={{ ticket: id }} isOpen={isOpen} isUnread={waitingSince !== null}>
        <span className={styles.subject}>
          <Marked text={subject} part={words} />
        </span>
        <span className={styles.time}>
          {waitingSince && (
            <>
              <Icon of={IconClock} size={12} />
              <VisuallyHidden>Waiting </VisuallyHidden>
            </>
          )}
          <Moment at={waitingSince ?? updatedAt} form="age" />
        </span>
        <span className={styles.newest}>
          <Marked text={newestWords(ticket)} part={words} />
        </span>
        <span className={styles.standing}>
          <StatusDot meaning={statusMeaning[status]}>{ticketStatusWords[status]}</StatusDot>
          <PriorityBars of={priority} />
          <About ticket={ticket} others={others} />
          <span className={styles.assignee}>
            {assignee ? (
              <>
                <VisuallyHidden>Given to {assignee.name}</VisuallyHidden>
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
