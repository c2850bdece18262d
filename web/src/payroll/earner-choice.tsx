import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { earnerQuery, earnersQuery } from './earner.api.ts'

const SHOWN = '20'
const WAIT = 200

export interface EarnerFilterProps {
  /** 0 for everybody. */
  earner: number
  onChange: (earner: number) => void
}

/** One earner of many, found by name on the server. */
export default function EarnerChoice({ earner, onChange }: EarnerFilterProps) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, WAIT)
  const chosen = useQuery(earnerQuery(earner)).data
  const own = earner > 0 ? { value: String(earner), label: chosen?.name ?? `Earner ${earner}` } : undefined
  // The name of the chosen one stands in the field: it is no search.
  const found =
    useQuery(earnersQuery({ limit: SHOWN, search: search === own?.label ? '' : search })).data?.earners ?? []
  const others = found.filter(({ id }) => id !== earner).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <Select
      label="Earner"
      placeholder="Anybody"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any earner' }}
      nothingFoundMessage="Nobody is found"
      // The server did the filtering.
      filter={({ options }) => options}
      data={own ? [own, ...others] : others}
      value={own?.value ?? null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(value) => onChange(Number(value ?? 0))}
    />
  )
}
