import {
  createCertification,
  deleteCertification,
  findHolders,
  listCertifications,
  readCertification,
  revokeCertification,
  updateCertification,
} from './certification.ts'
import { certificationCalls } from './certification-sync.ts'
import {
  createCertificationType,
  deleteCertificationType,
  listCertificationTypes,
  updateCertificationType,
} from './type.ts'
import {
  downloadCredential,
  listSigningKeys,
  readAchievement,
  readSigningKey,
  readStatusList,
  verifyCertification,
} from './verification.ts'

export const certificationsCalls = [
  ...Object.values(certificationCalls),
  listCertificationTypes,
  createCertificationType,
  updateCertificationType,
  deleteCertificationType,
  listCertifications,
  readCertification,
  findHolders,
  createCertification,
  updateCertification,
  revokeCertification,
  deleteCertification,
  verifyCertification,
  downloadCredential,
  readAchievement,
  listSigningKeys,
  readSigningKey,
  readStatusList,
]
