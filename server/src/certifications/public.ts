/** The single definition of who is certified, for every area. */
export { certifiedUntil, firstMissing, isCertified, isValidOn, type MissingCertification } from './validity.queries.ts'
