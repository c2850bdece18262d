import { Day } from '@limber/contract/kit/values.ts'
import { EmailDelivery, EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { z } from 'zod'

/** The URL parameters of the email logs. */
export const EmailSearch = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  type: EmailType.or(z.literal('')).catch(''),
  recipient: z.string().max(254).catch(''),
  from: Day.or(z.literal('')).catch(''),
  to: Day.or(z.literal('')).catch(''),
  delivery: EmailDelivery.or(z.literal('')).catch(''),
  /** The open email. */
  email: z.coerce.number().int().min(0).catch(0),
})
export type EmailSearch = z.output<typeof EmailSearch>
