/** Any permission by which something can be imported. Each call also checks the one of its kind of record. */
export const importPermissions = [
  'access.manage',
  'businesses.manage',
  'leads.create',
  'tickets.create',
  'payroll.details',
] as const
