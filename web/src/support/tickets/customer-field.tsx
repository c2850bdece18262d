import { Email } from '@limber/contract/kit/values.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useField } from '#ui/form/form-state.ts'
import { onFoundKeys } from '#ui/keyboard/found-keys.ts'
import { type FoundCustomer, FoundCustomers, useFoundCustomers } from '../customers/found-customers.tsx'
import styles from './customer-field.module.css'

const NAME = 'customer_email'
const LABEL = 'Customer email'

const about = ({ name, rank, status }: FoundCustomer) => `${name}, ${rank}${status === 'blocked' ? ', blocked' : ''}.`

/** The email field of a new ticket, which also finds customers by name or phone. */
export function CustomerField() {
  const { value, set } = useField(NAME, LABEL, '')
  const { users, mayFind } = useFoundCustomers(value)
  const known = users.find(({ email }) => email === value.trim().toLowerCase())
  // A complete address needs no suggestions: the person may have no account.
  const isWhole = Email.safeParse(value).success
  const hint = known ? about(known) : mayFind && !isWhole && 'Or type a name or phone number and select a customer.'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and its list
    <div className={styles.field} onKeyDown={onFoundKeys}>
      <TextField name={NAME} label={LABEL} {...(hint && { hint })} />
      {!isWhole && users.length > 0 && <FoundCustomers users={users} onChoose={({ email }) => set(email)} />}
    </div>
  )
}
