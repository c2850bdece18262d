import type { TicketChange } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { tagsQuery } from '#support/queues/queue.api.ts'
import { kindOptions } from '#support/queues/queue-labels.ts'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { priorityOptions } from '../priority-labels.ts'
import { ticketWorkersQuery } from '../ticket.api.ts'
import { statusOptions } from '../ticket-labels.ts'
import styles from './bulk-bar.module.css'
import type { TicketSelection } from './selection.ts'
import { useBulkChange } from './use-bulk-change.ts'

const loadMenu = () => import('./bulk-menu.tsx')
const BulkMenu = lazy(loadMenu)

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
      <LazyMenu button={button} load={loadMenu}>
        <BulkMenu options={options.map(({ label }) => label)} onChoose={(at) => options[at] && onChoose(options[at])} />
      </LazyMenu>
    </div>
  )
}

const statuses = statusOptions.map(({ value, label }): Option => ({ label, change: { status: value } }))
const priorities = priorityOptions.map(({ value, label }): Option => ({ label, change: { priority: value } }))

const kinds: Option[] = [
  ...kindOptions.map(({ value, label }): Option => ({ label, change: { kind: value } })),
  { label: 'Not set', change: { kind: null } },
]

const snoozes: Option[] = [
  { label: 'Until the customer replies', change: { snooze: { until: null } } },
  { label: 'End snooze', change: { snooze: null } },
]

/** Possible assignees: the current worker, no one, then the others. */
function useAssignees(): Option[] {
  const { workerId } = useSession()
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const others = workers.filter(({ id }) => id !== workerId)
  return [
    ...(others.length < workers.length ? [{ label: 'Me', change: { workerId } }] : []),
    { label: 'Unassigned', change: { workerId: null } },
    ...others.map(({ id, name }) => ({ label: name, change: { workerId: id } })),
  ]
}

/** Actions for the selected tickets. */
export function BulkBar({ selection }: { selection: TicketSelection }) {
  const { selected, tickets, clear, selectAll } = selection
  const { change, isPending } = useBulkChange()
  const assignees = useAssignees()
  const { data: known = [] } = useQuery(tagsQuery)
  const tags = known.map(({ id, name }): Option => ({ label: name, change: { addTag: id } }))
  const choice = {
    isDisabled: isPending || selected.length === 0,
    onChoose: (option: Option) => change(selected, option.change),
  }
  return (
    <section className={styles.bar} aria-label="Selected tickets">
      <div className={styles.line}>
        <span className={styles.count} role="status">
          {selected.length === 0 ? 'Select tickets' : `${selected.length} selected`}
        </span>
        {selected.length < tickets.length && (
          <Button variant="subtle" size="compact-xs" onClick={selectAll}>
            Select all on this page
          </Button>
        )}
        <Button className={styles.clear ?? ''} variant="subtle" color="gray" size="compact-xs" onClick={clear}>
          Clear
        </Button>
      </div>
      <div className={styles.line}>
        <Choice name="Status" options={statuses} {...choice} />
        <Choice name="Assign" options={assignees} {...choice} />
        <Choice name="Priority" options={priorities} {...choice} />
      </div>
      <div className={styles.line}>
        <Choice name="Kind" options={kinds} {...choice} />
        <Choice name="Add tag" options={tags} {...choice} isDisabled={choice.isDisabled || tags.length === 0} />
        <Choice name="Snooze" options={snoozes} {...choice} />
      </div>
    </section>
  )
}
