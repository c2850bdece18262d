import { randomUUID } from 'node:crypto'
import { TEST_EVENT } from '@limber/contract/access/webhooks/events.ts'
import { MAX_ENDPOINTS } from '@limber/contract/access/webhooks/webhook.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { HOUR, shift } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { refuseBy } from '#platform/http/refusal.ts'
import type { Services } from '#platform/services.ts'
import { urlProblem } from './address.ts'
import { type Asking, findDelivery, findToChange } from './find-webhook.ts'
import { makeWebhookSecret, sealSecret } from './sign-event.ts'
import {
  countEndpoints,
  type DeliveryRow,
  deleteEndpoint,
  type EndpointValues,
  endWebhookSecrets,
  insertEndpoint,
  insertTestDelivery,
  insertWebhookSecret,
  type LockedEndpoint,
  restartDelivery,
  restartOpen,
  restartWaiting,
  updateEndpoint,
  wakeSenders,
} from './webhook.queries.ts'

type Changing = Asking & Pick<Work, 'audit' | 'publish'> & { services: Pick<Services, 'config' | 'keyring'> }

const about = (id: number) => ({ subject: 'webhook' as const, subjectId: id })

/** Refuses a URL that may not be used. */
function checkUrl(call: CallDefinition, { services: { config } }: Changing, url: string) {
  const problem = urlProblem(url, { allowPrivate: config.webhooks.allowPrivate, needsHttps: config.isHttps })
  if (problem) throw refuseBy(call, problem)
}

/** Adds an endpoint; its secret is returned once. One that a program adds belongs to the program's source. */
export async function addEndpoint(
  call: CallDefinition,
  context: Changing,
  values: EndpointValues,
  by: { workerId: number } | { source: string },
): Promise<{ id: number; secret: string }> {
  const { db, now, audit, publish, services } = context
  checkUrl(call, context, values.url)
  if ((await countEndpoints(db)) >= MAX_ENDPOINTS) throw refuseBy(call, 'too_many')
  const creator = 'source' in by ? { source: by.source, created_by: null } : { source: null, created_by: by.workerId }
  const id = await insertEndpoint(db, { ...values, ...creator, created_at: now })
  const secret = makeWebhookSecret()
  await insertWebhookSecret(db, id, sealSecret(services.keyring, secret), now)
  audit({ action: 'webhook_created', ...about(id), after: values })
  publish('webhooks')
  return { id, secret }
}

type SentValues = { [Name in keyof EndpointValues]?: EndpointValues[Name] | undefined }

/** Changes what was sent. Switched on, an endpoint gets what has waited, in order. */
export async function changeEndpoint(
  call: CallDefinition,
  context: Changing,
  before: LockedEndpoint,
  sent: SentValues,
): Promise<void> {
  const { db, now, audit, publish } = context
  const values = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  ) as Partial<EndpointValues>
  if (values.url !== undefined) checkUrl(call, context, values.url)
  await updateEndpoint(db, before.id, values)
  if (values.enabled && !before.enabled) {
    await restartWaiting(db, before.id, now)
    await wakeSenders(db)
  }
  const { url, description, events, enabled, include_own_changes } = before
  const old = { url, description, events, enabled, include_own_changes }
  audit({ action: 'webhook_changed', ...about(before.id), before: old, after: { ...old, ...values } })
  publish('webhooks')
}

export async function removeEndpoint(call: CallDefinition, context: Changing, id: number): Promise<void> {
  const { db, audit, publish } = context
  const { url } = await findToChange(call, context, id)
  await deleteEndpoint(db, id)
  audit({ action: 'webhook_deleted', ...about(id), before: { url } })
  publish('webhooks')
}

/** Gives an endpoint a second secret. For the overlap, requests are signed with both. */
export async function rotateSecret(
  call: CallDefinition,
  context: Changing,
  id: number,
  overlapHours: number,
): Promise<string> {
  const { db, now, audit, publish, services } = context
  await findToChange(call, context, id)
  const secret = makeWebhookSecret()
  await endWebhookSecrets(db, id, shift(now, overlapHours * HOUR), now)
  await insertWebhookSecret(db, id, sealSecret(services.keyring, secret), now)
  audit({ action: 'webhook_rotated', ...about(id), after: { overlapHours } })
  publish('webhooks')
  return secret
}

/** Enqueues a test event; returns its delivery. */
export async function sendTest(call: CallDefinition, context: Changing, id: number): Promise<DeliveryRow> {
  const { db, now, audit, publish } = context
  await findToChange(call, context, id)
  const body = JSON.stringify({ type: TEST_EVENT, timestamp: now.toISOString(), data: { webhook: { id } } })
  const eventId = `evt_${randomUUID().replaceAll('-', '')}`
  const deliveryId = await insertTestDelivery(db, id, { eventId, type: TEST_EVENT, body }, now)
  await wakeSenders(db)
  audit({ action: 'webhook_tested', ...about(id) })
  publish('webhooks')
  return findDelivery(call, context, id, deliveryId)
}

/** Makes one delivery due again, under the same event id. */
export async function redeliverOne(
  call: CallDefinition,
  context: Changing,
  endpointId: number,
  deliveryId: number,
): Promise<DeliveryRow> {
  const { db, now, audit, publish } = context
  await findDelivery(call, context, endpointId, deliveryId)
  await restartDelivery(db, deliveryId, now)
  await wakeSenders(db)
  audit({ action: 'webhook_redelivered', ...about(endpointId), after: { delivery: deliveryId } })
  publish('webhooks')
  return findDelivery(call, context, endpointId, deliveryId)
}

/** Makes due again what was not delivered since a time; returns the number. */
export async function redeliverSince(
  call: CallDefinition,
  context: Changing,
  id: number,
  since: string,
): Promise<number> {
  const { db, now, audit, publish } = context
  await findToChange(call, context, id)
  const count = await restartOpen(db, id, new Date(since), now)
  if (count === 0) return 0
  await wakeSenders(db)
  audit({ action: 'webhook_redelivered', ...about(id), after: { since, count } })
  publish('webhooks')
  return count
}
