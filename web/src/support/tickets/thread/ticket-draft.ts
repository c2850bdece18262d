import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { useState } from 'react'
import { z } from 'zod'
import { forget, recall, remember } from '#platform/remember.ts'

const Draft = z.object({
  text: z.string().max(40_000),
  isNote: z.boolean(),
  /** What the writer had seen: the version to answer to, and the newest message of the thread. */
  version: z.number(),
  newest: z.number(),
})
type Draft = z.infer<typeof Draft>

function read(key: string): Draft | undefined {
  try {
    return Draft.parse(JSON.parse(recall(key) ?? ''))
  } catch {
    return undefined
  }
}

const newestOf = ({ messages }: TicketDetail) => messages.at(-1)?.id ?? 0

/**
 * The words for a ticket, kept on this device under the worker's name until they are sent: whoever leaves the ticket
 * finds them again, and a note stays a note. They answer what their writer had read when they began.
 */
export function useDraft(ticket: TicketDetail, workerId: number) {
  const key = `draft.${workerId}.ticket.${ticket.id}`
  const seen = { version: ticket.version, newest: newestOf(ticket) }
  const [draft, setDraft] = useState<Draft>(() => read(key) ?? { text: '', isNote: false, ...seen })

  const keep = (next: Draft) => {
    setDraft(next)
    if (next.text.trim() === '') forget(key)
    else remember(key, JSON.stringify(next))
  }
  const isEmpty = draft.text.trim() === ''
  return {
    text: draft.text,
    isNote: draft.isNote,
    isEmpty,
    /** The version that the writer knows of. */
    version: isEmpty ? seen.version : draft.version,
    /** Somebody wrote to the customer, or the customer wrote, since these words were begun. */
    isOvertaken: !isEmpty && !draft.isNote && seen.newest > draft.newest,
    write: (text: string) => keep({ ...draft, text, ...(isEmpty ? seen : {}) }),
    setNote: (isNote: boolean) => keep({ ...draft, isNote }),
    /** The writer has read what came meanwhile. */
    catchUp: (now: TicketDetail) => keep({ ...draft, version: now.version, newest: newestOf(now) }),
    clear: () => keep({ ...draft, text: '', isNote: false }),
  }
}
