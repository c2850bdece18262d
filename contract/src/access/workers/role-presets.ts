import { type PermissionName, permissionNames } from '../permissions.ts'

const supportDesk = [
  'worker.tab',
  'support.tab',
  'users.overview',
  'tickets.handle',
  'tickets.create',
  'users.tickets',
  'kb.suggest',
] as const

/** A role only fills in permissions. Checks use the permissions stored for the worker. */
export const rolePresets: Record<string, readonly PermissionName[]> = {
  Owner: permissionNames,
  Operations: [
    'analytics.view',
    'worker.tab',
    'support.tab',
    'users.overview',
    'users.directory',
    'users.tickets',
    'businesses.manage',
    'training.manage',
    'automation.manage',
    'notifications.view',
  ],
  'Support Agent': supportDesk,
  'Support Lead': [...supportDesk, 'analytics.view', 'users.directory', 'notifications.view', 'notifications.send'],
  Marketing: [
    'worker.tab',
    'growth.tab',
    'leads.refresh',
    'leads.create',
    'leads.convert',
    'campaigns.create',
    'campaigns.edit',
  ],
  Growth: [
    'analytics.view',
    'worker.tab',
    'growth.tab',
    'growth.people',
    'leads.refresh',
    'leads.create',
    'leads.convert',
    'campaigns.create',
    'campaigns.edit',
    'users.overview',
  ],
  Finance: [
    'worker.tab',
    'payroll.audit',
    'payroll.transactions',
    'payroll.details',
    'payroll.summary',
    'payroll.settings',
  ],
  Tech: [
    'analytics.view',
    'worker.tab',
    'integrations.events',
    'automation.manage',
    'errors.view',
    'health.view',
    'access.manage',
    'backups.initiate',
  ],
}
