import { ReferrerKind } from '@limber/contract/growth/referrals/referral.ts'
import { z } from 'zod'

export const views = ['participants', 'review', 'approved', 'rejected'] as const

/** The URL parameters of the referrals screen. */
export const ReferralSearch = z.object({
  q: z.string().max(100).catch(''),
  kind: ReferrerKind.or(z.literal('')).catch(''),
  state: z.enum(['', 'pending', 'converted']).catch(''),
  view: z.enum(views).catch('participants'),
  referral: z.coerce.number().int().min(0).catch(0),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
})
export type ReferralSearch = z.output<typeof ReferralSearch>
