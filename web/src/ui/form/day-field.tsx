import { TextInput } from '@mantine/core'
import { type FieldProps, inputProps } from './fields.tsx'
import { useField } from './form-state.ts'

interface Props extends FieldProps {
  min?: string
  max?: string
}

/** A date, with the browser's date picker. */
export function DayField({ min, max, ...field }: Props) {
  const { value, error, set } = useField<string>(field.name, field.label, '')
  return (
    <TextInput
      {...inputProps(field)}
      type="date"
      {...(min ? { min } : {})}
      {...(max ? { max } : {})}
      value={value}
      error={error}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  )
}
