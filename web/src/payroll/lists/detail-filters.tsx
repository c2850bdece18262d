import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { EntryStatus, EntryType } from '@limber/contract/payroll/values.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DayRange } from '#ui/form/day-range.tsx'
import { EarnerFilter } from '../earners/earner-filter.tsx'
import { filterOptions } from '../labels.ts'
import { periodsQuery } from '../payroll.api.ts'
import type { DetailsSearch } from './details-search.ts'
import styles from './lists.module.css'

const types = filterOptions('Any type', EntryType.options)
const statuses = filterOptions('Any status', EntryStatus.options)

interface Props {
  search: DetailsSearch
  onChange: (change: Partial<DetailsSearch>) => void
}

export function DetailFilters({ search, onChange }: Props) {
  const periods = useQuery(periodsQuery({ limit: '100' })).data?.rows ?? []
  const listed = periods.map(({ id, starts_on, ends_on }) => ({
    value: String(id),
    label: formatDayRange(starts_on, ends_on),
  }))
  const isListed = search.period === 0 || periods.some(({ id }) => id === search.period)
  const older = isListed ? [] : [{ value: String(search.period), label: `Pay period ${search.period}` }]
  return (
    <div className={styles.filters}>
      <EarnerFilter earner={search.earner} onChange={(earner) => onChange({ earner })} />
      <NativeSelect
        className={styles.fullRow ?? ''}
        label="Pay period"
        data={[{ value: '', label: 'Any period' }, ...listed, ...older]}
        value={search.period === 0 ? '' : String(search.period)}
        onChange={(event) => onChange({ period: Number(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Type"
        data={types}
        value={search.type}
        onChange={(event) => onChange({ type: event.currentTarget.value as DetailsSearch['type'] })}
      />
      <NativeSelect
        label="Status"
        data={statuses}
        value={search.status}
        onChange={(event) => onChange({ status: event.currentTarget.value as DetailsSearch['status'] })}
      />
      <DayRange labels={['Paid from', 'Paid to']} from={search.from} to={search.to} onChange={onChange} />
    </div>
  )
}
