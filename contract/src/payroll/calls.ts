import { checkDiscrepancies, fixDiscrepancies, listAdjustments, previewFix, runAudit, undoFix } from './audit.ts'
import { exportDetails, listDetails, readDetail } from './detail.ts'
import { listEarners, readEarner, recordProfile } from './earner.ts'
import { addEntry, cancelEntry, listUnpaidSessions } from './entry.ts'
import { explainEntry } from './explanation.ts'
import { closePeriod, listPeriods } from './period.ts'
import { changeSettings, readSettings } from './settings.ts'
import { readSummary } from './summary.ts'
import { exportTransactions, listTransactions, settleDeposit } from './transaction.ts'

export const payrollCalls = [
  readSummary,
  listDetails,
  readDetail,
  exportDetails,
  listUnpaidSessions,
  addEntry,
  cancelEntry,
  listTransactions,
  exportTransactions,
  settleDeposit,
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
