import { codeOf, type PermissionName } from '@limber/contract/access/permissions.ts'
import { importPermissions } from '@limber/contract/imports/import-permissions.ts'

/**
 * Who may read the values of an audit row, by kind of record: holders of any one of these permissions. Each permission
 * also opens the record itself, so the log never shows more than the record's screen.
 */
export const auditAreas = {
  api_key: ['access.manage'],
  asset: ['training.manage'],
  assignment: ['tickets.handle'],
  backup: ['backups.initiate'],
  business: ['businesses.manage'],
  business_email: ['businesses.manage'],
  calendar_feed: ['businesses.manage'],
  campaign: ['growth.tab'],
  certification: ['businesses.manage'],
  certification_type: ['businesses.manage'],
  city_task: ['growth.tab'],
  company: ['access.manage'],
  course: ['training.manage'],
  customer: ['users.overview', 'users.directory'],
  delivery: ['integrations.events'],
  device: ['access.manage'],
  earner: ['payroll.details', 'payroll.audit'],
  email: ['support.tab'],
  error: ['errors.view'],
  export: ['access.manage'],
  health: ['health.view'],
  import: importPermissions,
  import_map: importPermissions,
  kb_suggestion: ['kb.suggest'],
  lead: ['growth.tab'],
  lesson: ['training.manage'],
  limits: ['access.manage'],
  mailbox: ['notifications.send'],
  module: ['training.manage'],
  notification: ['notifications.view'],
  onboarding: ['access.manage'],
  onsite_session: ['businesses.manage'],
  passkey: ['access.manage'],
  pay_period: ['payroll.audit', 'payroll.details'],
  payroll: ['payroll.details'],
  payroll_entry: ['payroll.details'],
  payroll_operation: ['payroll.audit'],
  payroll_settings: ['payroll.settings'],
  payroll_transaction: ['payroll.transactions'],
  prepaid_block: ['businesses.manage'],
  promises: ['notifications.send'],
  referral: ['growth.people'],
  saved_reply: ['tickets.handle'],
  schedule: ['automation.manage'],
  session: ['access.manage'],
  sign_in: ['access.manage'],
  signing_key: ['businesses.manage'],
  stretcher: ['businesses.manage'],
  suppression: ['users.overview', 'users.directory'],
  text: ['support.tab'],
  ticket: ['tickets.handle'],
  ticket_tag: ['tickets.handle'],
  ticket_view: ['tickets.handle'],
  webhook: ['access.manage'],
  worker: ['access.manage'],
  zone: ['businesses.manage'],
} as const satisfies Record<string, readonly PermissionName[]>

/** A kind of record in the audit log. A new kind needs an entry above. */
export type AuditSubject = keyof typeof auditAreas

/** Actions that belong to another area than their record. */
const otherAreas: Readonly<Record<string, readonly PermissionName[]>> = {
  partner_changed: ['growth.tab'],
  partner_noted: ['growth.tab'],
  partner_outreach_sent: ['growth.tab'],
}

interface About {
  action: string
  subject: string | null
}

/** The permissions that open the values of a row; none for a kind of record that no longer exists. */
export const permissionsFor = ({ action, subject }: About): readonly PermissionName[] =>
  otherAreas[action] ??
  (subject !== null && Object.hasOwn(auditAreas, subject) ? auditAreas[subject as AuditSubject] : [])

export const maySeeValues = (row: About, codes: ReadonlySet<string>): boolean =>
  permissionsFor(row).some((name) => codes.has(codeOf(name)))
