import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, Moment } from '#kit/values.ts'

/** Which customers a list shows. Active: signed in within the last 90 days and not blocked. */
export const CustomerFilter = z.enum(['all', 'active', 'inactive', 'blocked'])
export type CustomerFilter = z.infer<typeof CustomerFilter>

/** Newest first; the search covers name, email and phone. */
export const listUsers = defineCall({
  method: 'GET',
  path: '/api/support/users',
  summary: 'Customers, newest first, searched and filtered',
  permission: ['users.overview', 'users.directory'],
  query: z.strictObject({
    ...pageQuery({ limit: 20 }),
    search: z.string().trim().max(10_000).default(''),
    status: CustomerFilter.or(z.literal('')).default('all'),
    /** Excludes merged and erased accounts, for pickers of people to contact. */
    living: z.enum(['yes', '']).default(''),
  }),
  reply: z.object({
    users: z.array(
      z.object({
        id: Id,
        name: z.string(),
        email: z.string(),
        phone: z.string().nullable(),
        verified: z.boolean(),
        rank: z.string(),
        points: z.int(),
        status: z.enum(['active', 'inactive', 'blocked']),
        /** How the account was closed, if it was. */
        ended: z.enum(['merged', 'erased']).nullable(),
        joinedAt: Moment,
      }),
    ),
    pagination: Pagination.extend({ pages: z.int() }),
  }),
})
export type UserList = ReplyOf<typeof listUsers>

export const exportUsers = exportCall(listUsers, 'customers')
