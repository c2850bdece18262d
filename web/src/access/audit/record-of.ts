import type { AuditRow } from '@limber/contract/access/audit/audit.ts'
import type { Path, SearchOf } from '#platform/routing/links.ts'
import type { Needs } from '#platform/session/session.tsx'

type RecordScreen = {
  /** The search parameter that names the record. */
  [P in Path]: { path: P; key: keyof SearchOf<P>; needs: Needs }
}[Path]

/** The screens that open a record, by its subject in the log. */
const screens: Readonly<Record<string, readonly RecordScreen[]>> = {
  api_key: [{ path: '/worker/tech/access/api-keys', key: 'key', needs: 'access.manage' }],
  backup: [{ path: '/worker/tech/backups', key: 'backup', needs: 'backups.initiate' }],
  business: [{ path: '/worker/managing/businesses', key: 'business', needs: 'businesses.manage' }],
  campaign: [{ path: '/growth/campaigns', key: 'campaign', needs: 'growth.tab' }],
  certification: [{ path: '/certifications', key: 'certification', needs: 'businesses.manage' }],
  course: [{ path: '/worker/managing/training', key: 'course', needs: 'training.manage' }],
  customer: [
    { path: '/support/users', key: 'user', needs: 'users.overview' },
    { path: '/worker/managing/users', key: 'user', needs: 'users.directory' },
  ],
  earner: [{ path: '/worker/financial/earners', key: 'earner', needs: ['payroll.details', 'payroll.audit'] }],
  error: [{ path: '/worker/tech/errors', key: 'error', needs: 'errors.view' }],
  lead: [{ path: '/growth/conversion', key: 'lead', needs: 'growth.tab' }],
  payroll_entry: [{ path: '/worker/financial/details', key: 'entry', needs: 'payroll.details' }],
  pay_period: [{ path: '/worker/financial/details', key: 'period', needs: 'payroll.details' }],
  schedule: [{ path: '/worker/tech/automation', key: 'schedule', needs: 'automation.manage' }],
  stretcher: [{ path: '/worker/managing/stretchers', key: 'stretcher', needs: 'businesses.manage' }],
  ticket: [{ path: '/support/tickets', key: 'ticket', needs: 'tickets.handle' }],
  webhook: [{ path: '/worker/tech/access/webhooks', key: 'endpoint', needs: 'access.manage' }],
  worker: [{ path: '/worker/tech/access', key: 'worker', needs: 'access.manage' }],
  zone: [{ path: '/worker/managing/zones', key: 'zone', needs: 'businesses.manage' }],
}

/** A link to the record of an entry, if the reader may open it. */
export function recordOf({ subject, subjectId }: AuditRow, mayOpen: (needs: Needs) => boolean) {
  if (subject === null || subjectId === null) return undefined
  const place = screens[subject]?.find(({ needs }) => mayOpen(needs))
  return place && { to: place.path, search: { [place.key]: subjectId } }
}
