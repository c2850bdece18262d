import { TextInput } from '@mantine/core'

interface Days {
  from: string
  to: string
}

interface Props extends Days {
  labels: readonly [from: string, to: string]
  onChange: (change: Partial<Days>) => void
}

/** Filters a list by a first and last day; either can be empty. */
export function DayRange({ labels: [first, last], from, to, onChange }: Props) {
  return (
    <>
      <TextInput
        label={first}
        type="date"
        value={from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        label={last}
        type="date"
        value={to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </>
  )
}
