import { explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { serve } from '#platform/http/routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { explain } from './audit/explain-entry.ts'
import { earnerRoutes } from './earners/earner.routes.ts'
import { entryRoutes } from './entries/entry.routes.ts'
import { periodRoutes } from './entries/period.routes.ts'
import { payrollExports } from './exports.ts'
import { payrollFileRoutes } from './files/payroll-file.routes.ts'
import { fixRoutes } from './fixes/fix.routes.ts'
import { readPaid } from './history/history-file.ts'
import { historySyncRoutes } from './history/history-sync.ts'
import { listRoutes } from './lists/list.routes.ts'
import { payrollJobs, payrollSchedules } from './payroll.jobs.ts'
import { settingsRoutes } from './settings/settings.routes.ts'
import { payrollSettingsHistory } from './settings/settings-history.queries.ts'
import { payrollStartProbe } from './settings/start.probe.ts'
import { taxTablesProbe } from './tax/tax-tables.probe.ts'

export const payrollArea: Area = {
  routes: () =>
    withExports(
      [
        ...listRoutes,
        ...entryRoutes,
        ...settingsRoutes,
        ...auditRoutes,
        ...fixRoutes,
        ...periodRoutes,
        ...earnerRoutes,
        ...historySyncRoutes,
        ...payrollFileRoutes,
        serve(explainEntry, ({ params: { id }, db }) => explain(db, id)),
      ],
      payrollExports,
    ),
  fileReaders: new Map([['payroll/history', readPaid]]),
  jobs: payrollJobs,
  schedules: payrollSchedules,
  histories: [payrollSettingsHistory],
  probes: [taxTablesProbe, payrollStartProbe],
}
