import { codeOf } from '@limber/contract/access/permissions.ts'
import {
  listUserBookings,
  listUserRewards,
  listUserTickets,
  listUserTransactions,
  readUser,
  readUserAnalytics,
} from '@limber/contract/support/customers/user.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import {
  presentBooking,
  presentCustomerDetail,
  presentCustomerTicket,
  presentRewards,
  presentUsage,
} from './customer-detail.present.ts'
import {
  customerExists,
  findBookings,
  findCreditHistory,
  findCustomerDetail,
  findCustomerTickets,
  findRewards,
  findTransactions,
  findUsage,
} from './customer-detail.queries.ts'
import { firstWeek, isRecentTicket } from './customer-detail.rules.ts'

const SEES_TICKETS = codeOf('users.tickets')
const HANDLES_TICKETS = codeOf('tickets.handle')

/** Refuses an unknown customer instead of answering an empty list. */
async function checkExists(db: Db, id: number, rows: readonly unknown[]) {
  if (rows.length === 0 && !(await customerExists(db, id))) throw refuse(readUser, 'not_found')
}

export const customerDetailRoutes = [
  serve(readUser, async ({ params, db, worker, now }) => {
    const withTickets = worker.permissions.has(SEES_TICKETS)
    const withPromises = withTickets && worker.permissions.has(HANDLES_TICKETS)
    const row = await findCustomerDetail(db, params.id, now, { withTickets, withPromises })
    if (!row) throw refuse(readUser, 'not_found')
    return presentCustomerDetail(row, now)
  }),

  serve(listUserTickets, async ({ params, db, now }) => {
    const rows = await findCustomerTickets(db, params.id)
    await checkExists(db, params.id, rows)
    const { true: recent = [], false: earlier = [] } = Object.groupBy(rows, (row) => `${isRecentTicket(row, now)}`)
    return { recentTickets: recent.map(presentCustomerTicket), ticketHistory: earlier.map(presentCustomerTicket) }
  }),

  serve(listUserRewards, async ({ params, db, now }) => {
    const [rewards, credits] = [await findRewards(db, params.id), await findCreditHistory(db, params.id)]
    await checkExists(db, params.id, [...rewards, ...credits])
    return presentRewards(rewards, credits, now)
  }),

  serve(listUserTransactions, async ({ params, query: { page, limit }, db }) => {
    const rows = await findTransactions(db, params.id, limit, (page - 1) * limit)
    await checkExists(db, params.id, rows)
    return rows.map(({ created_at, transaction_type, ...row }) => ({
      ...row,
      createdAt: created_at.toISOString(),
      transactionType: transaction_type,
    }))
  }),

  serve(listUserBookings, async ({ params, query: { page, limit }, db }) => {
    const rows = await findBookings(db, params.id, limit, (page - 1) * limit)
    await checkExists(db, params.id, rows)
    return rows.map(presentBooking)
  }),

  serve(readUserAnalytics, async ({ params, db, now }) => {
    const row = await findUsage(db, params.id, firstWeek(now))
    if (!row) throw refuse(readUserAnalytics, 'not_found')
    return presentUsage(row)
  }),
]
