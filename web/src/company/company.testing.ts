import type { Company } from '@limber/contract/company/company.ts'
import type { MailServer } from '@limber/contract/company/mail-server.ts'
import type { SetupStep } from '@limber/contract/company/setup.ts'

export const makeCompany = (more: Partial<Company> = {}): Company => ({
  name: 'Coastline Stretch',
  legal_name: '',
  address_line: '',
  city: '',
  state: '',
  postal_code: '',
  phone: '',
  reply_to: '',
  time_zone: 'America/Los_Angeles',
  week_starts_on: 'monday',
  logo: null,
  saved_at: '2026-11-14T17:00:00.000Z',
  version: 3,
  ...more,
})

export const makeMailServer = (more: Partial<MailServer> = {}): MailServer => ({
  host: '',
  port: 587,
  security: 'starttls',
  username: '',
  hasPassword: false,
  from_address: '',
  version: 0,
  fromEnvironment: { server: null, sender: null },
  isConnected: false,
  sendsNothing: false,
  sender: 'Coastline Stretch <no-reply@example.com>',
  test: null,
  ...more,
})

/** Every step, still to do. */
export const openSteps = (): SetupStep[] => [
  { id: 'company', state: 'open', name: '', timeZone: 'America/Los_Angeles' },
  { id: 'mail', state: 'open', server: null, testedAt: null },
  { id: 'backup-key', state: 'open', isSetUp: true, keptBy: null },
  { id: 'zone', state: 'open', name: null },
  { id: 'colleague', state: 'open', name: null, since: null },
  { id: 'api-key', state: 'open', name: null, usedAt: null },
  { id: 'customers', state: 'open' },
  { id: 'payroll', state: 'open', startsOn: null },
  { id: 'texts', state: 'open' },
  { id: 'ads', state: 'open' },
]
