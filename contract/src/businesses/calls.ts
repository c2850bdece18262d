import { createBlock, deleteBlock, exportLedger, listBlocks, readLedger, updateBlock } from './blocks/block.ts'
import {
  archiveBusiness,
  createBusiness,
  deleteBusiness,
  listBusinesses,
  readBusiness,
  restoreBusiness,
  updateBusiness,
} from './business/business.ts'
import { listSessions } from './calendar/onsite-calendar.ts'
import {
  checkEmails,
  deleteEmail,
  exportEmails,
  listEmails,
  resetEmails,
  updateEmail,
  uploadEmails,
} from './emails/allowed-email.ts'
import {
  activateBlock,
  cancelSession,
  changeStretcher,
  listCandidates,
  listSoonSessions,
  markNotHeld,
  readSession,
  rescheduleSession,
} from './sessions/onsite.ts'
import { businessCalls } from './sync/business-sync.ts'
import { participantCalls } from './sync/participant-sync.ts'
import { sessionCalls } from './sync/session-sync.ts'
import { zoneCalls } from './sync/zone-sync.ts'
import { createZone, deleteZone, listZones, readZone, updateZone } from './zones/zone.ts'

export const businessesCalls = [
  ...Object.values(zoneCalls),
  ...Object.values(businessCalls),
  ...Object.values(sessionCalls),
  ...Object.values(participantCalls),
  listBusinesses,
  readBusiness,
  createBusiness,
  updateBusiness,
  deleteBusiness,
  archiveBusiness,
  restoreBusiness,
  listBlocks,
  createBlock,
  updateBlock,
  deleteBlock,
  readLedger,
  exportLedger,
  listEmails,
  exportEmails,
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
  markNotHeld,
  listSessions,
  readSession,
  listSoonSessions,
  listZones,
  readZone,
  createZone,
  updateZone,
  deleteZone,
]
