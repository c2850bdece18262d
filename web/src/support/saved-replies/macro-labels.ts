import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { MacroAction, MacroStep } from '@limber/contract/support/saved-replies/macro.ts'
import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { IconCircleDashed, IconCoins, IconPhone, IconTag, IconUserCheck } from '@tabler/icons-react'

export const stepIcons: Record<MacroStep['type'], typeof IconTag> = {
  status: IconCircleDashed,
  tag: IconTag,
  assign: IconUserCheck,
  credits: IconCoins,
  callback: IconPhone,
}

interface Named {
  id: number
  name: string
}

export const formatActionCount = (count: number) => pluralize(count, 'action')

const callbackText = (days: number) => (days === 0 ? 'the same day' : `after ${pluralize(days, 'day')}`)

/** One action in words, for lists and for conflicts. */
export function describeAction(action: MacroAction, tags: readonly Named[], workers: readonly Named[]): string {
  const nameIn = (list: readonly Named[], id: number) => list.find((one) => one.id === id)?.name ?? `#${id}`
  switch (action.type) {
    case 'status':
      return `Set status to ${ticketStatusLabels[action.status]}`
    case 'tag':
      return `Add tag ${nameIn(tags, action.tag)}`
    case 'assign':
      return action.worker === 'me' ? 'Assign to the sender' : `Assign to ${nameIn(workers, action.worker)}`
    case 'credits':
      return `Grant ${pluralize(action.credits, 'credit')}`
    case 'callback':
      return `Call-back task ${callbackText(action.days)}`
  }
}

/** `4 actions · used 31 times`; empty for a plain text. */
export function usageOf({ actions, uses }: SavedReply): string {
  if (actions.length === 0) return ''
  const used = uses === 0 ? 'not used yet' : uses === 1 ? 'used once' : `used ${uses} times`
  return `${formatActionCount(actions.length)} · ${used}`
}
