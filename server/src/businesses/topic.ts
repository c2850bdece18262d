/** The live topic of businesses, their blocks, lists, sessions and zones. */
export const BUSINESSES_TOPIC = 'businesses'
