import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useServerSearch } from '#ui/form/use-server-search.ts'
import { findStretchersQuery, selectedStretcherQuery } from './calendar.api.ts'

export interface StretcherFilterProps {
  /** 0 for all stretchers. */
  stretcher: number
  onChange: (stretcher: number) => void
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`

/** Selects a stretcher by name, searched on the server. */
export default function StretcherFind({ stretcher, onChange }: StretcherFilterProps) {
  const chosen = useQuery(selectedStretcherQuery(stretcher)).data
  const { search, optionsOf, field } = useServerSearch(
    stretcher > 0 ? [{ value: String(stretcher), label: chosen ? nameOf(chosen) : `Stretcher ${stretcher}` }] : [],
  )
  const found = useQuery(findStretchersQuery(search)).data?.stretchers ?? []
  return (
    <Select
      aria-label="Stretcher"
      placeholder="Any stretcher"
      {...field}
      clearable
      clearButtonProps={{ 'aria-label': 'Any stretcher' }}
      data={optionsOf(found.map((one) => ({ value: String(one.id), label: nameOf(one) })))}
      value={stretcher > 0 ? String(stretcher) : null}
      onChange={(value) => onChange(Number(value ?? 0))}
    />
  )
}
