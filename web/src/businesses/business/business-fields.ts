import type { Business } from '@limber/contract/businesses/business/business.ts'

/** What is edited of a business; what is empty stays an empty text. */
export interface BusinessFields {
  name: string
  custom_path: string
  admin_email: string
  zone_id: number
  rep_name: string
  location: string
}

export const fieldsOf = (business: Business): BusinessFields => ({
  name: business.name,
  custom_path: business.custom_path,
  admin_email: business.admin_email,
  zone_id: business.zone_id,
  rep_name: business.rep_name ?? '',
  location: business.location ?? '',
})
