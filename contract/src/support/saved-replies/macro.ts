import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id, IdText, Moment, Version } from '#kit/values.ts'
import { MAX_CREDITS } from '../customers/account.ts'
import { TicketStatus } from '../tickets/ticket.ts'

/** What happens when a saved reply is sent with its actions. */
export const MacroAction = z.union([
  z.strictObject({ type: z.literal('status'), status: TicketStatus }),
  z.strictObject({ type: z.literal('tag'), tag: Id }),
  /** `me`: whoever sends the reply. */
  z.strictObject({ type: z.literal('assign'), worker: Id.or(z.literal('me')) }),
  z.strictObject({ type: z.literal('credits'), credits: z.int().min(1).max(MAX_CREDITS) }),
  /** A call-back task for whoever sends the reply, due this many days later. */
  z.strictObject({ type: z.literal('callback'), days: z.int().min(0).max(90) }),
])
export type MacroAction = z.infer<typeof MacroAction>

export const MAX_MACRO_ACTIONS = 8

const keyOf = (action: MacroAction) => (action.type === 'tag' ? `tag ${action.tag}` : action.type)
const areUnique = (actions: MacroAction[]) => new Set(actions.map(keyOf)).size === actions.length

export const MacroActions = z
  .array(MacroAction)
  .max(MAX_MACRO_ACTIONS, `A saved reply has at most ${MAX_MACRO_ACTIONS} actions.`)
  .refine(areUnique, 'The same action is there twice.')

/** One action on one ticket, before it runs. */
const MacroStep = z.object({
  type: z.enum(['status', 'tag', 'assign', 'credits', 'callback']),
  text: z.string(),
  /** What changes, for example `3 to 5`. Empty when the text says it. */
  detail: z.string(),
  /** It runs only after the passkey was confirmed. */
  needsPasskey: z.boolean(),
  /** Why it cannot run; null when it can. */
  problem: z.string().nullable(),
})
export type MacroStep = z.infer<typeof MacroStep>

export const previewMacro = defineCall({
  method: 'GET',
  path: '/api/support/tickets/:id/macros/:reply',
  summary: 'What a saved reply with actions would do to a ticket, and the values for its placeholders',
  permission: 'tickets.handle',
  params: z.strictObject({ id: IdText, reply: IdText }),
  reply: z.object({
    version: Version,
    steps: z.array(MacroStep),
    facts: z.object({
      /** The credits that the reply grants. */
      credits: z.int().nullable(),
      /** Of the customer's next session; only for workers who may see accounts. */
      stretcher: z.string().nullable(),
      nextSession: Moment.nullable(),
    }),
  }),
  refusals: {
    not_found: [404, 'This ticket does not exist.'],
    no_reply: [404, 'This saved reply does not exist.'],
  },
})
export type MacroPreview = ReplyOf<typeof previewMacro>
