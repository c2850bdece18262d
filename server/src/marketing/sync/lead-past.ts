import type { ItemError } from '@limber/contract/kit/batch.ts'
import type { LeadFileItem } from '@limber/contract/marketing/sync/lead-sync.ts'
import { invalid } from '#platform/sync/item-errors.ts'
import type { LeadPast } from './lead-sync.queries.ts'

const moment = (text: string | null | undefined) => (text == null ? null : new Date(text))

/** How far a new lead came elsewhere, or what is wrong with it; undefined when the row does not say. */
export function pastOf(
  fields: LeadFileItem,
  customer: number | undefined,
  now: Date,
): LeadPast | ItemError[] | undefined {
  const { status = 'new' } = fields
  if (fields.created_at === undefined && fields.status === undefined) return undefined
  const response = moment(fields.first_response_at)
  const since = moment(fields.status_since)
  const converted = status === 'converted' ? (moment(fields.converted_at) ?? since ?? now) : null
  const created_at = moment(fields.created_at) ?? since ?? now
  const past = {
    created_at,
    status,
    status_since: since ?? converted ?? response ?? created_at,
    first_response_at: response,
    converted_at: converted,
    lost_reason: status === 'not_interested' ? (fields.lost_reason ?? null) : null,
    customer_id: customer ?? null,
  }
  const errors = (['created_at', 'status_since', 'first_response_at', 'converted_at'] as const).flatMap((name) => {
    const at = past[name]
    if (at && at > now) return [invalid(name, 'must not be in the future')]
    return at && at < created_at ? [invalid(name, 'must not be before created_at')] : []
  })
  return errors.length > 0 ? errors : past
}
