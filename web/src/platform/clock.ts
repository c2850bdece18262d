/** The present moment; the only reader of the time. */
export const now = (): Date => new Date()
