import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { zonesQuery } from './stretcher.api.ts'
import type { StretcherSearch } from './stretcher-search.ts'
import styles from './stretchers.module.css'

interface Props {
  search: StretcherSearch
  onChange: (change: Partial<StretcherSearch>) => void
}

/** Words, status and zone; all of it is in the URL. */
export function StretcherFilters({ search, onChange }: Props) {
  const [text, setText] = useState(search.q)
  const find = useDebouncedCallback((q: string) => onChange({ q }), 200)
  const zones = useQuery(zonesQuery).data?.zones ?? []
  const options = [
    { value: '', label: 'Any zone' },
    { value: 'none', label: 'Without a zone' },
    ...zones.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return (
    <div className={styles.filters}>
      <TextInput
        aria-label="Search stretchers"
        placeholder="Name or e-mail"
        data-section-search
        leftSection={<Icon of={IconSearch} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          find(event.currentTarget.value.trim())
        }}
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
