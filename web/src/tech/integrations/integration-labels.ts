import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { IntegrationEvent, IntegrationStatus } from '@limber/contract/tech/integrations/integration.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

const kinds: Record<string, string> = {
  mail: 'Email',
  text: 'Text message',
  push: 'Notification',
  ad: 'Ad',
  file: 'File',
  job: 'Background job',
  text_message: 'Text message',
  lead: 'Lead',
  usage_events: 'Usage events',
}

const plain = (kind: string) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`

/** The label of a kind. Unknown kinds show their own name. */
export const kindText = (kind: string): string => kinds[kind] ?? plain(kind)

/** The description of an event with a capital first letter. */
export function aboutText({ about, kind }: Pick<IntegrationEvent, 'about' | 'kind'>): string {
  const text = about || kindText(kind)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const statusLabels: Record<IntegrationStatus, string> = {
  waiting: 'Waiting',
  retrying: 'Retrying',
  sending: 'Sending',
  sent: 'Sent',
  dead: 'Failed',
  discarded: 'Discarded',
  received: 'Received',
  done: 'Processed',
  failed: 'Processing failed',
  rejected: 'Rejected',
}

export const statusMeaning: Record<IntegrationStatus, Meaning> = {
  waiting: 'blue',
  retrying: 'amber',
  sending: 'blue',
  sent: 'green',
  dead: 'red',
  discarded: 'plain',
  received: 'blue',
  done: 'green',
  failed: 'red',
  rejected: 'amber',
}

export const deliveriesText = (count: number) => pluralize(count, 'delivery', 'deliveries')
