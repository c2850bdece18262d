import { z } from 'zod'

/** The search parameters of the worker list. */
export const WorkerSearch = z.object({
  q: z.string().max(100).catch(''),
  status: z.enum(['', 'invited', 'active', 'disabled']).catch(''),
  role: z.string().max(50).catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  worker: z.coerce.number().int().min(0).catch(0),
})
export type WorkerSearch = z.output<typeof WorkerSearch>
