import type { Area } from '#platform/area.ts'
import { backupKeyRoutes } from './backup-key.routes.ts'
import { companyRoutes } from './company.routes.ts'
import { companyHistory } from './company-history.queries.ts'
import { logoRoutes } from './logo.routes.ts'
import { mailServerRoutes } from './mail-server.routes.ts'
import { setupRoutes } from './setup.routes.ts'

export const companyArea: Area = {
  routes: () => [...companyRoutes, ...logoRoutes, ...mailServerRoutes, ...backupKeyRoutes, ...setupRoutes],
  histories: [companyHistory],
}
