import { EmailType } from '@limber/contract/support/email-log.ts'
import { z } from 'zod'

/** What the URL of the e-mail logs keeps. */
export const EmailSearch = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  type: EmailType.or(z.literal('')).catch(''),
  recipient: z.string().max(254).catch(''),
})
export type EmailSearch = z.output<typeof EmailSearch>
