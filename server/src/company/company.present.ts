import type { Company } from '@limber/contract/company/company.ts'
import type { CompanyRow } from '#platform/company/company.queries.ts'
import { logoPath } from '#platform/company/company-settings.ts'

/** The fields of the profile, as people fill them in. */
export const profileOf = (row: CompanyRow) => ({
  name: row.name,
  legal_name: row.legal_name,
  address_line: row.address_line,
  city: row.city,
  state: row.state,
  postal_code: row.postal_code,
  phone: row.phone,
  reply_to: row.reply_to,
  time_zone: row.time_zone,
  week_starts_on: row.week_starts_on,
})

export const presentCompany = (row: CompanyRow): Company => ({
  ...profileOf(row),
  logo: row.logo && logoPath(row.logo),
  saved_at: row.saved_at?.toISOString() ?? null,
  version: row.version,
})
