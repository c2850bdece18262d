import { formatDay, formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { ticketChannelLabels, ticketFigureLabels } from '@limber/contract/support/report/figure.ts'
import { TicketQueue } from '@limber/contract/support/tickets/ticket.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { now } from '#platform/clock.ts'
import type { ChangeSearch, TicketSearch } from '../tickets/ticket-search.ts'
import styles from './more-filters.module.css'
import { isShown, queuesQuery, searchOf, tagsQuery } from './queue.api.ts'
import { kindOptions, queueLabels } from './queue-labels.ts'

interface Props {
  search: TicketSearch
  onChange: ChangeSearch
}

/** Queues and views as one choice, for narrow screens that have no section list. */
function QueueChoice({ search, onChange }: Props) {
  const { data } = useQuery(queuesQuery)
  const choices = [
    { value: '', label: 'All tickets', filter: {} },
    ...TicketQueue.options.map((queue) => ({
      value: queue,
      label: `${queueLabels[queue]} (${data?.queues[queue] ?? 0})`,
      filter: { queue },
    })),
    ...(data?.views ?? []).map((view) => ({
      value: `view-${view.id}`,
      label: `${view.name} (${view.count})`,
      filter: view,
    })),
  ]
  const chosen = choices.find(({ filter }) => isShown(search, filter))
  return (
    <NativeSelect
      className={styles.queue ?? ''}
      aria-label="Queue"
      data={[
        ...(chosen ? [] : [{ value: 'other', label: 'Other filters', disabled: true }]),
        ...choices.map(({ value, label }) => ({ value, label })),
      ]}
      value={chosen?.value ?? 'other'}
      onChange={(event) => {
        const next = choices.find(({ value }) => value === event.currentTarget.value)
        if (next) onChange(searchOf(next.filter))
      }}
    />
  )
}

/** The report filters by these, too. */
const WITHOUT_REPORT = { figure: '', from: '', to: '', channel: '', kind: '', tag: 0, assignee: '' } as const

/** What a number of the support report counts, with a way back to all tickets. */
function FigureChoice({ search: { figure, from, to, channel }, onChange }: Props) {
  if (!figure && !channel) return null
  const days =
    from && to ? formatDayRange(from, to, { now: now() }) : to ? `until ${formatDay(to, { now: now() })}` : ''
  const parts = [figure && ticketFigureLabels[figure], figure && days, channel && ticketChannelLabels[channel]]
  return (
    <div className={styles.figure}>
      <span>From the report: {parts.filter(Boolean).join(', ')}</span>
      <Button variant="default" size="compact-sm" onClick={() => onChange({ ...WITHOUT_REPORT, page: 1 })}>
        Show all tickets
      </Button>
    </div>
  )
}

/** Filters by kind and tag. They load after the list, because the list does not need them. */
export default function MoreFilters({ search, onChange }: Props) {
  const { data: tags = [] } = useQuery(tagsQuery)
  return (
    <>
      <QueueChoice search={search} onChange={onChange} />
      <div className={styles.choices}>
        <NativeSelect
          aria-label="Kind"
          data={[{ value: '', label: 'Any kind' }, ...kindOptions, { value: 'none', label: 'No kind' }]}
          value={search.kind}
          onChange={(event) => onChange({ kind: event.currentTarget.value as TicketSearch['kind'], page: 1 })}
        />
        <NativeSelect
          aria-label="Tag"
          data={[
            { value: '0', label: 'Any tag' },
            ...tags.map(({ id, name, tickets }) => ({ value: String(id), label: `${name} (${tickets})` })),
          ]}
          value={String(search.tag)}
          onChange={(event) => onChange({ tag: Number(event.currentTarget.value), page: 1 })}
        />
      </div>
      <FigureChoice search={search} onChange={onChange} />
    </>
  )
}
