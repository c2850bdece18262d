import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { useState } from 'react'
import { z } from 'zod'
import { readPreference, removePreference, savePreference } from '#platform/preferences.ts'

const DraftMacro = z.object({
  id: z.number(),
  version: z.number(),
  /** The actions to run, by their place in the saved reply. */
  steps: z.array(
    z.object({ place: z.number(), type: z.enum(['status', 'tag', 'assign', 'credits', 'callback']), text: z.string() }),
  ),
})
/** The actions of an inserted saved reply, which run when the response is sent. */
export type DraftMacro = z.infer<typeof DraftMacro>

const Draft = z.object({
  text: z.string().max(40_000),
  isNote: z.boolean(),
  /** What the writer has seen: the ticket version and the newest message. */
  version: z.number(),
  newest: z.number(),
  macro: DraftMacro.optional(),
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
    const isBlank = next.text.trim() === ''
    setDraft(isBlank ? { ...next, macro: undefined } : next)
    if (isBlank) removePreference(key)
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
    /** Without actions, those of the draft stay. */
    write: (text: string, macro = draft.macro) => keep({ ...draft, text, macro, ...(isEmpty ? seen : {}) }),
    macro: draft.macro,
    dropMacro: () => keep({ ...draft, macro: undefined }),
    setNote: (isNote: boolean) => keep({ ...draft, isNote }),
    /** Adds what was typed while the ticket was loading. */
    goOn: (text: string, isNote: boolean) => keep({ ...draft, isNote, text: draft.text + text }),
    /** The writer has read the new messages. */
    catchUp: (now: TicketDetail) => keep({ ...draft, version: now.version, newest: newestOf(now) }),
    clear: () => keep({ ...draft, text: '', isNote: false }),
  }
}
