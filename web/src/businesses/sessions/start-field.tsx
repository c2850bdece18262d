import { formatTime, zoneNameAt } from '@limber/contract/kit/formats/dates.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { now } from '#platform/clock.ts'
import { startInZone } from '../labels.ts'
import styles from './session.module.css'
import type { StartEntry, StartReading } from './start-time.ts'

interface Props {
  entry: StartEntry
  reading: StartReading
  hours: number
  zone: string
  zoneName: string
  onChange: (entry: StartEntry) => void
  isDisabled?: boolean
}

/** 'Start time' in the business's time zone, and the 'Ends at' that follows from it. */
export function StartField({ entry, reading, hours, zone, zoneName, onChange, isDisabled = false }: Props) {
  const { at, both, problem } = reading
  const end = at && new Date(at.getTime() + hours * 3_600_000)
  const endText = end ? startInZone(end, zone, now()) : 'Unknown'
  return (
    <div className={styles.when}>
      <TextInput
        type="datetime-local"
        step={300}
        label="Start time"
        description={at ? `${zoneName} time, ${zoneNameAt(at, zone)}` : `${zoneName} time`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={entry.field}
        error={problem}
        disabled={isDisabled}
        onChange={(event) => onChange({ field: event.currentTarget.value, isSecond: false })}
      />
      <TextInput
        label="Ends at"
        description={`${hours} hours later`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={endText}
        readOnly
        className={styles.ends ?? ''}
      />
      {both.length > 1 && (
        <NativeSelect
          label="This time occurs twice"
          value={entry.isSecond ? 'second' : 'first'}
          onChange={(event) => onChange({ ...entry, isSecond: event.currentTarget.value === 'second' })}
          data={both.map((moment, place) => ({
            value: place === 0 ? 'first' : 'second',
            label: `${place === 0 ? 'The first' : 'The second'}, ${formatTime(moment, { zone, isZoneNamed: true })}`,
          }))}
        />
      )}
    </div>
  )
}
