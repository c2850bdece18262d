import { CertificationFilter } from '@limber/contract/certifications/certification.ts'
import { z } from 'zod'

const id = z.coerce.number().int().min(0).catch(0)

/** Search parameters of the certifications screen. Sorting has its own. */
export const CertificationSearch = z.object({
  /** Empty: the list, or the certification that is open. */
  view: z.enum(['', 'create', 'edit', 'types']).catch(''),
  certification: id,
  q: z.string().max(100).catch(''),
  status: CertificationFilter.catch('all'),
  type: id,
  user: id,
  page: z.coerce.number().int().min(1).catch(1),
})
export type CertificationSearch = z.output<typeof CertificationSearch>
export type ChangeSearch = (change: Partial<CertificationSearch>, how?: { replace?: boolean }) => void
