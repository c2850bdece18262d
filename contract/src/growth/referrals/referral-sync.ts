import { z } from 'zod'
import { readCalls } from '#kit/resource.ts'
import { Id, Moment } from '#kit/values.ts'
import { Suspicion } from './referral.ts'

const record = {
  /** The customer who was referred: the id of the referral is theirs. */
  customer: Id,
  referred_by: z.union([
    z.object({ customer: Id }),
    z.object({ stretcher: Id }),
    z.object({ worker_email: z.string() }),
  ]),
  joined_at: Moment,
  /** When they first booked. */
  booked_at: Moment.nullable(),
  /** When their first completed session began. */
  converted_at: Moment.nullable(),
  /** What they paid, less refunds. */
  earnings: z.string(),
  suspicions: z.array(Suspicion),
  /** What staff decided about a suspicious one. */
  decision: z.enum(['approved', 'rejected']).nullable(),
}

// Referrals follow from customers, so no other system has an id of its own for one.
const { list, read } = readCalls({
  name: 'referrals',
  scope: 'referrals',
  record,
  shown: {
    customer: 3001,
    referred_by: { customer: 2390 },
    joined_at: '2026-11-01T09:30:00.000Z',
    booked_at: '2026-11-03T18:00:00.000Z',
    converted_at: null,
    earnings: '0.00',
    suspicions: [],
    decision: null,
  },
})
export const referralCalls = { list, read }
