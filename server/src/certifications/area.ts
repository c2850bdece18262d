import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { certificationRoutes } from './certification.routes.ts'
import { certificationHistory, certificationTypeHistory } from './certification-history.queries.ts'
import { certificationSyncRoutes } from './certification-sync.ts'
import { certificationSources } from './certification-timeline.queries.ts'
import { certificationTypeRoutes } from './certification-type.routes.ts'
import { certificationSchedules } from './certifications.jobs.ts'
import { eraseCertifications, mergeCertifications } from './customer.queries.ts'
import { certificationsExports } from './exports.ts'
import { verificationRoutes } from './verification.routes.ts'

export const certificationsArea: Area = {
  routes: () =>
    withExports(
      [...certificationTypeRoutes, ...certificationRoutes, ...certificationSyncRoutes, ...verificationRoutes],
      certificationsExports,
    ),
  schedules: certificationSchedules,
  timeline: certificationSources,
  histories: [certificationHistory, certificationTypeHistory],
  onErase: eraseCertifications,
  onMerge: mergeCertifications,
}
