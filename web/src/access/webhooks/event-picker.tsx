import { type WebhookEvent, webhookEvents } from '@limber/contract/access/webhooks/events.ts'
import { Checkbox } from '@mantine/core'
import { useField } from '#ui/form/form-state.ts'
import keys from '../api-keys/api-keys.module.css'
import styles from './webhooks.module.css'

const presets: readonly [label: string, events: readonly WebhookEvent[]][] = [
  ['None', []],
  ['Customers', webhookEvents.filter((event) => /^(customer|credits)\./.test(event))],
  ['All', webhookEvents],
]

const isSameSet = (a: readonly WebhookEvent[], b: readonly WebhookEvent[]) =>
  a.length === b.length && a.every((event) => b.includes(event))

/** The events of the form around it, with three starting points. */
export function EventPicker() {
  const { value, error, set } = useField<readonly WebhookEvent[]>('events', 'Events', [])
  return (
    <fieldset className={keys.picker}>
      <div className={keys.pickerHead}>
        <legend className={keys.legend}>Events</legend>
        <span className={keys.count} role="status">
          {value.length} of {webhookEvents.length}
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: buttons of a toolbar inside the fieldset */}
        <div className={keys.presets} role="group" aria-label="Start from">
          {presets.map(([label, events]) => (
            <button key={label} type="button" aria-pressed={isSameSet(value, events)} onClick={() => set(events)}>
              {label}
            </button>
          ))}
        </div>
      </div>
      {error && (
        <p className={keys.problem} role="alert">
          {error}
        </p>
      )}
      <div className={styles.events}>
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            size="xs"
            label={event}
            checked={value.includes(event)}
            onChange={({ currentTarget }) =>
              set(currentTarget.checked ? [...value, event] : value.filter((each) => each !== event))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
