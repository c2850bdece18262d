import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useServerSearch } from '#ui/form/use-server-search.ts'
import { chosenStretcherQuery, findStretchersQuery } from './calendar.api.ts'

export interface StretcherFilterProps {
  /** 0 for everybody. */
  stretcher: number
  onChange: (stretcher: number) => void
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`

/** One stretcher of many, found by name on the server. */
export default function StretcherFind({ stretcher, onChange }: StretcherFilterProps) {
  const chosen = useQuery(chosenStretcherQuery(stretcher)).data
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
