import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import type { UserList } from '@limber/contract/support/customers/customer.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '#platform/session/session.tsx'
import styles from './found-customers.module.css'
import { usersQuery } from './user.api.ts'

const MIN_SEARCH_LENGTH = 3
const MAX_SHOWN = 5

export type FoundCustomer = UserList['users'][number]

/** Customers with the typed name, address or phone; none without permission to see accounts. */
export function useFoundCustomers(text: string) {
  const mayFind = useCan(['users.overview', 'users.directory'])
  const [search] = useDebouncedValue(text.trim(), 200)
  const isEnough = search.length >= MIN_SEARCH_LENGTH
  const { data, isPlaceholderData } = useQuery({
    ...usersQuery({ search: search, page: '1', limit: String(MAX_SHOWN), status: 'all', living: 'yes' }),
    enabled: mayFind && isEnough,
  })
  return {
    users: isEnough ? (data?.users ?? []) : [],
    mayFind,
    /** The search is complete and found no one. */
    isNoMatch: isEnough && search === text.trim() && !isPlaceholderData && data?.users.length === 0,
  }
}

/** A short list of customers to select from. */
export function FoundCustomers({
  users,
  onChoose,
}: {
  users: readonly FoundCustomer[]
  onChoose: (user: FoundCustomer) => void
}) {
  return (
    <ul className={styles.found} aria-label="Customers found">
      {users.map((user) => (
        <li key={user.id}>
          <button type="button" className={styles.one} onClick={() => onChoose(user)}>
            <b>{user.name}</b>
            <span>
              {user.email}
              {user.phone && (
                <>
                  {' · '}
                  <span className={styles.phone}>{formatPhone(user.phone)}</span>
                </>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
