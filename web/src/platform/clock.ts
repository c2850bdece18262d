/** The only place that reads the system time. */
export const now = (): Date => new Date()
