import { Email } from '@limber/contract/kit/values.ts'
import type { UserList } from '@limber/contract/support/customer.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '#platform/session.tsx'
import { TextField } from '#ui/fields.tsx'
import { useField } from '#ui/form-state.ts'
import { numberText } from '../number-text.ts'
import { usersQuery } from '../users/user.api.ts'
import styles from './customer-field.module.css'

const NAME = 'customer_email'
const LABEL = 'Customer e-mail'
const SHORTEST = 3
const SHOWN = 5

type Found = UserList['users'][number]

/** Who has an account with the typed name, address or phone; nobody for those who may not look into accounts. */
function useFound(text: string): { users: Found[]; mayFind: boolean } {
  const mayFind = useCan(['users.overview', 'users.directory'])
  const [words] = useDebouncedValue(text.trim(), 200)
  const isEnough = words.length >= SHORTEST
  const { data } = useQuery({
    ...usersQuery({ search: words, page: '1', limit: String(SHOWN), status: 'all' }),
    enabled: mayFind && isEnough,
  })
  return { users: isEnough ? (data?.users ?? []) : [], mayFind }
}

const about = ({ name, rank, status }: Found) => `${name}, ${rank}${status === 'blocked' ? ', blocked' : ''}.`

/** The address of a ticket. Whoever has the caller's name or phone instead finds the address by it. */
export function CustomerField() {
  const { value, set } = useField(NAME, LABEL, '')
  const { users, mayFind } = useFound(value)
  const known = users.find(({ email }) => email === value.trim().toLowerCase())
  // A whole address needs no help: it may be that of somebody without an account.
  const isWhole = Email.safeParse(value).success
  const hint = known ? about(known) : mayFind && !isWhole && 'Or type a name or phone number, and choose.'
  return (
    <div>
      <TextField name={NAME} label={LABEL} {...(hint && { hint })} />
      {!isWhole && users.length > 0 && (
        <ul className={styles.found} aria-label="Customers found">
          {users.map((user) => (
            <li key={user.id}>
              <button type="button" className={styles.one} onClick={() => set(user.email)}>
                <b>{user.name}</b>
                <span>
                  {user.email}
                  {user.phone && ` · ${numberText(user.phone)}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
