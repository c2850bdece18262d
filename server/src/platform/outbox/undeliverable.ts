/** The outside refused for good: a bad address, a rejected content. Another try is pointless. */
export class UndeliverableError extends Error {}
