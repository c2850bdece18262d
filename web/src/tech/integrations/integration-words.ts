import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { IntegrationEvent, IntegrationStatus } from '@limber/contract/tech/integrations/integration.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

const kinds: Record<string, string> = {
  mail: 'Mail',
  text: 'Text message',
  push: 'Notification',
  ad: 'Ad',
  file: 'File',
  job: 'Queued work',
  text_message: 'Text message',
  lead: 'Lead',
  usage_events: 'Usage events',
}

const plain = (kind: string) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`

/** A kind in words; one that is not known here is named by itself. */
export const kindText = (kind: string): string => kinds[kind] ?? plain(kind)

/** What an event is about, as a line begins. */
export function aboutText({ about, kind }: Pick<IntegrationEvent, 'about' | 'kind'>): string {
  const text = about || kindText(kind)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const statusWords: Record<IntegrationStatus, string> = {
  waiting: 'waiting',
  retrying: 'failed, will retry',
  sending: 'sending',
  sent: 'sent',
  dead: 'given up',
  discarded: 'discarded',
  received: 'received',
  done: 'taken in',
  failed: 'failed',
  rejected: 'not let in',
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

/** `1 delivery`, `3 deliveries`. */
export const deliveriesText = (count: number) => pluralize(count, 'delivery', 'deliveries')
