import type { Holder } from '@limber/contract/certifications/certification.ts'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useField } from '#ui/form/form-state.ts'
import { holdersQuery } from './certification.api.ts'
import styles from './certifications.module.css'

/** Takes a user ID. Typing a name or email suggests matching users. */
export function HolderField() {
  const user = useField('userId', 'User ID', '')
  const name = useField('name', 'Name', '')
  const [text] = useDebouncedValue(user.value.trim(), 200)
  const { data } = useQuery(holdersQuery(text))
  const holders = text === '' ? [] : (data?.holders ?? [])
  const chosen = holders.find(({ id }) => String(id) === text)
  const choose = (holder: Holder) => {
    user.set(String(holder.id))
    if (name.value.trim() === '') name.set(holder.name)
  }
  return (
    <div>
      <TextInput
        label="User ID"
        name="userId"
        autoComplete="off"
        placeholder="ID, name or email"
        value={user.value}
        error={user.error}
        onChange={(event) => user.set(event.currentTarget.value)}
      />
      {chosen && (
        <p className={styles.chosen} role="status">
          {chosen.name}, {chosen.email}
          {chosen.isStretcher && ', stretcher'}
        </p>
      )}
      {!chosen && holders.length > 0 && (
        <fieldset className={styles.holders} aria-label="Users that match">
          {holders.map((holder) => (
            <button key={holder.id} type="button" className={styles.holder} onClick={() => choose(holder)}>
              <span>{holder.name}</span>
              <span className={styles.meta}>
                {holder.id}, {holder.email}
                {holder.isStretcher && ', stretcher'}
              </span>
            </button>
          ))}
        </fieldset>
      )}
      {!chosen && text !== '' && data?.holders.length === 0 && (
        <p className={styles.chosen} role="status">
          No user has this ID, name or email.
        </p>
      )}
    </div>
  )
}
