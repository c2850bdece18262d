import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { useState } from 'react'
import { z } from 'zod'
import { readPreference, removePreference, savePreference } from '#platform/preferences.ts'

const Draft = z.object({
  text: z.string().max(40_000),
  isNote: z.boolean(),
  /** What the writer has seen: the ticket version and the newest message. */
  version: z.number(),
  newest: z.number(),
})
type Draft = z.infer<typeof Draft>

function read(key: string): Draft | undefined {
  try {
    return Draft.parse(JSON.parse(readPreference(key) ?? ''))
  } catch {
    return undefined
  }
}

const newestOf = ({ messages }: TicketDetail) => messages.at(-1)?.id ?? 0

/**
 * The draft for a ticket, stored on this device per worker until it is sent. It survives leaving the ticket and remembers
 * whether it is a note. It replies to the version that the writer saw when starting it.
 */
export function useDraft(ticket: TicketDetail, workerId: number) {
  const key = `draft.${workerId}.ticket.${ticket.id}`
  const seen = { version: ticket.version, newest: newestOf(ticket) }
  const [draft, setDraft] = useState<Draft>(() => read(key) ?? { text: '', isNote: false, ...seen })

  const keep = (next: Draft) => {
    setDraft(next)
    if (next.text.trim() === '') removePreference(key)
    else savePreference(key, JSON.stringify(next))
  }
  const isEmpty = draft.text.trim() === ''
  return {
    text: draft.text,
    isNote: draft.isNote,
    isEmpty,
    /** The version that the writer has seen. */
    version: isEmpty ? seen.version : draft.version,
    /** Someone replied, or the customer wrote, since the draft was started. */
    hasNewMessages: !isEmpty && !draft.isNote && seen.newest > draft.newest,
    write: (text: string) => keep({ ...draft, text, ...(isEmpty ? seen : {}) }),
    setNote: (isNote: boolean) => keep({ ...draft, isNote }),
    /** The writer has read the new messages. */
    catchUp: (now: TicketDetail) => keep({ ...draft, version: now.version, newest: newestOf(now) }),
    clear: () => keep({ ...draft, text: '', isNote: false }),
  }
}
