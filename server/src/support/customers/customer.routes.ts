import { paginateUpTo } from '@limber/contract/kit/page.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { serve } from '#platform/http/routes.ts'
import { presentCustomer } from './customer.present.ts'
import { findCustomers } from './customer.queries.ts'
import { activeSince } from './customer.rules.ts'

export const customerRoutes = [
  serve(listUsers, async ({ query: { page, limit, search, status, living }, db, now }) => {
    const { total, rows } = await findCustomers(db, {
      search,
      id: /^[1-9]\d{0,8}$/.test(search) ? Number(search) : undefined,
      status: status === '' ? 'all' : status,
      isLiving: living === 'yes',
      activeSince: activeSince(now),
      limit,
      offset: (page - 1) * limit,
    })
    const pagination = paginateUpTo(page, limit, total)
    return {
      users: rows.map((row) => presentCustomer(row, now)),
      pagination: { ...pagination, pages: pagination.totalPages },
    }
  }),
]
