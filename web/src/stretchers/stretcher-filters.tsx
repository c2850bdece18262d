import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { zonesQuery } from '#businesses/public.ts'
import { SearchField } from '#ui/form/search-field.tsx'
import type { StretcherSearch } from './stretcher-search.ts'
import styles from './stretchers.module.css'

interface Props {
  search: StretcherSearch
  onChange: (change: Partial<StretcherSearch>) => void
}

export function StretcherFilters({ search, onChange }: Props) {
  const zones = useQuery(zonesQuery).data?.zones ?? []
  const options = [
    { value: '', label: 'Any zone' },
    { value: 'none', label: 'No zone' },
    ...zones.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return (
    <div className={styles.filters}>
      <SearchField
        label="Search stretchers"
        placeholder="Name or email"
        value={search.q}
        onFind={(q) => onChange({ q })}
      />
      <NativeSelect
        aria-label="Zone"
        data={options}
        value={search.zone}
        onChange={(event) => onChange({ zone: event.currentTarget.value })}
      />
    </div>
  )
}
