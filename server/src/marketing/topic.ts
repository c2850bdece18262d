/** The live topic of leads. */
export const LEADS_TOPIC = 'leads'
