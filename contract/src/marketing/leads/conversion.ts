import { z } from 'zod'

/**
 * The only definition of conversion: how many of these leads are converted now. A lead that left Converted no longer
 * counts. The rate is a percentage, and 0 without leads.
 */
export const Conversion = z.object({ total_leads: z.int(), conversions: z.int(), conversion_rate: z.number() })
export type Conversion = z.infer<typeof Conversion>

export const conversionOf = (conversions: number, total_leads: number): Conversion => ({
  total_leads,
  conversions,
  conversion_rate: total_leads === 0 ? 0 : (conversions / total_leads) * 100,
})
