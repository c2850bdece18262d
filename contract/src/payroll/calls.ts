import {
  checkDiscrepancies,
  exportAdjustments,
  fixDiscrepancies,
  listAdjustments,
  previewFix,
  runAudit,
  undoFix,
} from './audit/audit.ts'
import { explainEntry } from './audit/explanation.ts'
import {
  addEarner,
  exportEarners,
  listEarnerCandidates,
  listEarners,
  readEarner,
  recordProfile,
} from './earners/earner.ts'
import { addEntry, cancelEntry, listUnpaidSessions } from './entries/entry.ts'
import { closePeriod, exportPeriods, listPeriods } from './entries/period.ts'
import { readPeriodStory } from './entries/period-story.ts'
import { downloadPayPeriod } from './files/pay-period-file.ts'
import { exportWageStatements, listWageStatements, readWageStatement } from './files/wage-statement.ts'
import { historyCalls, voidHistory } from './history/history-sync.ts'
import { exportDetails, listDetails, readDetail } from './lists/detail.ts'
import { exportPayrollFigure, listPayrollFigure } from './lists/payroll-figure.ts'
import { readSummary } from './lists/summary.ts'
import { exportTransactions, listTransactions, settleDeposit } from './lists/transaction.ts'
import { changeSettings, readSettings } from './settings/settings.ts'

export const payrollCalls = [
  listPayrollFigure,
  exportPayrollFigure,
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
  exportAdjustments,
  listAdjustments,
  undoFix,
  checkDiscrepancies,
  explainEntry,
  exportPeriods,
  listPeriods,
  readPeriodStory,
  closePeriod,
  exportEarners,
  listEarners,
  listEarnerCandidates,
  addEarner,
  readEarner,
  recordProfile,
  ...Object.values(historyCalls),
  voidHistory,
  downloadPayPeriod,
  listWageStatements,
  exportWageStatements,
  readWageStatement,
]
