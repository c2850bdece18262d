import { checkEmails, deleteEmail, listEmails, resetEmails, updateEmail, uploadEmails } from './allowed-email.ts'
import { createBlock, deleteBlock, exportLedger, listBlocks, readLedger } from './block.ts'
import {
  archiveBusiness,
  createBusiness,
  deleteBusiness,
  listBusinesses,
  readBusiness,
  restoreBusiness,
  updateBusiness,
} from './business.ts'
import {
  activateBlock,
  cancelSession,
  changeStretcher,
  listCandidates,
  listSoonSessions,
  readSession,
  rescheduleSession,
} from './onsite.ts'
import { createZone, deleteZone, listZones, readZone, updateZone } from './zone.ts'

export const businessesCalls = [
  listBusinesses,
  readBusiness,
  createBusiness,
  updateBusiness,
  deleteBusiness,
  archiveBusiness,
  restoreBusiness,
  listBlocks,
  createBlock,
  deleteBlock,
  readLedger,
  exportLedger,
  listEmails,
  updateEmail,
  deleteEmail,
  resetEmails,
  uploadEmails,
  checkEmails,
  listCandidates,
  activateBlock,
  rescheduleSession,
  changeStretcher,
  cancelSession,
  readSession,
  listSoonSessions,
  listZones,
  readZone,
  createZone,
  updateZone,
  deleteZone,
]
