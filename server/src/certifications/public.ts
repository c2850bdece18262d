/** The single definition of who is certified, for every area. */
export {
  certifiedUntil,
  findRequiredCertifications,
  firstMissing,
  isCertified,
  isValidOn,
  type MissingCertification,
  type RequiredCertification,
} from './validity.queries.ts'
