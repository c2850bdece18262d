import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Day, Id, IdText, IntegerText, Moment } from '#kit/values.ts'

export const AuditRow = z.object({
  id: Id,
  at: Moment,
  worker: z.object({ id: Id, name: z.string().nullable() }).nullable(),
  /** Who acted without a session, such as an API key by its name. */
  actor: z.string().nullable(),
  /** The call or CLI command that did it. */
  call: z.string(),
  action: z.string(),
  outcome: z.enum(['done', 'refused']),
  subject: z.string().nullable(),
  subjectId: z.string().nullable(),
  /** What the record is called now. Null if that is not known, or if the reader may not open records of this kind. */
  subjectName: z.string().nullable(),
  /** When `areValuesHidden`, this, `after` and a typed reason are null. */
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  /** The reader has no permission to open records of this kind. */
  areValuesHidden: z.boolean(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

const filters = {
  worker: IdText.optional(),
  action: z.string().trim().max(100).optional(),
  subject: z.string().trim().max(100).optional(),
  subjectId: z.string().trim().max(100).optional(),
  outcome: z.enum(['done', 'refused']).optional(),
  /** UTC days, inclusive. */
  from: Day.optional(),
  to: Day.optional(),
  /** Only changes that other people made to records. Their sign-ins are left out. */
  others: z.literal('true').optional(),
}

export const listAudit = defineCall({
  method: 'GET',
  path: '/api/access/audit',
  summary: 'List the audit log, newest first',
  permission: 'access.manage',
  query: z.strictObject({
    ...filters,
    /** The cursor: `next` of the previous page. */
    before: z
      .string()
      .regex(/^\d{1,16}\.\d{1,16}$/)
      .optional(),
    limit: IntegerText(1, 200).default(50),
  }),
  reply: z.object({ entries: z.array(AuditRow), next: z.string().nullable() }),
})

export const exportAudit = exportCall(listAudit, 'audit-log')

export const readAuditEntry = defineCall({
  method: 'GET',
  path: '/api/access/audit/entries/:id',
  summary: 'Read one audit log entry',
  permission: 'access.manage',
  params: z.strictObject({ id: IdText }),
  reply: z.object({ entry: AuditRow }),
  refusals: { not_found: [404, 'This entry does not exist.'] },
})

/** Options for the filters. */
export const listAuditTerms = defineCall({
  method: 'GET',
  path: '/api/access/audit/terms',
  summary: 'List the actions and subjects in the audit log',
  permission: 'access.manage',
  reply: z.object({ actions: z.array(z.string()), subjects: z.array(z.string()) }),
})

export const verifyAudit = defineCall({
  method: 'POST',
  path: '/api/access/audit/verify',
  summary: 'Verify the audit log chain and name the first bad row',
  permission: 'access.manage',
  reads: true,
  body: z.strictObject({}),
  reply: z.object({
    isWhole: z.boolean(),
    /** Rows compared with the chain. */
    checked: z.int(),
    /** Rows that are not in the chain yet. */
    waiting: z.int(),
    badId: Id.nullable(),
    problem: z.string().nullable(),
  }),
  limit: { by: 'worker', times: 10, seconds: 60 },
})
export type AuditVerdict = ReplyOf<typeof verifyAudit>
