import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  readDelivery,
  redeliver,
  redeliverFailed,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from '@limber/contract/access/webhooks/webhook.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse, refuseBy } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import {
  addEndpoint,
  changeEndpoint,
  redeliverOne,
  redeliverSince,
  removeEndpoint,
  rotateSecret,
  sendTest,
} from './change-webhook.ts'
import { presentDelivery, presentDeliveryDetail, presentEndpoint } from './webhook.present.ts'
import {
  findDeliveryRow,
  findEndpointRow,
  listDeliveryRows,
  listEndpointRows,
  lockEndpoint,
} from './webhook.queries.ts'

async function show({ db, now }: Pick<Work, 'db' | 'now'>, id: number) {
  const row = await findEndpointRow(db, id, shift(now, -DAY))
  if (!row) throw refuse(updateWebhook, 'not_found')
  return presentEndpoint(row)
}

async function showDelivery({ db }: Pick<Work, 'db'>, endpointId: number, id: number) {
  const row = await findDeliveryRow(db, endpointId, id)
  if (!row) throw refuse(readDelivery, 'no_delivery')
  return row
}

async function lockOr(call: CallDefinition, { db }: Pick<Work, 'db'>, id: number) {
  const row = await lockEndpoint(db, id)
  if (!row) throw refuseBy(call, 'not_found')
  return row
}

const shown = { all: undefined, open: ['waiting', 'failed'], delivered: ['delivered'] } as const

export const webhookRoutes = [
  serve(listWebhooks, async ({ db, now }) => ({
    endpoints: (await listEndpointRows(db, shift(now, -DAY))).map(presentEndpoint),
  })),

  serve(
    createWebhook,
    async (context) => {
      const { includeOwnChanges, ...same } = context.body
      const values = { ...same, include_own_changes: includeOwnChanges, enabled: true }
      const { id, secret } = await addEndpoint(createWebhook, context, values, context.worker)
      return { endpoint: await show(context, id), secret }
    },
    { isSecret: true },
  ),

  serve(updateWebhook, async (context) => {
    const { params, body, db } = context
    const { version, includeOwnChanges, url, events, description, enabled } = body
    const before = await loadForUpdate(updateWebhook, lockEndpoint(db, params.id), version, () =>
      show(context, params.id),
    )
    await changeEndpoint(updateWebhook, context, before, {
      ...(url !== undefined && { url }),
      ...(events && { events }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled }),
      ...(includeOwnChanges !== undefined && { include_own_changes: includeOwnChanges }),
    })
    return { endpoint: await show(context, params.id) }
  }),

  serve(deleteWebhook, async (context) => {
    await removeEndpoint(context, await lockOr(deleteWebhook, context, context.params.id))
    return { success: true as const }
  }),

  serve(
    rotateWebhook,
    async (context) => {
      const { params, body } = context
      const locked = await lockOr(rotateWebhook, context, params.id)
      const secret = await rotateSecret(context, locked, body.overlapHours)
      return { endpoint: await show(context, params.id), secret }
    },
    { isSecret: true },
  ),

  serve(testWebhook, async (context) => {
    const { id } = context.params
    const deliveryId = await sendTest(context, await lockOr(testWebhook, context, id))
    return { delivery: presentDelivery(await showDelivery(context, id, deliveryId)) }
  }),

  serve(listDeliveries, async ({ params: { id }, query: { show: only, before, limit }, db, now }) => {
    if (!(await findEndpointRow(db, id, now))) throw refuse(listDeliveries, 'not_found')
    const rows = await listDeliveryRows(db, id, { states: shown[only], before, limit })
    return { deliveries: rows.slice(0, limit).map(presentDelivery), hasMore: rows.length > limit }
  }),

  serve(readDelivery, async (context) => {
    const { id, deliveryId } = context.params
    return { delivery: presentDeliveryDetail(await showDelivery(context, id, deliveryId)) }
  }),

  serve(redeliver, async (context) => {
    const { id, deliveryId } = context.params
    await showDelivery(context, id, deliveryId)
    await redeliverOne(context, id, deliveryId)
    return { delivery: presentDelivery(await showDelivery(context, id, deliveryId)) }
  }),

  serve(redeliverFailed, async (context) => {
    const locked = await lockOr(redeliverFailed, context, context.params.id)
    return { count: await redeliverSince(context, locked, context.body.since) }
  }),
]
