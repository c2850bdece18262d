import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import { type KeyboardEvent, useState } from 'react'
import { SearchField } from '#ui/form/search-field.tsx'
import { phoneNumberIn } from '#ui/format/phone-number.ts'
import { onFoundKeys } from '#ui/keyboard/found-keys.ts'
import { FoundCustomers, useFoundCustomers } from '../customers/found-customers.tsx'
import styles from './text-finder.module.css'
import type { TextSearch } from './text-search.ts'

/** Finds a conversation by a customer's name, address or phone, or by any number. */
export function TextFinder({ onOpen }: { onOpen: (target: Partial<TextSearch>) => void }) {
  const [text, setText] = useState('')
  // A new key clears the field after each find.
  const [finds, setFinds] = useState(0)
  const { users, isNoMatch, mayFind } = useFoundCustomers(text)
  const number = phoneNumberIn(text)
  const clear = () => {
    setText('')
    setFinds(finds + 1)
  }
  const open = (target: Partial<TextSearch>) => {
    onOpen({ user: 0, number: '', at: '', ...target })
    clear()
  }
  const openFirst = () => {
    const [first] = users
    if (first) open({ user: first.id })
    else if (number) open({ number })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && text) clear()
    else if (event.key !== 'Enter') onFoundKeys(event)
  }
  return (
    <form
      className={styles.finder}
      aria-label="Find a conversation"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        openFirst()
      }}
    >
      <SearchField
        key={finds}
        label={mayFind ? 'Name or number' : 'Number'}
        placeholder={mayFind ? 'Name or number...' : 'Number...'}
        value={text}
        onFind={setText}
      />
      {(users.length > 0 || number || isNoMatch) && (
        <div className={styles.layer}>
          {users.length > 0 ? (
            <FoundCustomers users={users} onChoose={({ id }) => open({ user: id })} />
          ) : number ? (
            <button type="button" className={styles.number} onClick={() => open({ number })}>
              Messages with {formatPhone(number)}
            </button>
          ) : (
            <p className={styles.none} role="status">
              No one found. Enter a complete number to open its messages.
            </p>
          )}
        </div>
      )}
    </form>
  )
}
