import { type Business, type BusinessRow, businessFields } from '@limber/contract/businesses/business/business.ts'
import { pickFields } from '@limber/contract/kit/fields.ts'
import type { BusinessListRow, BusinessRecord } from './business.queries.ts'
import { statusOf } from './business.rules.ts'

export const presentBusiness = (row: BusinessRecord): Business => ({
  id: row.id,
  ...pickFields(businessFields, row),
  zone_name: row.zone_name,
  time_zone: row.time_zone,
  status: statusOf(row),
  archived_at: row.archived_at?.toISOString() ?? null,
  version: row.version,
})

export const presentBusinessRow = (row: BusinessListRow): BusinessRow => ({
  ...presentBusiness(row),
  available_hours: row.available_hours,
  scheduled_sessions: row.scheduled_sessions,
})
