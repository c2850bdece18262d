import { checkDiscrepancies, fixDiscrepancies, listAdjustments, previewFix, runAudit, undoFix } from './audit/audit.ts'
import { explainEntry } from './audit/explanation.ts'
import { addEarner, listEarnerCandidates, listEarners, readEarner, recordProfile } from './earners/earner.ts'
import { addEntry, cancelEntry, listUnpaidSessions } from './entries/entry.ts'
import { closePeriod, listPeriods } from './entries/period.ts'
import { historyCalls, voidHistory } from './history/history-sync.ts'
import { exportDetails, listDetails, readDetail } from './lists/detail.ts'
import { readSummary } from './lists/summary.ts'
import { exportTransactions, listTransactions, settleDeposit } from './lists/transaction.ts'
import { changeSettings, readSettings } from './settings/settings.ts'

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
  listEarnerCandidates,
  addEarner,
  readEarner,
  recordProfile,
  ...Object.values(historyCalls),
  voidHistory,
]
