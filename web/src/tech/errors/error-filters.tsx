import { NativeSelect } from '@mantine/core'
import { SearchField } from '#ui/form/search-field.tsx'
import styles from '../tech.module.css'
import type { ErrorSearch } from './error-search.ts'

const classes = [
  { value: '', label: 'Any status' },
  { value: '5xx', label: 'Server errors (5xx)' },
  { value: '4xx', label: 'Rejected calls (4xx)' },
]
const sources = [
  { value: '', label: 'Both apps' },
  { value: 'staff', label: 'Limber' },
  { value: 'customer', label: 'Customer app' },
]
const states = [
  { value: '', label: 'Open and handled' },
  { value: 'open', label: 'Open' },
  { value: 'handled', label: 'Handled' },
]

interface Props {
  search: ErrorSearch
  onChange: (change: Partial<ErrorSearch>) => void
}

export function ErrorFilters({ search, onChange }: Props) {
  return (
    <div className={styles.filters}>
      <SearchField
        label="Search by path"
        placeholder="Part of a path"
        value={search.q}
        onFind={(q) => onChange({ q })}
      />
      <NativeSelect
        aria-label="Status"
        data={classes}
        value={search.class}
        onChange={(event) => onChange({ class: event.currentTarget.value as ErrorSearch['class'] })}
      />
      <NativeSelect
        aria-label="Source"
        data={sources}
        value={search.source}
        onChange={(event) => onChange({ source: event.currentTarget.value as ErrorSearch['source'] })}
      />
      <NativeSelect
        aria-label="State"
        data={states}
        value={search.state}
        onChange={(event) => onChange({ state: event.currentTarget.value as ErrorSearch['state'] })}
      />
    </div>
  )
}
