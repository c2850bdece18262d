import {
  countIntegrations,
  type Delivery,
  discardDelivery,
  type IntegrationQuery,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDead,
  retryDelivery,
} from '@limber/contract/tech/integrations/integration.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { discard, retry, retryAllDead, wakeCouriers } from '#platform/outbox/change-messages.ts'
import type { Services } from '#platform/services.ts'
import { presentDelivery, presentEvent, presentInbound, undecryptablePayload } from './integration.present.ts'
import {
  countDead,
  countDeliveries,
  type DeliveryRow,
  type EventCursor,
  findDelivery,
  findInbound,
  findIntegrations,
  findKinds,
  type IntegrationRow,
  lockDelivery,
} from './integration.queries.ts'

const cursorOf = ({ at, direction, id }: IntegrationRow) => `${at.getTime()}.${direction}.${id}`

function readCursor(before: IntegrationQuery['before']): EventCursor | undefined {
  const [at, direction, id] = (before ?? '').split('.')
  if (!at || !id || (direction !== 'in' && direction !== 'out')) return undefined
  const moment = new Date(Number(at))
  return Number.isNaN(moment.getTime()) ? undefined : { at: moment, direction, id: Number(id) }
}

function openDelivery(row: DeliveryRow, { keyring, channels }: Services): Delivery {
  const isConnected = channels.has(row.kind)
  let payload: unknown
  try {
    payload = JSON.parse(keyring.open('outbox', row.payload))
  } catch {
    return { ...presentDelivery(row, {}, isConnected), payload: undecryptablePayload }
  }
  return presentDelivery(row, payload, isConnected)
}

async function readOne(db: Db, services: Services, id: number): Promise<Delivery> {
  const row = await findDelivery(db, id)
  if (!row) throw refuse(readDelivery, 'not_found')
  return openDelivery(row, services)
}

/** Locks an unsent delivery; refuses all others. */
async function lockUnsent(db: Db, call: typeof retryDelivery | typeof discardDelivery, id: number) {
  const delivery = await lockDelivery(db, id)
  if (!delivery) throw refuse(call, 'not_found')
  if (delivery.status === 'sending') throw refuse(call, 'under_way')
  if (delivery.status === 'sent') throw refuse(call, 'sent')
  if (delivery.status === 'discarded') throw refuse(call, 'discarded')
  return delivery
}

export const integrationRoutes = [
  serve(listIntegrations, async ({ query, db }) => {
    // One extra row tells whether there is a next page.
    const filter = { ...query, before: readCursor(query.before), limit: query.limit + 1 }
    const rows = await findIntegrations(db, filter)
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    return { events: page.map(presentEvent), next: last && rows.length > query.limit ? cursorOf(last) : null }
  }),

  serve(countIntegrations, async ({ db, now }) => {
    const [counts, kinds, deadByKind] = await Promise.all([
      countDeliveries(db, shift(now, -DAY)),
      findKinds(db),
      countDead(db),
    ])
    return { ...counts, kinds, deadByKind }
  }),

  serve(readDelivery, ({ params, db, services }) => readOne(db, services, params.id)),

  serve(readInbound, async ({ params, db }) => {
    const row = await findInbound(db, params.id)
    if (!row) throw refuse(readInbound, 'not_found')
    return presentInbound(row)
  }),

  serve(retryDelivery, async ({ params: { id }, worker, db, now, audit, publish, services }) => {
    const { status, channel } = await lockUnsent(db, retryDelivery, id)
    await retry(db, id, worker.workerId, now)
    await wakeCouriers(db)
    const change = { before: { status }, after: { status: 'waiting', kind: channel } }
    audit({ action: 'delivery_retried', subject: 'delivery', subjectId: id, ...change })
    publish('integrations')
    return readOne(db, services, id)
  }),

  serve(retryDead, async ({ body: { kind }, worker, db, now, audit, publish }) => {
    const retried = await retryAllDead(db, kind, worker.workerId, now)
    if (retried > 0) await wakeCouriers(db)
    audit({ action: 'dead_deliveries_retried', subject: 'delivery', after: { retried, kind: kind ?? 'all' } })
    publish('integrations')
    return { retried }
  }),

  serve(discardDelivery, async ({ params: { id }, body: { reason }, worker, db, now, audit, publish, services }) => {
    const { status, channel } = await lockUnsent(db, discardDelivery, id)
    await discard(db, id, { workerId: worker.workerId, reason }, now)
    const change = { before: { status }, after: { status: 'discarded', kind: channel }, reason }
    audit({ action: 'delivery_discarded', subject: 'delivery', subjectId: id, ...change })
    publish('integrations')
    return readOne(db, services, id)
  }),
]
