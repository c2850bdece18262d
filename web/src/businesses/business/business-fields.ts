import { type Business, businessFields, updateBusiness } from '@limber/contract/businesses/business/business.ts'
import { pickFields } from '@limber/contract/kit/fields.ts'
import type { z } from 'zod'

/** The editable fields of a business. */
export const BusinessFields = updateBusiness.body.omit({ id: true, version: true })
export type BusinessFields = z.input<typeof BusinessFields>

export const fieldsOf = (business: Business): BusinessFields => pickFields(businessFields, business)
