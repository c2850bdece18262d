import { MAX_CREDITS } from '@limber/contract/support/customers/account.ts'
import { z } from 'zod'

export const userTabs = ['overview', 'tickets', 'rewards', 'transactions', 'bookings', 'analytics'] as const
export type UserTab = (typeof userTabs)[number]

/** The URL parameters of the customer screens. */
export const UserSearch = z.object({
  q: z.string().max(100).catch(''),
  status: z.enum(['all', 'active', 'inactive', 'blocked']).catch('all'),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  user: z.coerce.number().int().min(0).catch(0),
  tab: z.enum(userTabs).catch('overview'),
  /** The dialog open on top of the customer. */
  view: z.enum(['', 'notes', 'account', 'credits', 'text', 'unblock']).catch(''),
  /** What the dialog begins with: how many credits to grant. */
  amount: z.coerce.number().int().min(-MAX_CREDITS).max(MAX_CREDITS).catch(0),
  /** The duplicate whose link led here. */
  merged: z.coerce.number().int().min(0).catch(0),
})
export type UserSearch = z.output<typeof UserSearch>

export type ChangeSearch = (change: Partial<UserSearch>, how?: { replace?: boolean }) => void
