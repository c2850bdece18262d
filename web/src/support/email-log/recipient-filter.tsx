import { Email } from '@limber/contract/kit/values.ts'
import { useState } from 'react'
import { SearchField } from '#ui/form/search-field.tsx'
import { onFoundKeys } from '#ui/keyboard/found-keys.ts'
import { FoundCustomers, useFoundCustomers } from '../customers/found-customers.tsx'
import styles from './email-logs.module.css'

interface Props {
  recipient: string
  onChange: (recipient: string) => void
}

/** Recipients are encrypted, so only a complete address finds emails. A name finds the customer with the address. */
export function RecipientFilter({ recipient, onChange }: Props) {
  const [part, setPart] = useState('')
  const { users, mayFind } = useFoundCustomers(part)
  const find = (text: string) => {
    const isWhole = text === '' || Email.safeParse(text).success
    setPart(isWhole ? '' : text)
    if (isWhole) onChange(text.toLowerCase())
  }
  const choose = (email: string) => {
    setPart('')
    onChange(email)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and its list
    <div className={styles.person} onKeyDown={onFoundKeys}>
      <SearchField
        key={recipient}
        label="Recipient"
        placeholder={mayFind ? 'Customer name or complete address' : 'Complete recipient address'}
        value={recipient}
        onFind={find}
      />
      {part !== '' && users.length > 0 && (
        <div className={styles.found}>
          <FoundCustomers users={users} onChoose={({ email }) => choose(email)} />
        </div>
      )}
      {part !== '' && users.length === 0 && (
        <p className={styles.hint} role="status">
          Enter the complete address. Recipients are encrypted, so partial matches are not possible.
        </p>
      )}
    </div>
  )
}
