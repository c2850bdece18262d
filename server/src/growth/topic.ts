/** The live topic of growth figures and city tasks. */
export const GROWTH_TOPIC = 'growth'
