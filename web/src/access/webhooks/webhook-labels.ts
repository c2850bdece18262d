import type { WebhookDelivery, WebhookEndpoint } from '@limber/contract/access/webhooks/webhook.ts'
import { formatInteger, formatPercent, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Meaning } from '#ui/feedback/status.tsx'
import { momentText } from '#ui/format/moment-text.ts'

/** What people call an endpoint: its description, or the host of its URL. */
export function endpointName({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string {
  return description || (URL.canParse(url) ? new URL(url).host : url)
}

export function endpointStatus({ enabled, off, failingSince }: WebhookEndpoint): { meaning: Meaning; text: string } {
  if (!enabled) return { meaning: off ? 'red' : 'plain', text: 'Off' }
  return failingSince ? { meaning: 'amber', text: 'Retrying' } : { meaning: 'green', text: 'On' }
}

/** Why Limber switched it off. */
export function offText({ off }: WebhookEndpoint): string | undefined {
  if (!off) return undefined
  return off.reason === 'gone'
    ? `Replied 410 on ${momentText(off.at, 'day')}`
    : `Turned off on ${momentText(off.at, 'day')} after 5 days of failures`
}

/** One line about an endpoint: its events, and how its deliveries do. */
export function endpointNote(endpoint: WebhookEndpoint): string {
  const { events, waiting, failed, delivered } = endpoint
  const reason = offText(endpoint)
  if (reason) return reason
  const behind = waiting + failed
  const how = behind > 0 ? `${formatInteger(behind)} not delivered` : delivered > 0 ? '100% in 24 h' : 'none in 24 h'
  return `${pluralize(events.length, 'event')}, ${how}`
}

/** The part that arrived at the first try. */
export const firstTryText = ({ delivered, deliveredAtOnce }: WebhookEndpoint) =>
  delivered === 0 ? '–' : formatPercent(Number(((deliveredAtOnce / delivered) * 100).toFixed(1)))

const names: Readonly<Record<string, string>> = {
  customers: 'Customer',
  stretchers: 'Stretcher',
  certifications: 'Certification',
  sessions: 'Session',
  businesses: 'Business',
  tickets: 'Ticket',
  leads: 'Lead',
  zones: 'Zone',
  periods: 'Pay period',
}

/** `customers 17` as people read it. */
export function recordText({ record }: Pick<WebhookDelivery, 'record'>): string {
  const [resource = '', id = ''] = record.split(' ')
  return record === '' ? 'Test' : `${names[resource] ?? resource} ${id}`
}

/** The last reply, or why there is none. */
export function replyStatus(delivery: WebhookDelivery): { meaning: Meaning; text: string } {
  const last = delivery.attempts.at(-1)
  if (delivery.waitsForEarlier) return { meaning: 'plain', text: 'waiting its turn' }
  if (!last) return { meaning: 'plain', text: 'waiting' }
  return attemptStatus(last)
}

export const attemptStatus = ({
  status,
  error,
}: WebhookDelivery['attempts'][number]): { meaning: Meaning; text: string } => ({
  meaning: status !== null && status >= 200 && status < 300 ? 'green' : 'red',
  text: status === null ? (error ?? 'no reply').replaceAll('_', ' ') : String(status),
})

/** The request as it was sent, as far as it is stored. */
export function requestText(delivery: {
  eventId: string
  signature: string | null
  body: string
  attempts: readonly { at: string }[]
}) {
  const last = delivery.attempts.at(-1)
  const head = [
    `webhook-id: ${delivery.eventId}`,
    ...(last ? [`webhook-timestamp: ${Math.floor(Date.parse(last.at) / 1000)}`] : []),
    ...(delivery.signature ? [`webhook-signature: ${delivery.signature}`] : []),
  ]
  return `${head.join('\n')}\n\n${printJson(delivery.body)}`
}

function printJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
