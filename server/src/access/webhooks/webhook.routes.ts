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
import { loadForUpdate } from '#platform/http/load-for-update.ts'
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
import { type Asking, findDelivery, findEndpoint, listEndpoints } from './find-webhook.ts'
import { presentDelivery, presentDeliveryDetail, presentEndpoint } from './webhook.present.ts'
import { listDeliveryRows, lockEndpoint } from './webhook.queries.ts'

const show = async (context: Asking, id: number) => presentEndpoint(await findEndpoint(updateWebhook, context, id))

const shown = { all: undefined, open: ['waiting', 'failed'], delivered: ['delivered'] } as const

export const webhookRoutes = [
  serve(listWebhooks, async (context) => ({ endpoints: (await listEndpoints(context)).map(presentEndpoint) })),

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
    const { version, includeOwnChanges, ...values } = body
    const before = await loadForUpdate(updateWebhook, lockEndpoint(db, params.id), version, () =>
      show(context, params.id),
    )
    await changeEndpoint(updateWebhook, context, before, { ...values, include_own_changes: includeOwnChanges })
    return { endpoint: await show(context, params.id) }
  }),

  serve(deleteWebhook, async (context) => {
    await removeEndpoint(deleteWebhook, context, context.params.id)
    return { success: true as const }
  }),

  serve(
    rotateWebhook,
    async (context) => {
      const { params, body } = context
      const secret = await rotateSecret(rotateWebhook, context, params.id, body.overlapHours)
      return { endpoint: await show(context, params.id), secret }
    },
    { isSecret: true },
  ),

  serve(testWebhook, async (context) => ({
    delivery: presentDelivery(await sendTest(testWebhook, context, context.params.id)),
  })),

  serve(listDeliveries, async (context) => {
    const { params, query, db } = context
    await findEndpoint(listDeliveries, context, params.id)
    const { show: only, before, limit } = query
    const rows = await listDeliveryRows(db, params.id, { states: shown[only], before, limit })
    return { deliveries: rows.slice(0, limit).map(presentDelivery), hasMore: rows.length > limit }
  }),

  serve(readDelivery, async (context) => {
    const { id, deliveryId } = context.params
    return { delivery: presentDeliveryDetail(await findDelivery(readDelivery, context, id, deliveryId)) }
  }),

  serve(redeliver, async (context) => {
    const { id, deliveryId } = context.params
    return { delivery: presentDelivery(await redeliverOne(redeliver, context, id, deliveryId)) }
  }),

  serve(redeliverFailed, async (context) => ({
    count: await redeliverSince(redeliverFailed, context, context.params.id, context.body.since),
  })),
]
