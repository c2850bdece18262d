import { importPermissions } from '#imports/import-permissions.ts'
import type { Guard } from './call.ts'

/** Live topics and who may receive them. The server publishes, the pages subscribe. */
export const liveTopics = {
  session: 'signed-in',
  company: 'signed-in',
  access: 'access.manage',
  'api-keys': 'access.manage',
  webhooks: 'access.manage',
  analytics: 'analytics.view',
  automation: 'automation.manage',
  businesses: ['businesses.manage', 'growth.tab'],
  backups: 'backups.initiate',
  errors: 'errors.view',
  health: 'health.view',
  imports: importPermissions,
  integrations: 'integrations.events',
  certifications: 'businesses.manage',
  stretchers: 'businesses.manage',
  training: 'training.manage',
  customers: ['users.overview', 'users.directory'],
  suggestions: 'kb.suggest',
  assignment: 'tickets.handle',
  tickets: 'tickets.handle',
  'tickets.presence': 'tickets.handle',
  'saved-replies': 'tickets.handle',
  mailboxes: 'notifications.send',
  promises: 'notifications.send',
  leads: 'growth.tab',
  campaigns: 'growth.tab',
  growth: 'growth.tab',
  texts: ['support.tab', 'users.overview', 'users.directory'],
  notifications: 'notifications.view',
  payroll: ['payroll.audit', 'payroll.details', 'payroll.summary', 'payroll.transactions'],
  'payroll.audit': 'payroll.audit',
  'payroll.settings': 'payroll.settings',
} as const satisfies Record<string, Guard>

export type LiveTopic = keyof typeof liveTopics
