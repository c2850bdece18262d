import { Day } from '@limber/contract/kit/values.ts'
import { z } from 'zod'

const day = Day.or(z.literal('')).catch('')
const term = z.string().max(100).catch('')
/** The search parameters of the audit log. */
export const AuditSearch = z.object({
  worker: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .or(z.literal(''))
    .catch(''),
  action: term,
  subject: term,
  subjectId: term,
  outcome: z.enum(['', 'done', 'refused']).catch(''),
  others: z.enum(['', 'true']).catch(''),
  from: day,
  to: day,
  before: z
    .string()
    .regex(/^\d{1,16}\.\d{1,16}$/)
    .or(z.literal(''))
    .catch(''),
  entry: z.coerce.number().int().min(0).catch(0),
})
export type AuditSearch = z.output<typeof AuditSearch>
