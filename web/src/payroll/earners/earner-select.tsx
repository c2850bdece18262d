import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useServerSearch } from '#ui/form/use-server-search.ts'
import { earnerQuery, earnersQuery } from './earner.api.ts'

const SHOWN = '20'

export interface EarnerFilterProps {
  /** 0 for all earners. */
  earner: number
  onChange: (earner: number) => void
}

/** Selects an earner; the server searches by name. */
export default function EarnerSelect({ earner, onChange }: EarnerFilterProps) {
  const chosen = useQuery(earnerQuery(earner)).data
  const { search, optionsOf, field } = useServerSearch(
    earner > 0 ? [{ value: String(earner), label: chosen?.name ?? `Earner ${earner}` }] : [],
  )
  const found = useQuery(earnersQuery({ limit: SHOWN, search })).data?.earners ?? []
  return (
    <Select
      label="Earner"
      placeholder="Any earner"
      {...field}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear earner' }}
      data={optionsOf(found.map(({ id, name }) => ({ value: String(id), label: name })))}
      value={earner > 0 ? String(earner) : null}
      onChange={(value) => onChange(Number(value ?? 0))}
    />
  )
}
