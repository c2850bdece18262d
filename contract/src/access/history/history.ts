import { z } from 'zod'
import type { PermissionName } from '#access/permissions.ts'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id, IdText, IntegerText, Moment } from '#kit/values.ts'

/** Kinds of records with a history, in the words of the audit log. */
export const RecordKind = z.enum(['customer', 'ticket', 'lead', 'campaign', 'business', 'zone', 'schedule', 'worker'])
export type RecordKind = z.infer<typeof RecordKind>

/** A value before and after a change, in words. */
export const HistoryValue = z.object({
  field: z.string(),
  label: z.string(),
  /** Null when there was no value. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Why the values are not known: the person was erased on a day, or the value is not kept. */
  missing: z.string().nullable(),
  /**
   * The value before can be restored by the reader: the value now, in words, and what else happens then. Null when it
   * cannot, or when the record has that value.
   */
  restore: z.object({ now: z.string().nullable(), effect: z.string().nullable() }).nullable(),
})
export type HistoryValue = z.infer<typeof HistoryValue>

export const HistoryChange = z.object({
  id: Id,
  at: Moment,
  /** `program`: an API key, a command or Limber itself. */
  by: z.object({ kind: z.enum(['you', 'person', 'program']), name: z.string() }),
  /** The rest of the sentence that starts with who did it. */
  text: z.string(),
  reason: z.string().nullable(),
  values: z.array(HistoryValue),
})
export type HistoryChange = z.infer<typeof HistoryChange>

/** Who may open at least one kind of record. Each kind also checks its own permissions. */
const permission = [
  'users.overview',
  'users.directory',
  'tickets.handle',
  'growth.tab',
  'businesses.manage',
  'automation.manage',
  'access.manage',
] as const satisfies readonly PermissionName[]

export const MAX_CHANGES_COUNT = 999

export const listHistory = defineCall({
  method: 'GET',
  path: '/api/history/:kind/:id',
  summary: 'Who changed what on a record, when, from what to what, newest first',
  permission,
  params: z.strictObject({ kind: RecordKind, id: z.string().min(1).max(100) }),
  query: z.strictObject({
    /** The cursor: `next` of the previous page. */
    before: z
      .string()
      .regex(/^\d{1,16}\.\d{1,16}$/)
      .optional(),
    /** Only changes by people, or only by programs. */
    by: z.enum(['people', 'programs']).optional(),
    limit: IntegerText(1, 100).default(50),
  }),
  reply: z.object({
    /** What the record is called. */
    name: z.string(),
    changes: z.array(HistoryChange),
    next: z.string().nullable(),
    /** How many changes there are, at most 999, and since when. */
    total: z.object({ count: z.int(), isMore: z.boolean(), since: Moment.nullable() }),
  }),
  refusals: { not_found: [404, 'This record does not exist.'] },
})
export type HistoryPage = ReplyOf<typeof listHistory>

export const restoreValue = defineCall({
  method: 'POST',
  path: '/api/history/changes/:id/restore',
  summary: 'Restore the value of a field before a change, as a new change by the call that changes this field',
  permission,
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({
    field: z.string().min(1).max(100),
    /** The value that the reader saw as the present one. */
    now: z.string().nullable(),
  }),
  reply: z.object({ label: z.string(), value: z.string().nullable() }),
  refusals: {
    not_found: [404, 'This change does not exist.'],
    not_restorable: [409, 'This value cannot be restored.'],
    changed: [409, 'Someone changed this value since. Look at the history again, then restore it.'],
  },
})
