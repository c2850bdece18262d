import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Checkbox } from '@mantine/core'
import { useSession } from '#platform/session/session.tsx'
import styles from './session.module.css'

export interface Notify {
  stretcher: boolean
  business: boolean
  /** Participants who booked a slot; there are none while scheduling. */
  participants?: boolean
}

interface Props {
  value: Notify
  stretcher: string
  business: string
  /** Number of participants. */
  people?: number
  onChange: (value: Notify) => void
}

/** Selects who gets an email before anything is sent. */
export function NotifyChoice({ value, stretcher, business, people = 0, onChange }: Props) {
  const { hasMailServer } = useSession()
  return (
    <fieldset className={styles.notify}>
      <legend className={styles.label}>
        Send an email to{hasMailServer ? '' : ' (no mail server is connected, so nothing is sent)'}
      </legend>
      <Checkbox
        label={stretcher}
        checked={value.stretcher}
        onChange={(event) => onChange({ ...value, stretcher: event.currentTarget.checked })}
      />
      <Checkbox
        label={business}
        checked={value.business}
        onChange={(event) => onChange({ ...value, business: event.currentTarget.checked })}
      />
      {people > 0 && (
        <Checkbox
          label={`${pluralize(people, 'person', 'people')} with a slot, if it is moved or canceled`}
          checked={value.participants ?? false}
          onChange={(event) => onChange({ ...value, participants: event.currentTarget.checked })}
        />
      )}
    </fieldset>
  )
}
