import { readCompany, updateCompany } from '@limber/contract/company/company.ts'
import { locatePostalCode } from '#businesses/public.ts'
import { findCompany } from '#platform/company/company.queries.ts'
import { addressLine } from '#platform/company/company-settings.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentCompany, profileOf } from './company.present.ts'
import { hasTimeZone, lockCompany, saveCompany } from './company.queries.ts'
import { zoneFault } from './company.rules.ts'
import { requireOwner } from './require-owner.ts'

export const companyRoutes = [
  serve(readCompany, async ({ db, services: { config } }) => {
    const row = await findCompany(db)
    return {
      company: presentCompany(row),
      address_from_environment: addressLine(row) === '' && config.companyAddress !== '' ? config.companyAddress : null,
      is_guide_hidden: row.guide_hidden_at !== null,
    }
  }),

  serve(updateCompany, async ({ worker, body, db, now, audit, publish }) => {
    requireOwner(updateCompany, worker)
    const { version, ...profile } = body
    const fault = zoneFault(profile.time_zone, now)
    if (fault) throw refuse(updateCompany, fault)
    const before = await loadForUpdate(updateCompany, lockCompany(db), version, presentCompany)
    if (before.time_zone !== profile.time_zone && !(await hasTimeZone(db, profile.time_zone)))
      throw refuse(updateCompany, 'bad_time_zone')
    const place = await locatePostalCode(profile.postal_code)
    const { latitude = null, longitude = null } = place ?? {}
    const saved = await saveCompany(db, { ...profile, latitude, longitude }, now)
    audit({ action: 'company_changed', subject: 'company', before: profileOf(before), after: profile })
    publish('company')
    return { company: presentCompany(saved) }
  }),
]
