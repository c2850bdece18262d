/** The single definition of who is certified, for every area. */
export {
  certifiedUntil,
  findRequiredCertifications,
  firstMissing,
  isCertified,
  isValidOn,
  lockCertifiedUntil,
  type MissingCertification,
  type RequiredCertification,
} from './validity.queries.ts'
