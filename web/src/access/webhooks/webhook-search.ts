import { z } from 'zod'

/** What the URL of the webhooks keeps: the endpoint, which deliveries are listed, and the one that is open. */
export const WebhookSearch = z.object({
  endpoint: z.coerce.number().int().min(0).catch(0),
  show: z.enum(['all', 'open', 'delivered']).catch('all'),
  delivery: z.coerce.number().int().min(0).catch(0),
})
