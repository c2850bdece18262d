import type { PermissionName } from '@limber/contract/access/permissions.ts'

/** Permissions grouped by topic. Each one is in exactly one group. */
export const permissionGroups: readonly { title: string; names: readonly PermissionName[] }[] = [
  { title: 'Tabs', names: ['analytics.view', 'worker.tab', 'support.tab', 'growth.tab'] },
  {
    title: 'Customers and support',
    names: [
      'users.overview',
      'users.directory',
      'users.tickets',
      'tickets.handle',
      'tickets.create',
      'kb.suggest',
      'notifications.view',
      'notifications.send',
    ],
  },
  {
    title: 'Growth and marketing',
    names: ['growth.people', 'leads.refresh', 'leads.create', 'leads.convert', 'campaigns.create', 'campaigns.edit'],
  },
  {
    title: 'Finance',
    names: ['payroll.summary', 'payroll.details', 'payroll.transactions', 'payroll.settings', 'payroll.audit'],
  },
  { title: 'Operations', names: ['businesses.manage', 'training.manage'] },
  {
    title: 'Technology',
    names: [
      'automation.manage',
      'errors.view',
      'health.view',
      'integrations.events',
      'backups.initiate',
      'access.manage',
    ],
  },
]
