/**
 * Each permission once: the name that code asks for, the code that a worker holds, and what it lets a person do.
 * Nothing else in the product writes these numbers.
 */
export const permissions = {
  'analytics.view': ['1', 'See the Analytics tab and its dashboard'],
  'worker.tab': ['2', 'See the Worker tab'],
  'support.tab': ['3', 'See the Support tab, e-mail logs and text messages'],
  'growth.tab': ['4', 'See the Growth tab, leads, campaigns, tasks, team and partners'],
  'users.overview': ['5', 'Use the User Overview in Support'],
  'users.directory': ['6', 'Use the User directory of the Managing Admin Dashboard'],
  'tickets.handle': ['21', 'Read and answer support tickets'],
  'tickets.create': ['22', 'Open a new support ticket'],
  'users.tickets': ['25', "See a customer's tickets"],
  'kb.suggest': ['26', 'File and review knowledge base suggestions'],
  'growth.people': ['31', 'See and export the people behind a growth number'],
  'leads.refresh': ['34', 'Refresh the lead list'],
  'leads.create': ['35', 'Add a lead'],
  'leads.convert': ['36', 'Convert a lead'],
  'campaigns.create': ['37', 'Create a campaign'],
  'campaigns.edit': ['38', 'Edit a campaign and change its status'],
  'payroll.audit': ['39', 'Run the tax audit and fix discrepancies'],
  'payroll.transactions': ['42', 'See transactions'],
  'integrations.events': ['43', 'See integration events and retry deliveries'],
  'businesses.manage': ['64', 'Manage businesses, on-site sessions, stretchers and certifications'],
  'training.manage': ['65', 'Author training courses'],
  'notifications.view': ['69', 'See notifications'],
  'notifications.send': ['70', 'Send notifications'],
  'automation.manage': ['91', 'See, run and pause schedules'],
  'errors.view': ['92', 'See the error log'],
  'health.view': ['93', 'See system health'],
  'access.manage': ['97', 'Manage workers and access, and read the audit log'],
  'payroll.details': ['100', 'See payroll details'],
  'payroll.summary': ['101', 'See the payroll summary'],
  'payroll.settings': ['102', 'Change payroll settings'],
  'backups.initiate': ['initiate_backups', 'Start and verify backups'],
} as const

export type PermissionName = keyof typeof permissions
export type PermissionCode = (typeof permissions)[PermissionName][0]

export const permissionNames = Object.keys(permissions) as PermissionName[]

/** The code that a worker holds for a permission. */
export const codeOf = (name: PermissionName): PermissionCode => permissions[name][0]

/** What a permission lets a person do, in words. */
export const wordsOf = (name: PermissionName): string => permissions[name][1]

const namesByCode = new Map<string, PermissionName>(permissionNames.map((name) => [codeOf(name), name]))

/** The permission behind a code; a number and its digits are the same code. */
export const nameOf = (code: string | number): PermissionName | undefined => namesByCode.get(String(code))

const every = permissionNames
const desk = [
  'worker.tab',
  'support.tab',
  'users.overview',
  'tickets.handle',
  'tickets.create',
  'users.tickets',
  'kb.suggest',
] as const

/** Role presets only fill in codes; what counts is what the worker holds. */
export const rolePresets: Record<string, readonly PermissionName[]> = {
  Owner: every,
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
  'Support Agent': desk,
  'Support Lead': [...desk, 'analytics.view', 'users.directory', 'notifications.view', 'notifications.send'],
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
