import type { QueryOf } from '@limber/contract/kit/call.ts'
import { paginateUpTo } from '@limber/contract/kit/page.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { serve } from '#platform/http/routes.ts'
import { presentCustomer } from './customer.present.ts'
import { findCustomers } from './customer.queries.ts'
import { activeSince } from './customer.rules.ts'

/** Which customers the list shows. */
export const customersOf = (
  { search, status, living }: Omit<QueryOf<typeof listUsers>, 'page' | 'limit'>,
  now: Date,
) => ({
  search,
  id: /^[1-9]\d{0,8}$/.test(search) ? Number(search) : undefined,
  status: status === '' ? ('all' as const) : status,
  isLiving: living === 'yes',
  activeSince: activeSince(now),
})

export const customerRoutes = [
  serve(listUsers, async ({ query: { page, limit, ...filter }, db, now }) => {
    const { total, rows } = await findCustomers(db, { ...customersOf(filter, now), limit, offset: (page - 1) * limit })
    const pagination = paginateUpTo(page, limit, total)
    return {
      users: rows.map((row) => presentCustomer(row, now)),
      pagination: { ...pagination, pages: pagination.totalPages },
    }
  }),
]
