import type { TicketChange } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { MenuLater } from '#ui/dialog/menu-later.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { ticketWorkersQuery } from '../ticket.api.ts'
import { priorityOptions, statusOptions } from '../ticket-words.ts'
import type { Choosing } from './choosing.ts'
import styles from './many-bar.module.css'
import { useChangeMany } from './use-change-many.ts'

const loadMenu = () => import('./many-menu.tsx')
const ManyMenu = lazy(loadMenu)

interface Option {
  label: string
  change: TicketChange
}

interface ChoiceProps {
  name: string
  options: readonly Option[]
  isDisabled: boolean
  onChoose: (option: Option) => void
}

function Choice({ name, options, isDisabled, onChoose }: ChoiceProps) {
  const button = (
    <Button
      variant="default"
      size="xs"
      fullWidth
      disabled={isDisabled}
      rightSection={<Icon of={IconChevronDown} size={14} />}
    >
      {name}
    </Button>
  )
  return (
    <div className={styles.choice}>
      <MenuLater button={button} load={loadMenu}>
        <ManyMenu options={options.map(({ label }) => label)} onChoose={(at) => options[at] && onChoose(options[at])} />
      </MenuLater>
    </div>
  )
}

const statuses = statusOptions.map(({ value, label }): Option => ({ label, change: { status: value } }))
const priorities = priorityOptions.map(({ value, label }): Option => ({ label, change: { priority: value } }))

/** Possible assignees: the current worker, no one, then the others. */
function useOwners(): Option[] {
  const { workerId } = useSession()
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const others = workers.filter(({ id }) => id !== workerId)
  return [
    ...(others.length < workers.length ? [{ label: 'Me', change: { workerId } }] : []),
    { label: 'Nobody', change: { workerId: null } },
    ...others.map(({ id, name }) => ({ label: name, change: { workerId: id } })),
  ]
}

/** Actions for the selected tickets. */
export function ManyBar({ choosing }: { choosing: Choosing }) {
  const { chosen, tickets, clear, chooseAll } = choosing
  const { change, isPending } = useChangeMany()
  const owners = useOwners()
  const choice = {
    isDisabled: isPending || chosen.length === 0,
    onChoose: (option: Option) => change(chosen, option.change),
  }
  return (
    <section className={styles.bar} aria-label="Selected tickets">
      <div className={styles.line}>
        <span className={styles.count} role="status">
          {chosen.length === 0 ? 'Select tickets' : `${chosen.length} selected`}
        </span>
        {chosen.length < tickets.length && (
          <Button variant="subtle" size="compact-xs" onClick={chooseAll}>
            Select all on this page
          </Button>
        )}
        <Button className={styles.clear ?? ''} variant="subtle" color="gray" size="compact-xs" onClick={clear}>
          Clear
        </Button>
      </div>
      <div className={styles.line}>
        <Choice name="Status" options={statuses} {...choice} />
        <Choice name="Assign" options={owners} {...choice} />
        <Choice name="Priority" options={priorities} {...choice} />
      </div>
    </section>
  )
}
