import { explainEntry } from '@limber/contract/payroll/explanation.ts'
import { serve } from '#platform/http/routes.ts'
import { auditRoutes } from './audit.routes.ts'
import { earnerRoutes } from './earner.routes.ts'
import { entryRoutes } from './entry.routes.ts'
import { explain } from './explain-entry.ts'
import { fixRoutes } from './fix.routes.ts'
import { listRoutes } from './list.routes.ts'
import { periodRoutes } from './period.routes.ts'
import { settingsRoutes } from './settings.routes.ts'

export const payrollRoutes = [
  ...listRoutes,
  ...entryRoutes,
  ...settingsRoutes,
  ...auditRoutes,
  ...fixRoutes,
  ...periodRoutes,
  ...earnerRoutes,
  serve(explainEntry, ({ params: { id }, db }) => explain(db, id)),
]
