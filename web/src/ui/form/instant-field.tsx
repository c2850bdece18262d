import { companyZone } from '@limber/contract/kit/company.ts'
import { inputFromMoment, momentsFromInput } from '@limber/contract/kit/zone-time.ts'
import { TextInput } from '@mantine/core'
import { readMoment } from '../format/moment-text.ts'
import { type FieldProps, inputProps } from './fields.tsx'
import { useField } from './form-state.ts'

/** A date and time in the company's time zone, sent in UTC. */
export function InstantField(field: FieldProps) {
  const { value, error, set } = useField<string>(field.name, field.label, '')
  const moment = readMoment(value)
  return (
    <TextInput
      {...inputProps(field)}
      type="datetime-local"
      value={moment ? inputFromMoment(moment, companyZone()) : ''}
      error={error}
      // A time that occurs twice when clocks go back means the first one.
      onChange={(event) => set(momentsFromInput(event.currentTarget.value, companyZone())?.[0]?.toISOString())}
    />
  )
}
