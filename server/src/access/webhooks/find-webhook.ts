import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { refuseBy } from '#platform/http/refusal.ts'
import type { ApiKeyCaller } from '#platform/http/routes.ts'
import { findDeliveryRow, findEndpointRow, listEndpointRows, lockEndpoint } from './webhook.queries.ts'

/** Workers see every endpoint; programs, those of the source of their key. */
export type Asking = Pick<Work, 'db' | 'now'> & { apiKey?: ApiKeyCaller | null }

/** Programs are not shown the figures of the last day. */
const figuresSince = ({ now, apiKey }: Asking) => (apiKey ? now : shift(now, -DAY))

export const listEndpoints = (context: Asking) =>
  listEndpointRows(context.db, figuresSince(context), context.apiKey?.source)

export async function findEndpoint(call: CallDefinition, context: Asking, id: number) {
  const row = await findEndpointRow(context.db, id, figuresSince(context), context.apiKey?.source)
  if (!row) throw refuseBy(call, 'not_found')
  return row
}

export async function findToChange(call: CallDefinition, { db, apiKey }: Asking, id: number) {
  const row = await lockEndpoint(db, id, apiKey?.source)
  if (!row) throw refuseBy(call, 'not_found')
  return row
}

export async function findDelivery(call: CallDefinition, { db, apiKey }: Asking, endpointId: number, id: number) {
  const row = await findDeliveryRow(db, endpointId, id, apiKey?.source)
  if (!row) throw refuseBy(call, 'no_delivery')
  return row
}
