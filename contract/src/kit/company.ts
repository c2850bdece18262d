import { dayIn } from './zone-time.ts'

/** Where the company's days begin. */
export const COMPANY_ZONE = 'America/Los_Angeles'

/** The calendar day of the company at a moment, `YYYY-MM-DD`. */
export const companyDay = (at: Date) => dayIn(COMPANY_ZONE, at)
