/** The live topic of leads. */
export const LEADS_TOPIC = 'leads'

/** The live topic of campaigns. */
export const CAMPAIGNS_TOPIC = 'campaigns'
