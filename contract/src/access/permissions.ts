/** Every permission by name, with the code stored for workers. The codes appear nowhere else in the source. */
const permissions = {
  'analytics.view': '1',
  'worker.tab': '2',
  'support.tab': '3',
  'growth.tab': '4',
  'users.overview': '5',
  'users.directory': '6',
  'tickets.handle': '21',
  'tickets.create': '22',
  'users.tickets': '25',
  'kb.suggest': '26',
  'growth.people': '31',
  'leads.refresh': '34',
  'leads.create': '35',
  'leads.convert': '36',
  'campaigns.create': '37',
  'campaigns.edit': '38',
  'payroll.audit': '39',
  'payroll.transactions': '42',
  'integrations.events': '43',
  'businesses.manage': '64',
  'training.manage': '65',
  'notifications.view': '69',
  'notifications.send': '70',
  'automation.manage': '91',
  'errors.view': '92',
  'health.view': '93',
  'access.manage': '97',
  'payroll.details': '100',
  'payroll.summary': '101',
  'payroll.settings': '102',
  'backups.initiate': 'initiate_backups',
} as const

export type PermissionName = keyof typeof permissions
export type PermissionCode = (typeof permissions)[PermissionName]

export const permissionNames = Object.keys(permissions) as PermissionName[]

/** The code stored for a permission. */
export const codeOf = (name: PermissionName): PermissionCode => permissions[name]

const namesByCode = new Map<string, PermissionName>(permissionNames.map((name) => [codeOf(name), name]))

/** The permission of a code, given as text or number. */
export const nameOf = (code: string | number): PermissionName | undefined => namesByCode.get(String(code))
