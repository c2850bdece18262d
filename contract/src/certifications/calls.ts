import {
  createCertification,
  deleteCertification,
  exportCertifications,
  findHolders,
  listCertifications,
  listDueCertifications,
  readCertification,
  revokeCertification,
  updateCertification,
} from './certification.ts'
import { certificationCalls } from './certification-sync.ts'
import {
  createCertificationType,
  deleteCertificationType,
  exportCertificationTypes,
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
  exportCertificationTypes,
  listCertificationTypes,
  createCertificationType,
  updateCertificationType,
  deleteCertificationType,
  exportCertifications,
  listCertifications,
  listDueCertifications,
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
