import { type Ticket, type TicketDetail, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import { useField } from '#ui/form/form-state.ts'
import { Moment } from '#ui/format/moment.tsx'
import { onFoundKeys } from '#ui/keyboard/found-keys.ts'
import list from '../customers/found-customers.module.css'
import { ticketsQuery } from './ticket.api.ts'
import styles from './ticket-field.module.css'

const MAX_SHOWN = 5

export type FoundTicket = Pick<Ticket, 'id' | 'subject' | 'status' | 'createdAt' | 'customer_email'>

const DOT = ' · '

const about = ({ id, status, customer_email }: FoundTicket) =>
  [`#${id}`, customer_email, ticketStatusLabels[status]].join(DOT)

/** The other open tickets of the customer before anything is typed, then what a search finds. */
function useFound({ id, others, customer_email }: TicketDetail, text: string) {
  const [search] = useDebouncedValue(text.trim(), 200)
  const isEnough = search.length > 1 || /^[1-9]$/.test(search)
  const query = { search, limit: String(MAX_SHOWN + 1) }
  const { data = [], error, isPlaceholderData } = useQuery({ ...ticketsQuery(query), enabled: isEnough })
  const own = others.map((other) => ({ ...other, customer_email }))
  const found = (isEnough ? data : own).filter((one) => one.id !== id).slice(0, MAX_SHOWN)
  const isDone = isEnough && search === text.trim() && !isPlaceholderData && error === null
  return { found, error, isNoMatch: isDone && found.length === 0 }
}

interface Props {
  name: string
  label: string
  /** The ticket that another one is selected for. */
  ticket: TicketDetail
  onChoose?: (found: FoundTicket | undefined) => void
}

/** Selects another ticket: one of the same customer, or any by number, subject, customer or text. */
export function TicketField({ name, label, ticket, onChoose }: Props) {
  const { error: problem, set } = useField<number | undefined>(name, label, undefined)
  const [chosen, setChosen] = useState<FoundTicket>()
  const [text, setText] = useState('')
  const { found, error, isNoMatch } = useFound(ticket, text)
  const choose = (one: FoundTicket | undefined) => {
    setChosen(one)
    set(one?.id)
    onChoose?.(one)
  }
  if (chosen)
    return (
      <fieldset className={styles.chosen}>
        <legend>{label}</legend>
        <div className={styles.what}>
          <b>{chosen.subject}</b>
          <span>{about(chosen)}</span>
        </div>
        <Button variant="default" size="xs" onClick={() => choose(undefined)}>
          Change
        </Button>
      </fieldset>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and its list
    <div className={styles.field} onKeyDown={onFoundKeys}>
      <TextInput
        label={label}
        name={name}
        placeholder="Number, subject or customer"
        autoComplete="off"
        data-autofocus
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {found.length > 0 && (
        <ul className={list.found} aria-label={text.trim() === '' ? 'Open tickets of this customer' : 'Tickets found'}>
          {found.map((one) => (
            <li key={one.id}>
              <button type="button" className={list.one} onClick={() => choose(one)}>
                <b>{one.subject}</b>
                <span>
                  {about(one)}
                  {DOT}
                  <Moment at={one.createdAt} form="age" />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNoMatch && (
        <p className={styles.none} role="status">
          No other ticket found.
        </p>
      )}
      <ProblemLine>{error && messageOf(error)}</ProblemLine>
    </div>
  )
}
