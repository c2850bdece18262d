import type { Business, BusinessRow } from '@limber/contract/businesses/business/business.ts'
import type { BusinessListRow, BusinessRecord } from './business.queries.ts'
import { statusOf } from './business.rules.ts'

export const presentBusiness = (row: BusinessRecord): Business => ({
  id: row.id,
  name: row.name,
  custom_path: row.custom_path,
  admin_email: row.admin_email,
  zone_id: row.zone_id,
  zone_name: row.zone_name,
  time_zone: row.time_zone,
  rep_name: row.rep_name,
  location: row.location,
  status: statusOf(row),
  archived_at: row.archived_at?.toISOString() ?? null,
  version: row.version,
})

export const presentBusinessRow = (row: BusinessListRow): BusinessRow => ({
  ...presentBusiness(row),
  available_hours: row.available_hours,
  scheduled_sessions: row.scheduled_sessions,
})
