import { updateCompany } from '@limber/contract/company/company.ts'
import { CHANGED, type RecordHistory } from '#platform/audit/history.ts'
import { findCompany } from '#platform/company/company.queries.ts'
import { profileOf } from './company.present.ts'

const profile = [
  { name: 'name', label: 'Name' },
  { name: 'legal_name', label: 'Legal name' },
  { name: 'address_line', label: 'Address' },
  { name: 'city', label: 'City' },
  { name: 'state', label: 'State' },
  { name: 'postal_code', label: 'ZIP code' },
  { name: 'phone', label: 'Phone' },
  { name: 'reply_to', label: 'Replies go to' },
  { name: 'time_zone', label: 'Time zone' },
  { name: 'week_starts_on', label: 'Week starts on' },
] as const

export const companyHistory: RecordHistory = {
  subject: 'company',
  isSingle: true,
  async read(db) {
    const company = await findCompany(db)
    return { name: company.name || 'Company', values: { ...profileOf(company), version: company.version } }
  },
  fields: [
    ...profile,
    { name: 'host', label: 'Mail server' },
    { name: 'port', label: 'Port' },
    { name: 'security', label: 'Security' },
    { name: 'username', label: 'User name' },
    { name: 'from_address', label: 'From' },
  ],
  actions: {
    company_changed: CHANGED,
    logo_changed: 'changed the logo',
    logo_removed: 'removed the logo',
    mail_server_changed: CHANGED,
    mail_server_removed: 'removed the mail server',
    mail_server_tested: 'tested the mail server',
    setup_guide_hidden: 'hid the setup guide',
    setup_guide_shown: 'showed the setup guide',
    backup_key_shown: 'showed the backup key',
    backup_key_kept: 'confirmed that a copy of the backup key is kept',
  },
  restores: [
    {
      ...{ call: updateCompany, fields: profile.map(({ name }) => name) },
      input: (_, values, now) => ({ body: { ...now, ...values } }),
    },
  ],
}
