import { certificationCalls } from '@limber/contract/certifications/certification-sync.ts'
import type { Db } from '#platform/db/db.ts'
import { attachRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { findCertificationRecords } from './certification-sync.queries.ts'

async function loadCertifications(db: Db, ids: readonly number[]) {
  const rows = await findCertificationRecords(db, ids)
  return rows.map(({ customer_id, revoked_at, ...row }) => ({
    ...row,
    customer: customer_id,
    revoked_at: revoked_at?.toISOString() ?? null,
  }))
}

export const certificationSyncRoutes = [
  attachRoute(certificationCalls.attach, 'certifications'),
  ...readRoutes(certificationCalls, 'certifications', loadCertifications),
]
