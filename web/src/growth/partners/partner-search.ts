import { PartnerKind } from '@limber/contract/growth/partners/partner.ts'
import { z } from 'zod'

const page = z.coerce.number().int().min(1).max(1_000_000).catch(1)

/** The URL parameters of the partners screen: the tab, a page for each table, and what is open. */
export const PartnerSearch = z.object({
  tab: PartnerKind.catch('business'),
  q: z.string().max(100).catch(''),
  contacted: page,
  pending: page,
  active: page,
  inactive: page,
  upcoming: page,
  past: page,
  /** The partner whose dialog is open. */
  partner: z.coerce.number().int().min(0).catch(0),
  view: z.enum(['', 'past']).catch(''),
})
export type PartnerSearch = z.output<typeof PartnerSearch>
export type ChangeSearch = (change: Partial<PartnerSearch>, how?: { replace?: boolean }) => void
