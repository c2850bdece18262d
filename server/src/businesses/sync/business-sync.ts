import { businessCalls } from '@limber/contract/businesses/sync/business-sync.ts'
import { zoneCalls } from '@limber/contract/businesses/sync/zone-sync.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { attachRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { statusOf } from '../business/business.rules.ts'
import { findAllowance, findBusinessRecords, findZoneRecords } from './business-sync.queries.ts'

async function loadZones(db: Db, ids: readonly number[]) {
  const rows = await findZoneRecords(db, ids)
  return rows.map(({ id, name, time_zone, geometry }) => ({ id, name, time_zone, polygon: geometry }))
}

async function loadBusinesses(db: Db, ids: readonly number[]) {
  const rows = await findBusinessRecords(db, ids)
  return rows.map(({ stage, renews_on, ...row }) => ({
    ...row,
    status: statusOf({ stage, renews_on }),
    archived_at: row.archived_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }))
}

export const businessSyncRoutes = [
  attachRoute(zoneCalls.attach, 'zones'),
  ...readRoutes(zoneCalls, 'zones', loadZones),
  attachRoute(businessCalls.attach, 'businesses'),
  ...readRoutes(businessCalls, 'businesses', loadBusinesses),
  serve(businessCalls.checkEmail, async ({ params, body, db }) => {
    const found = await findAllowance(db, params.path, body.email)
    if (!found) throw refuse(businessCalls.checkEmail, 'not_found')
    return found
  }),
]
