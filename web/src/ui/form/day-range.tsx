import { TextInput } from '@mantine/core'

interface Days {
  from: string
  to: string
}

interface Props extends Days {
  labels: readonly [from: string, to: string]
  onChange: (change: Partial<Days>) => void
}

/** Two days between which a list is shown; either may be left open. */
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
