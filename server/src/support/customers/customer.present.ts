import type { UserList } from '@limber/contract/support/customers/customer.ts'
import type { CustomerRow } from './customer.queries.ts'
import { statusOf } from './customer.rules.ts'

/** A customer as shown in lists. */
export const presentCustomer = (row: CustomerRow, now: Date): UserList['users'][number] => ({
  id: row.id,
  name: `${row.first_name} ${row.last_name}`,
  email: row.email,
  phone: row.phone,
  verified: row.email_verified_at !== null,
  rank: row.rank,
  points: row.points,
  status: statusOf(row, now),
  ended: row.erased_at ? 'erased' : row.merged_into_id ? 'merged' : null,
  joinedAt: row.joined_at.toISOString(),
})
