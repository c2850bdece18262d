import { confirmBackupKey, readBackupKey, revealBackupKey } from './backup-key.ts'
import { readCompany, readLogo, removeLogo, updateCompany, uploadLogo } from './company.ts'
import { readMailServer, testMailServer, updateMailServer } from './mail-server.ts'
import { changeSetup, readSetup } from './setup.ts'

export const companyCalls = [
  readCompany,
  updateCompany,
  uploadLogo,
  removeLogo,
  readLogo,
  readMailServer,
  updateMailServer,
  testMailServer,
  readBackupKey,
  revealBackupKey,
  confirmBackupKey,
  readSetup,
  changeSetup,
]
