import { listAudit, listAuditTerms, verifyAudit } from './access/audit.ts'
import {
  confirmMfa,
  enableMultiDevice,
  finalizeOnboarding,
  finishOnboardingPasskey,
  setMfa,
  startOnboardingPasskey,
  verifyOnboarding,
} from './access/onboarding.ts'
import {
  endMySession,
  finishAddPasskey,
  readProfile,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  revokeMyDevice,
  startAddPasskey,
} from './access/profile.ts'
import { redeemRecoveryCode, requestRecovery } from './access/recovery.ts'
import { checkSession, finishStepUp, signOut, signOutEverywhere, startStepUp } from './access/session.ts'
import {
  finalizeLogin,
  finishPasskeySetup,
  openSampleDoor,
  resendDeviceCode,
  startPasskeySetup,
  startPasskeyStep,
  verifyCredentials,
  verifyDeviceAuth,
  verifyPasskey,
  verifyTwoFactor,
} from './access/sign-in.ts'
import {
  approveRecovery,
  changePermissions,
  denyRecovery,
  disableWorker,
  enableWorker,
  endWorkerSessions,
  inviteWorker,
  listRecoveries,
  listWorkers,
  readWorker,
  resendLink,
  revokeLink,
} from './access/worker.ts'
import { readDashboard } from './analytics/dashboard.ts'
import { ingestEvents, listEvents, readEvent } from './analytics/event.ts'
import { listSchedules, pauseSchedule, readSchedule, resumeSchedule, runSchedule } from './automation/schedule.ts'
import { listBackups, readBackup, startBackup, verifyBackup } from './backups/backup.ts'
import {
  checkEmails,
  deleteEmail,
  listEmails,
  resetEmails,
  updateEmail,
  uploadEmails,
} from './businesses/allowed-email.ts'
import { createBlock, deleteBlock, exportLedger, listBlocks, readLedger } from './businesses/block.ts'
import {
  archiveBusiness,
  createBusiness,
  deleteBusiness,
  listBusinesses,
  readBusiness,
  restoreBusiness,
  updateBusiness,
} from './businesses/business.ts'
import {
  activateBlock,
  cancelSession,
  changeStretcher,
  listCandidates,
  readSession,
  rescheduleSession,
} from './businesses/onsite.ts'
import { createZone, deleteZone, listZones, readZone, updateZone } from './businesses/zone.ts'
import {
  createCertification,
  deleteCertification,
  findHolders,
  listCertifications,
  readCertification,
  revokeCertification,
  updateCertification,
} from './certifications/certification.ts'
import {
  createCertificationType,
  deleteCertificationType,
  listCertificationTypes,
  updateCertificationType,
} from './certifications/type.ts'
import {
  downloadCredential,
  listSigningKeys,
  readSigningKey,
  readStatusList,
  verifyCertification,
} from './certifications/verification.ts'
import type { CallDefinition } from './kit/call.ts'
import { checkAlive, checkReady, openLive, readApiPage, readOpenApi } from './kit/meta.ts'
import {
  checkDiscrepancies,
  fixDiscrepancies,
  listAdjustments,
  previewFix,
  runAudit,
  undoFix,
} from './payroll/audit.ts'
import { exportDetails, listDetails, readDetail } from './payroll/detail.ts'
import { listEarners, readEarner, recordProfile } from './payroll/earner.ts'
import { explainEntry } from './payroll/explanation.ts'
import { closePeriod, listPeriods } from './payroll/period.ts'
import { changeSettings, readSettings } from './payroll/settings.ts'
import { readSummary } from './payroll/summary.ts'
import { exportTransactions, listTransactions } from './payroll/transaction.ts'
import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  listByZone,
  listStretchers,
  onboardStretcher,
  promoteToStretcher,
  readStretcher,
  updateStretcher,
} from './stretchers/stretcher.ts'
import {
  adjustCredits,
  blockUser,
  correctContact,
  eraseUser,
  exportUser,
  listDuplicates,
  mergeUsers,
  readContact,
  sendVerification,
  unblockUser,
} from './support/account.ts'
import { listUsers } from './support/customer.ts'
import { listEmailLogs, revealEmail } from './support/email-log.ts'
import { createSuggestion, deleteSuggestion, listSuggestions, reviewSuggestion } from './support/kb-suggestion.ts'
import { addNote, listNotes } from './support/note.ts'
import {
  assignTicket,
  countTickets,
  createTicket,
  listTickets,
  listTicketWorkers,
  mergeTicket,
  noteTicket,
  readTicket,
  respondToTicket,
  setTicketPriority,
  setTicketStatus,
  tellPresence,
} from './support/ticket.ts'
import {
  listUserBookings,
  listUserRewards,
  listUserTickets,
  listUserTransactions,
  readUser,
  readUserAnalytics,
} from './support/user.ts'
import { handleErrorGroup, listErrors, listOccurrences, readErrorGroup, reopenErrorGroup } from './tech/error-log.ts'
import { checkHealth, readHealth } from './tech/health.ts'
import {
  countIntegrations,
  discardDelivery,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDead,
  retryDelivery,
} from './tech/integration.ts'
import { bulkUploadAssets, deleteAsset, listAssets, readAssetUsage, readFile, uploadAsset } from './training/asset.ts'
import {
  checkReadiness,
  createCourse,
  deleteCourse,
  getCourse,
  listCourses,
  updateCourse,
  updateCourseTheme,
} from './training/course.ts'
import { enrolLearner, grantAttempt, listEnrolments, removeLearner } from './training/enrolment.ts'
import { readCourseFigures } from './training/figures.ts'
import {
  addQuestion,
  createLesson,
  deleteLesson,
  getLesson,
  listLessons,
  putLesson,
  reorderLessons,
  updateLesson,
} from './training/lesson.ts'
import { createModule, deleteModule, listModules, reorderModules, updateModule } from './training/module.ts'
import { recordProgress, startAttempt, submitAttempt } from './training/portal.ts'

