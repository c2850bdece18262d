import { companyDay } from '@limber/contract/kit/company.ts'
import { ticketChannelLabels } from '@limber/contract/support/report/figure.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { now } from '#platform/clock.ts'
import { DayRange } from '#ui/form/day-range.tsx'
import { tagsQuery } from '../queues/queue.api.ts'
import { kindOptions } from '../queues/queue-labels.ts'
import { ticketWorkersQuery } from '../tickets/ticket.api.ts'
import { daysOf } from './report.api.ts'
import styles from './report.module.css'
import { rangesOf } from './report-ranges.ts'
import type { ReportSearch } from './report-search.ts'

interface Props {
  search: ReportSearch
  onChange: (change: Partial<ReportSearch>) => void
}

const channels = Object.entries(ticketChannelLabels).map(([value, label]) => ({ value, label }))

/** The range and the filter of the report. */
export function ReportFilters({ search, onChange }: Props) {
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const { from, to } = daysOf(search)
  const ranges = rangesOf(companyDay(now()))
  const range = ranges.find((one) => one.from === from && one.to === to)
  const isFiltered = search.channel !== '' || search.kind !== '' || search.tag > 0 || search.assignee !== ''
  return (
    <div className={styles.filters}>
      <NativeSelect
        label="Range"
        data={[
          ...(range ? [] : [{ value: '', label: 'Other days', disabled: true }]),
          ...ranges.map(({ label }) => ({ value: label, label })),
        ]}
        value={range?.label ?? ''}
        onChange={({ currentTarget }) => {
          const chosen = ranges.find(({ label }) => label === currentTarget.value)
          if (chosen) onChange({ from: chosen.from, to: chosen.to })
        }}
      />
      <DayRange labels={['From', 'To']} from={from} to={to} onChange={onChange} />
      <NativeSelect
        label="Channel"
        data={[{ value: '', label: 'Any channel' }, ...channels]}
        value={search.channel}
        onChange={({ currentTarget }) => onChange({ channel: currentTarget.value as ReportSearch['channel'] })}
      />
      <NativeSelect
        label="Kind"
        data={[{ value: '', label: 'Any kind' }, ...kindOptions, { value: 'none', label: 'No kind' }]}
        value={search.kind}
        onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as ReportSearch['kind'] })}
      />
      <NativeSelect
        label="Tag"
        data={[{ value: '0', label: 'Any tag' }, ...tags.map(({ id, name }) => ({ value: String(id), label: name }))]}
        value={String(search.tag)}
        onChange={({ currentTarget }) => onChange({ tag: Number(currentTarget.value) })}
      />
      <NativeSelect
        label="Assignee"
        data={[
          { value: '', label: 'Anyone' },
          { value: 'none', label: 'Unassigned' },
          ...workers.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={search.assignee}
        onChange={({ currentTarget }) => onChange({ assignee: currentTarget.value })}
      />
      {isFiltered && (
        <Button
          className={styles.clear ?? ''}
          variant="default"
          onClick={() => onChange({ channel: '', kind: '', tag: 0, assignee: '' })}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}
