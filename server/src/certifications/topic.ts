/** The live topic of certifications and their types. */
export const CERTIFICATIONS_TOPIC = 'certifications'
