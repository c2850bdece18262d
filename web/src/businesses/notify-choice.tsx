import { Checkbox } from '@mantine/core'
import styles from './session.module.css'

export interface Notify {
  stretcher: boolean
  business: boolean
}

interface Props {
  value: Notify
  stretcher: string
  business: string
  onChange: (value: Notify) => void
}

/** Who is told by mail: asked before anything is sent. */
export function NotifyChoice({ value, stretcher, business, onChange }: Props) {
  return (
    <fieldset className={styles.notify}>
      <legend className={styles.label}>Send a mail about it to</legend>
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
    </fieldset>
  )
}
