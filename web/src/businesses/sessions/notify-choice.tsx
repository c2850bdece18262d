import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Checkbox } from '@mantine/core'
import { useSession } from '#platform/session/session.tsx'
import styles from './session.module.css'

export interface Notify {
  stretcher: boolean
  business: boolean
  /** Those who booked a slot; nobody has while it is being scheduled. */
  participants?: boolean
}

interface Props {
  value: Notify
  stretcher: string
  business: string
  /** How many people booked a slot. */
  people?: number
  onChange: (value: Notify) => void
}

/** Who is told by mail: asked before anything is sent. */
export function NotifyChoice({ value, stretcher, business, people = 0, onChange }: Props) {
  const { hasMailServer } = useSession()
  return (
    <fieldset className={styles.notify}>
      <legend className={styles.label}>
        Send a mail about it to{hasMailServer ? '' : ' (no mail server is set up: nobody gets it)'}
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
          label={`${pluralize(people, 'person', 'people')} with a slot, if it moves or is cancelled`}
          checked={value.participants ?? false}
          onChange={(event) => onChange({ ...value, participants: event.currentTarget.checked })}
        />
      )}
    </fieldset>
  )
}
