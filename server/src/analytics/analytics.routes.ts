import type { Route } from '#platform/http/routes.ts'
import { dashboardRoutes } from './dashboard/dashboard.routes.ts'
import { ingestRoutes } from './events/ingest.routes.ts'

/** The calls of this area. What they remember of names belongs to one server. */
export const analyticsRoutes = (): Route[] => [...dashboardRoutes(), ...ingestRoutes()]
