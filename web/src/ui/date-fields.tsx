import '@mantine/dates/styles.layer.css'
import { DateInput, DateTimePicker } from '@mantine/dates'
import { useField } from './form-state.ts'
import { readMoment } from './moment-text.ts'

interface Props {
  label: string
  name: string
  placeholder?: string
}

/** A calendar day, `2026-11-14` on the wire. */
export function DayField({ label, name, placeholder = 'Day' }: Props) {
  const { value, error, set } = useField<string>(name, label, '')
  return (
    <DateInput
      label={label}
      name={name}
      placeholder={placeholder}
      valueFormat="D MMM YYYY"
      clearable
      value={value || null}
      error={error}
      onChange={(next) => set(next ?? undefined)}
    />
  )
}

const pad = (part: number) => String(part).padStart(2, '0')

/** The picker thinks in local time without a zone. */
function localText(instant: string): string | null {
  const moment = readMoment(instant)
  if (!moment) return null
  const day = `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`
  return `${day} ${pad(moment.getHours())}:${pad(moment.getMinutes())}:00`
}

/** A moment, chosen in local time and sent in UTC. */
export function InstantField({ label, name, placeholder = 'Day and time' }: Props) {
  const { value, error, set } = useField<string>(name, label, '')
  return (
    <DateTimePicker
      label={label}
      name={name}
      placeholder={placeholder}
      valueFormat="D MMM YYYY, HH:mm"
      clearable
      value={localText(value)}
      error={error}
      onChange={(next) => set(readMoment(next?.replace(' ', 'T').concat(offsetOf(next)))?.toISOString())}
    />
  )
}

/** The zone of this place at that moment; summer and winter differ. */
function offsetOf(local: string): string {
  const minutes = -new Date(local.replace(' ', 'T')).getTimezoneOffset()
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}
