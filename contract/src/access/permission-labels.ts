import type { PermissionName } from './permissions.ts'

const labels: Record<PermissionName, string> = {
  'analytics.view': 'See the Analytics tab and its dashboard',
  'worker.tab': 'See the Worker tab',
  'support.tab': 'See the Support tab, email logs and text messages',
  'growth.tab': 'See the Growth tab, leads, campaigns, tasks, team and partners',
  'users.overview': 'Use the User Overview in Support',
  'users.directory': 'Use the User directory in the Managing Admin Dashboard',
  'tickets.handle': 'Read and reply to support tickets',
  'tickets.create': 'Create support tickets',
  'users.tickets': "See a customer's tickets",
  'kb.suggest': 'Submit and review knowledge base suggestions',
  'growth.people': 'See and export the people behind a growth number',
  'leads.refresh': 'Refresh the lead list',
  'leads.create': 'Add a lead',
  'leads.convert': 'Convert a lead',
  'campaigns.create': 'Create a campaign',
  'campaigns.edit': 'Edit a campaign and change its status',
  'payroll.audit': 'Run the tax audit and fix discrepancies',
  'payroll.transactions': 'See transactions',
  'integrations.events': 'See integration events and retry deliveries',
  'businesses.manage': 'Manage businesses, on-site sessions, stretchers and certifications',
  'training.manage': 'Create and edit training courses',
  'notifications.view': 'See notifications',
  'notifications.send': 'Send notifications and manage saved replies',
  'automation.manage': 'See, run and pause schedules',
  'errors.view': 'See the error log',
  'health.view': 'See system health',
  'access.manage': 'Manage workers, access and API keys, and read the audit log',
  'payroll.details': 'See payroll details',
  'payroll.summary': 'See the payroll summary',
  'payroll.settings': 'Change payroll settings',
  'backups.initiate': 'Start and verify backups',
}

/** What a permission allows, for screens. */
export const permissionLabel = (name: PermissionName): string => labels[name]
