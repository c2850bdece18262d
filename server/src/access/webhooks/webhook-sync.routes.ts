import {
  createOwnWebhook,
  deleteOwnWebhook,
  listOwnDeliveries,
  listOwnWebhooks,
  readOwnWebhook,
  redeliverOwn,
  redeliverOwnFailed,
  rotateOwnWebhook,
  testOwnWebhook,
  updateOwnWebhook,
} from '@limber/contract/access/webhooks/webhook-sync.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
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
import { type Asking, findEndpoint, findToChange, listEndpoints } from './find-webhook.ts'
import { presentDeliveryForProgram, presentForProgram } from './webhook.present.ts'
import { listDeliveryRows } from './webhook.queries.ts'

const show = async (call: CallDefinition, context: Asking, id: number) =>
  presentForProgram(await findEndpoint(call, context, id))

/** Endpoints as programs manage them: those of the key's own source. */
export const webhookSyncRoutes = [
  serve(listOwnWebhooks, async (context) => ({
    items: (await listEndpoints(context)).map(presentForProgram),
    next_cursor: null,
  })),

  serve(readOwnWebhook, (context) => show(readOwnWebhook, context, context.params.id)),

  serve(
    createOwnWebhook,
    async (context) => {
      const { id, secret } = await addEndpoint(createOwnWebhook, context, context.body, context.apiKey)
      return { ...(await show(readOwnWebhook, context, id)), secret }
    },
    { isSecret: true },
  ),

  serve(updateOwnWebhook, async (context) => {
    const { params, body } = context
    const before = await findToChange(updateOwnWebhook, context, params.id)
    await changeEndpoint(updateOwnWebhook, context, before, body)
    return show(updateOwnWebhook, context, params.id)
  }),

  serve(deleteOwnWebhook, async (context) => {
    await removeEndpoint(deleteOwnWebhook, context, context.params.id)
    return { id: context.params.id }
  }),

  serve(
    rotateOwnWebhook,
    async (context) => {
      const { params, body } = context
      const secret = await rotateSecret(rotateOwnWebhook, context, params.id, body.overlap_hours)
      return { ...(await show(rotateOwnWebhook, context, params.id)), secret }
    },
    { isSecret: true },
  ),

  serve(testOwnWebhook, async (context) =>
    presentDeliveryForProgram(await sendTest(testOwnWebhook, context, context.params.id)),
  ),

  serve(listOwnDeliveries, async (context) => {
    const { params, query, db } = context
    await findEndpoint(listOwnDeliveries, context, params.id)
    const { state, cursor, limit } = query
    const rows = await listDeliveryRows(db, params.id, { ...(state && { states: [state] }), before: cursor, limit })
    const page = rows.slice(0, limit)
    return {
      items: page.map(presentDeliveryForProgram),
      next_cursor: rows.length > limit ? String(page.at(-1)?.id) : null,
    }
  }),

  serve(redeliverOwn, async (context) => {
    const { id, delivery_id } = context.params
    return presentDeliveryForProgram(await redeliverOne(redeliverOwn, context, id, delivery_id))
  }),

  serve(redeliverOwnFailed, async (context) => ({
    count: await redeliverSince(redeliverOwnFailed, context, context.params.id, context.body.since),
  })),
]
