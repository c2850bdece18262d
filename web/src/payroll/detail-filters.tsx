import { EntryStatus, EntryType } from '@limber/contract/payroll/values.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DetailsSearch } from './details-search.ts'
import { EarnerFilter } from './earner-filter.tsx'
import styles from './lists.module.css'
import { periodsQuery } from './payroll.api.ts'
import { spanText } from './words.ts'

const optionsOf = (any: string, values: readonly string[]) => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: value })),
]
const types = optionsOf('Any type', EntryType.options)
const statuses = optionsOf('Any status', EntryStatus.options)

interface Props {
  search: DetailsSearch
  onChange: (change: Partial<DetailsSearch>) => void
}

/** Which entries are shown; all of it is in the URL. */
export function DetailFilters({ search, onChange }: Props) {
  const periods = useQuery(periodsQuery({ limit: '100' })).data?.rows ?? []
  const listed = periods.map(({ id, starts_on, ends_on }) => ({
    value: String(id),
    label: spanText(starts_on, ends_on),
  }))
  const isListed = search.period === 0 || periods.some(({ id }) => id === search.period)
  const older = isListed ? [] : [{ value: String(search.period), label: `Period ${search.period}` }]
  return (
    <div className={styles.filters}>
      <EarnerFilter earner={search.earner} onChange={(earner) => onChange({ earner })} />
      <NativeSelect
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
      <TextInput
        label="Paid from"
        type="date"
        value={search.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        label="Paid to"
        type="date"
        value={search.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </div>
  )
}
