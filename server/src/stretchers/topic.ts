/** The live topic of stretchers. */
export const STRETCHERS_TOPIC = 'stretchers'
