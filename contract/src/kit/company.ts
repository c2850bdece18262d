import { dayIn } from './zone-time.ts'

/** The company's time zone. */
export const COMPANY_ZONE = 'America/Los_Angeles'

/** The company's calendar day at a moment, `YYYY-MM-DD`. */
export const companyDay = (at: Date) => dayIn(COMPANY_ZONE, at)
