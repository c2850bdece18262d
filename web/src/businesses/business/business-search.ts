import { z } from 'zod'

const id = z.coerce.number().int().min(0).catch(0)
const page = z.coerce.number().int().min(1).max(100_000).catch(1)

/** What the URL of Business administration keeps. */
export const BusinessSearch = z.object({
  q: z.string().max(100).catch(''),
  state: z.enum(['current', 'archived']).catch('current'),
  page,
  business: id,
  /** The page of its blocks. */
  blocks: page,
  /** The block whose session is looked at or scheduled. */
  block: id,
  /** What else is open over the business. */
  view: z.enum(['', 'ledger']).catch(''),
})
export type BusinessSearch = z.output<typeof BusinessSearch>
export type ChangeSearch = (change: Partial<BusinessSearch>, how?: { replace?: boolean; isFinal?: boolean }) => void

/** As a business is first looked at. */
export const fresh = { block: 0, blocks: 1, view: '' } as const
