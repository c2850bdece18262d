/** An error whose stack begins here, because the location of a test file contains a query. */
export const breakDown = (message: string) => new TypeError(message)
