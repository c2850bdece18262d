import { listAudit } from '@limber/contract/access/audit/audit.ts'
import { listWebhooks, updateWebhook, type WebhookEndpoint } from '@limber/contract/access/webhooks/webhook.ts'
import { listRecoveries } from '@limber/contract/access/workers/worker.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { IconHistory, IconLifebuoy, IconWebhook } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { now } from '#platform/clock.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem, TodayNote } from '#platform/routing/sections.ts'
import type { Session } from '#platform/session/session.tsx'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { auditActor, auditPhrase } from './audit/audit-sentence.ts'
import { decideRecovery } from './recovery/decide-recovery.ts'
import { endpointName, offText } from './webhooks/webhook-labels.ts'

const SHOWN = 5
const WEEK = 7 * 86_400_000

/** Changes by other people in the last 7 days, newest first. */
export async function findChanges(signal: AbortSignal): Promise<TodayNote[]> {
  const from = new Date(now().getTime() - WEEK).toISOString().slice(0, 10)
  const { entries } = await send(listAudit, { query: { others: 'true', from, limit: String(SHOWN) } }, { signal })
  return entries.map((entry) => ({
    id: `change-${entry.id}`,
    title: `${auditActor(entry)} ${auditPhrase(entry)}`,
    when: momentText(entry.at, 'relative'),
    path: hrefTo('/worker/tech/access/audit', { others: 'true', entry: entry.id }),
    icon: IconHistory,
  }))
}

/** Open recovery requests, without the reader's own, which a colleague must decide. */
export async function findRecoveries(signal: AbortSignal, session: Session): Promise<TodayItem[]> {
  const { recoveries } = await send(listRecoveries, { query: { state: 'open', limit: String(SHOWN) } }, { signal })
  return recoveries
    .filter(({ isOwn }) => !isOwn)
    .map((request) => ({
      id: `recovery-${request.id}`,
      need: 'waiting',
      title: `${request.worker.name} asked to recover access`,
      detail: `Speak to ${request.worker.name} first`,
      due: request.createdAt,
      when: momentText(request.createdAt, 'relative'),
      path: hrefTo('/worker/tech/access/recoveries'),
      icon: IconLifebuoy,
      action: { label: 'Approve', run: () => decideRecovery(request, true, session) },
    }))
}

const switchOn = (endpoint: WebhookEndpoint) =>
  act(
    () =>
      send(updateWebhook, { params: { id: String(endpoint.id) }, body: { enabled: true, version: endpoint.version } }),
    { done: () => toast(`${endpointName(endpoint)} is on.`), failed: "Couldn't change the endpoint" },
  )

/** Webhook endpoints that Limber switched off. */
export async function findOffWebhooks(signal: AbortSignal): Promise<TodayItem[]> {
  const { endpoints } = await send(listWebhooks, {}, { signal })
  return endpoints
    .filter(({ off }) => off !== null)
    .map((endpoint) => ({
      id: `webhook-${endpoint.id}`,
      need: 'broken',
      title: `Webhook endpoint ${endpointName(endpoint)} is turned off`,
      detail: [
        offText(endpoint),
        ...(endpoint.waiting > 0 ? [`${pluralize(endpoint.waiting, 'event')} waiting`] : []),
      ].join(', '),
      path: hrefTo('/worker/tech/access/webhooks', { endpoint: endpoint.id }),
      icon: IconWebhook,
      action: { label: 'Turn on', run: () => switchOn(endpoint) },
    }))
}
