/** A permanent rejection, such as a bad address or rejected content. A retry is pointless. */
export class UndeliverableError extends Error {}
