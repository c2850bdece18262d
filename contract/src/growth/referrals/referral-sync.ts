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
const { list, read } = readCalls({ name: 'referrals', scope: 'referrals', record })
export const referralCalls = { list, read }
