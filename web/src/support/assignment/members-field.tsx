import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Assignment } from '@limber/contract/support/assignment/assignment.ts'
import { Checkbox } from '@mantine/core'
import { useField } from '#ui/form/form-state.ts'
import styles from './assignment.module.css'

/** The workers who take part. Members who may no longer handle tickets are not offered. */
export function MembersField({ name, workers }: { name: string; workers: Assignment['workers'] }) {
  const { value, error, set } = useField<readonly number[]>(name, 'Workers', [])
  return (
    <fieldset className={styles.members}>
      <legend>Who takes part</legend>
      {workers.map(({ id, name: label, open }) => (
        <Checkbox
          key={id}
          label={label}
          description={pluralize(open, 'open ticket')}
          checked={value.includes(id)}
          onChange={({ currentTarget }) =>
            set(currentTarget.checked ? [...value, id] : value.filter((one) => one !== id))
          }
        />
      ))}
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}
