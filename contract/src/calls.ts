import { accessCalls } from './access/calls.ts'
import { analyticsCalls } from './analytics/calls.ts'
import { automationCalls } from './automation/calls.ts'
import { backupsCalls } from './backups/calls.ts'
import { businessesCalls } from './businesses/calls.ts'
import { certificationsCalls } from './certifications/calls.ts'
import { companyCalls } from './company/calls.ts'
import { growthCalls } from './growth/calls.ts'
import { importsCalls } from './imports/calls.ts'
import type { CallDefinition } from './kit/call.ts'
import { checkAlive, checkReady, openLive, readApiPage, readOpenApi, reportPolicy } from './kit/meta.ts'
import { marketingCalls } from './marketing/calls.ts'
import { payrollCalls } from './payroll/calls.ts'
import { stretchersCalls } from './stretchers/calls.ts'
import { supportCalls } from './support/calls.ts'
import { techCalls } from './tech/calls.ts'
import { trainingCalls } from './training/calls.ts'

const metaCalls = [checkAlive, checkReady, openLive, readOpenApi, readApiPage, reportPolicy]

/** Every call, for the server, the tests and the API page. Each area lists its own calls in its `calls.ts`. */
export const calls: readonly CallDefinition[] = [
  ...metaCalls,
  ...accessCalls,
  ...analyticsCalls,
  ...automationCalls,
  ...backupsCalls,
  ...companyCalls,
  ...payrollCalls,
  ...businessesCalls,
  ...certificationsCalls,
  ...stretchersCalls,
  ...trainingCalls,
  ...supportCalls,
  ...marketingCalls,
  ...growthCalls,
  ...importsCalls,
  ...techCalls,
]
