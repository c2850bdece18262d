import type { importPermissions } from './import-permissions.ts'

/** The records that can be imported from files. */
export const importResources = [
  'customers',
  'bookings',
  'transactions',
  'credits',
  'stretchers',
  'leads',
  'businesses',
  'allowed-emails',
  'tickets',
  'payroll/history',
] as const
export type ImportResource = (typeof importResources)[number]

interface ImportKind {
  readonly label: string
  /** One and several records, inside a sentence. */
  readonly one: string
  readonly many: string
  /** What a worker needs to import them: what the screens need that write such records. */
  readonly permission: (typeof importPermissions)[number]
}

/** What each kind of record is called, and who may import it. */
export const importKinds: Readonly<Record<ImportResource, ImportKind>> = {
  customers: { label: 'Customers', one: 'customer', many: 'customers', permission: 'access.manage' },
  bookings: { label: 'Bookings', one: 'booking', many: 'bookings', permission: 'access.manage' },
  transactions: { label: 'Transactions', one: 'transaction', many: 'transactions', permission: 'access.manage' },
  credits: { label: 'Credits', one: 'credit entry', many: 'credit entries', permission: 'access.manage' },
  stretchers: { label: 'Stretchers', one: 'stretcher', many: 'stretchers', permission: 'businesses.manage' },
  leads: { label: 'Leads', one: 'lead', many: 'leads', permission: 'leads.create' },
  businesses: { label: 'Businesses', one: 'business', many: 'businesses', permission: 'businesses.manage' },
  'allowed-emails': {
    label: 'Allowed emails',
    one: 'allowed email',
    many: 'allowed emails',
    permission: 'businesses.manage',
  },
  tickets: { label: 'Tickets with messages', one: 'ticket', many: 'tickets', permission: 'tickets.create' },
  'payroll/history': {
    label: 'Payroll history',
    one: 'payroll entry',
    many: 'payroll entries',
    permission: 'payroll.details',
  },
}
