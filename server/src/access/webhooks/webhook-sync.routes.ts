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
import { refuse, refuseBy } from '#platform/http/refusal.ts'
import { type ApiKeyCaller, serve } from '#platform/http/routes.ts'
import {
  addEndpoint,
  changeEndpoint,
  redeliverOne,
  redeliverSince,
  removeEndpoint,
  rotateSecret,
  sendTest,
} from './change-webhook.ts'
import { presentDeliveryForProgram, presentForProgram } from './webhook.present.ts'
import {
  findDeliveryRow,
  findEndpointRow,
  listDeliveryRows,
  listEndpointRows,
  lockEndpoint,
} from './webhook.queries.ts'

interface Asking {
  db: Parameters<typeof lockEndpoint>[0]
  now: Date
  apiKey: ApiKeyCaller
}

async function show(call: CallDefinition, { db, now, apiKey }: Asking, id: number) {
  const row = await findEndpointRow(db, id, now, apiKey.source)
  if (!row) throw refuseBy(call, 'not_found')
  return presentForProgram(row)
}

async function lockOwn(call: CallDefinition, { db, apiKey }: Asking, id: number) {
  const row = await lockEndpoint(db, id, apiKey.source)
  if (!row) throw refuseBy(call, 'not_found')
  return row
}

async function findOwnDelivery({ db, apiKey }: Asking, endpointId: number, id: number) {
  const row = await findDeliveryRow(db, endpointId, id, apiKey.source)
  if (!row) throw refuse(redeliverOwn, 'no_delivery')
  return row
}

/** Endpoints as programs manage them: those of the key's own source. */
export const webhookSyncRoutes = [
  serve(listOwnWebhooks, async ({ db, now, apiKey }) => ({
    items: (await listEndpointRows(db, now, apiKey.source)).map(presentForProgram),
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
    const before = await lockOwn(updateOwnWebhook, context, params.id)
    const { url, events, description, enabled, include_own_changes } = body
    await changeEndpoint(updateOwnWebhook, context, before, {
      ...(url !== undefined && { url }),
      ...(events && { events }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled }),
      ...(include_own_changes !== undefined && { include_own_changes }),
    })
    return show(updateOwnWebhook, context, params.id)
  }),

  serve(deleteOwnWebhook, async (context) => {
    await removeEndpoint(context, await lockOwn(deleteOwnWebhook, context, context.params.id))
    return { id: context.params.id }
  }),

  serve(
    rotateOwnWebhook,
    async (context) => {
      const { params, body } = context
      const locked = await lockOwn(rotateOwnWebhook, context, params.id)
      const secret = await rotateSecret(context, locked, body.overlap_hours)
      return { ...(await show(rotateOwnWebhook, context, params.id)), secret }
    },
    { isSecret: true },
  ),

  serve(testOwnWebhook, async (context) => {
    const { id } = context.params
    const deliveryId = await sendTest(context, await lockOwn(testOwnWebhook, context, id))
    return presentDeliveryForProgram(await findOwnDelivery(context, id, deliveryId))
  }),

  serve(listOwnDeliveries, async (context) => {
    const { params, query, db } = context
    await show(listOwnDeliveries, context, params.id)
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
    await findOwnDelivery(context, id, delivery_id)
    await redeliverOne(context, id, delivery_id)
    return presentDeliveryForProgram(await findOwnDelivery(context, id, delivery_id))
  }),

  serve(redeliverOwnFailed, async (context) => {
    const locked = await lockOwn(redeliverOwnFailed, context, context.params.id)
    return { count: await redeliverSince(context, locked, context.body.since) }
  }),
]
