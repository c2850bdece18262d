import { fieldOf, momentsOf, ownZone } from '@limber/contract/kit/zone-time.ts'
import { TextInput } from '@mantine/core'
import { useField } from './form-state.ts'
import { readMoment } from './moment-text.ts'

interface Props {
  label: string
  name: string
  hint?: string
}

/** A moment, chosen by the browser's own picker by the clocks of this place, and sent in UTC. */
export function InstantField({ label, name, hint }: Props) {
  const { value, error, set } = useField<string>(name, label, '')
  const moment = readMoment(value)
  return (
    <TextInput
      type="datetime-local"
      label={label}
      name={name}
      {...(hint ? { description: hint } : {})}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={moment ? fieldOf(moment, ownZone()) : ''}
      error={error}
      // An hour that the clocks show twice means its first.
      onChange={(event) => set(momentsOf(event.currentTarget.value, ownZone())?.[0]?.toISOString())}
    />
  )
}
