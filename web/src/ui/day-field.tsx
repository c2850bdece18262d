import { TextInput } from '@mantine/core'
import { useField } from './form-state.ts'

interface Props {
  label: string
  name: string
  hint?: string
  min?: string
  max?: string
}

/** A calendar day, by the browser's own picker. */
export function DayField({ label, name, hint, min, max }: Props) {
  const { value, error, set } = useField<string>(name, label, '')
  return (
    <TextInput
      type="date"
      label={label}
      name={name}
      {...(hint ? { description: hint } : {})}
      {...(min ? { min } : {})}
      {...(max ? { max } : {})}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={value}
      error={error}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  )
}
