import { z } from 'zod'
import type { PermissionName } from '#access/permissions.ts'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id, IdText, IntegerText, Moment } from '#kit/values.ts'

/** Kinds of records with a history, in the words of the audit log. */
export const RecordKind = z.enum([
  'customer',
  'ticket',
  'lead',
  'campaign',
  'business',
  'prepaid_block',
  'onsite_session',
  'zone',
  'stretcher',
  'certification',
  'certification_type',
  'course',
  'module',
  'lesson',
  'schedule',
  'worker',
  'api_key',
  'limits',
  'company',
  'promises',
  'assignment',
  'saved_reply',
  'ticket_tag',
  'payroll_settings',
  'city_task',
])
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
  restore: z
    .object({
      now: z.string().nullable(),
      effect: z.string().nullable(),
      /** No one changed the value since. */
      isLatest: z.boolean(),
      /** Of a list, what comes back and what goes. */
      list: z.object({ adds: z.string().nullable(), removes: z.string().nullable() }).nullable(),
    })
    .nullable(),
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
  /** The reader can take the change back with the opposite action, and what else happens then. Values are restored. */
  undo: z.object({ effect: z.string().nullable() }).nullable(),
})
export type HistoryChange = z.infer<typeof HistoryChange>

/** Who may open at least one kind of record. Each kind also checks its own permissions. */
const permission = [
  'users.overview',
  'users.directory',
  'tickets.handle',
  'growth.tab',
  'businesses.manage',
  'training.manage',
  'notifications.send',
  'payroll.settings',
  'automation.manage',
  'access.manage',
] as const satisfies readonly PermissionName[]

export const MAX_CHANGES_COUNT = 999

export const listHistory = defineCall({
  method: 'GET',
  path: '/api/history/:kind/:id',
  summary: 'Who changed what on a record, when, from what to what, newest first',
  permission,
  params: z.strictObject({ kind: RecordKind, id: z.string().min(1).max(200) }),
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

/** A constraint or a trigger of the database refused. */
const inTheWay = [409, 'Something that was added or changed since is in the way. Nothing was changed.'] as const

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
    in_the_way: inTheWay,
  },
})

/** How long after a request its changes can be undone together. The history undoes them one by one at any time. */
export const UNDO_REQUEST_MINUTES = 60

export const undoChange = defineCall({
  method: 'POST',
  path: '/api/history/undo',
  summary: 'Undo a change, or all changes of a request of yours, as new changes by the calls that change these records',
  permission,
  body: z.union([
    z.strictObject({ change: Id }),
    /** `X-Request-Id` of the reply to the request. */
    z.strictObject({ request: z.string().min(1).max(100) }),
  ]),
  reply: z.object({ undone: z.int() }),
  refusals: {
    not_found: [404, 'This change does not exist.'],
    not_undoable: [409, 'This change cannot be undone.'],
    changed: [409, 'Someone changed this since, so it was not undone.'],
    in_the_way: inTheWay,
  },
})
