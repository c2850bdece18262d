import { z } from 'zod'

const id = z.coerce.number().int().min(0).catch(0)
const page = z.coerce.number().int().min(1).max(100_000).catch(1)

/** The URL parameters of Business administration. */
export const BusinessSearch = z.object({
  q: z.string().max(100).catch(''),
  state: z.enum(['current', 'archived']).catch('current'),
  page,
  business: id,
  /** The page of the block list. */
  blocks: page,
  /** The block whose session is open or being scheduled. */
  block: id,
  /** The dialog that is open over the business. */
  view: z.enum(['', 'ledger']).catch(''),
})
export type BusinessSearch = z.output<typeof BusinessSearch>
export type ChangeSearch = (change: Partial<BusinessSearch>, how?: { replace?: boolean; isFinal?: boolean }) => void

/** The initial state for a newly opened business. */
export const initialBusinessSearch = { block: 0, blocks: 1, view: '' } as const
