import { Select } from '@mantine/core'
import { useField } from './form-state.ts'

interface Props {
  label: string
  name: string
  options: readonly { value: string; label: string }[]
  placeholder?: string
  isNumeric?: boolean
}

/** Selects one of many options, with search. */
export function SelectField({ label, name, options, placeholder = '', isNumeric = false }: Props) {
  const { value, error, set } = useField<string | number>(name, label, '')
  return (
    <Select
      label={label}
      name={name}
      data={[...options]}
      placeholder={placeholder}
      searchable
      nothingFoundMessage="No matches"
      value={value === '' ? null : String(value)}
      error={error}
      onChange={(next) => set(next === null ? undefined : isNumeric ? Number(next) : next)}
    />
  )
}