const meta = [checkAlive, checkReady, openLive, readOpenApi, readApiPage]
const access = [
  checkSession,
  signOut,
  signOutEverywhere,
  startStepUp,
  finishStepUp,
  verifyCredentials,
  resendDeviceCode,
  verifyDeviceAuth,
  startPasskeySetup,
  finishPasskeySetup,
  startPasskeyStep,
  verifyPasskey,
  verifyTwoFactor,
  finalizeLogin,
  openSampleDoor,
  verifyOnboarding,
  startOnboardingPasskey,
  finishOnboardingPasskey,
  setMfa,
  confirmMfa,
  enableMultiDevice,
  finalizeOnboarding,
  requestRecovery,
  redeemRecoveryCode,
  readProfile,
  startAddPasskey,
  finishAddPasskey,
  renamePasskey,
  removePasskey,
  endMySession,
  revokeMyDevice,
  renewRecoveryCodes,
  listWorkers,
  readWorker,
  inviteWorker,
  resendLink,
  revokeLink,
  changePermissions,
  disableWorker,
  enableWorker,
  endWorkerSessions,
  listRecoveries,
  approveRecovery,
  denyRecovery,
  listAudit,
  listAuditTerms,
  verifyAudit,
]

const analytics = [readDashboard, listEvents, readEvent, ingestEvents]
const automation = [listSchedules, readSchedule, runSchedule, pauseSchedule, resumeSchedule]
const backups = [listBackups, readBackup, startBackup, verifyBackup]
const payroll = [
  readSummary,
  listDetails,
  readDetail,
  exportDetails,
  listTransactions,
  exportTransactions,
  readSettings,
  changeSettings,
  runAudit,
  previewFix,
  fixDiscrepancies,
  listAdjustments,
  undoFix,
  checkDiscrepancies,
  explainEntry,
  listPeriods,
  closePeriod,
  listEarners,
  readEarner,
  recordProfile,
]

const businesses = [
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
  listZones,
  readZone,
  createZone,
  updateZone,
  deleteZone,
]

const certifications = [
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
  listSigningKeys,
  readSigningKey,
  readStatusList,
]

const stretchers = [
  listStretchers,
  readStretcher,
  listByZone,
  onboardStretcher,
  promoteToStretcher,
  updateStretcher,
  deactivateStretcher,
  activateStretcher,
  finishTraining,
]

const training = [
  listCourses,
  getCourse,
  createCourse,
  updateCourse,
  deleteCourse,
  updateCourseTheme,
  checkReadiness,
  listModules,
  createModule,
  updateModule,
  deleteModule,
  reorderModules,
  listLessons,
  getLesson,
  createLesson,
  updateLesson,
  putLesson,
  addQuestion,
  deleteLesson,
  reorderLessons,
  listAssets,
  readAssetUsage,
  deleteAsset,
  uploadAsset,
  bulkUploadAssets,
  readFile,
  listEnrolments,
  enrolLearner,
  removeLearner,
  grantAttempt,
  readCourseFigures,
  recordProgress,
  startAttempt,
  submitAttempt,
]

const support = [
  listUsers,
  readUser,
  listUserTickets,
  listUserRewards,
  listUserTransactions,
  listUserBookings,
  readUserAnalytics,
  listNotes,
  addNote,
  blockUser,
  unblockUser,
  adjustCredits,
  readContact,
  correctContact,
  sendVerification,
  listDuplicates,
  mergeUsers,
  exportUser,
  eraseUser,
  listTickets,
  countTickets,
  readTicket,
  createTicket,
  respondToTicket,
  setTicketStatus,
  assignTicket,
  setTicketPriority,
  noteTicket,
  mergeTicket,
  listTicketWorkers,
  tellPresence,
  listSuggestions,
  createSuggestion,
  reviewSuggestion,
  deleteSuggestion,
  listEmailLogs,
  revealEmail,
]

const tech = [
  listErrors,
  readErrorGroup,
  listOccurrences,
  handleErrorGroup,
  reopenErrorGroup,
  readHealth,
  checkHealth,
  listIntegrations,
  countIntegrations,
  readDelivery,
  readInbound,
  retryDelivery,
  retryDead,
  discardDelivery,
]

/** Every call of the product, for the server, the tests and the API page. */
export const calls: readonly CallDefinition[] = [
  ...meta,
  ...access,
  ...analytics,
  ...automation,
  ...backups,
  ...payroll,
  ...businesses,
  ...certifications,
  ...stretchers,
  ...training,
  ...support,
  ...tech,
]
