import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Email, Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'
import { nameOf } from '../permissions.ts'
import { Device, HeldPermission, Passkey, SignedInSession } from '../profile/profile.ts'
import { rolePresets } from './role-presets.ts'

export const WorkerStatus = z.enum(['invited', 'active', 'disabled'])
export type WorkerStatus = z.infer<typeof WorkerStatus>

/** The state of a worker's newest onboarding link. */
export const LinkState = z.enum(['none', 'open', 'expired', 'used', 'revoked'])

export const WorkerRow = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  role: z.string().nullable(),
  status: WorkerStatus,
  permissions: z.array(HeldPermission),
  lastSeenAt: Moment.nullable(),
  openSessions: z.int(),
  link: LinkState,
  createdAt: Moment,
  version: Version,
})
export type WorkerRow = z.infer<typeof WorkerRow>

export const WorkerDetail = WorkerRow.extend({
  passkeys: z.array(Passkey),
  sessions: z.array(SignedInSession),
  devices: z.array(Device),
  recoveryCodesLeft: z.int(),
  hasTwoFactor: z.boolean(),
  linkExpiresAt: Moment.nullable(),
  /** The last Owner cannot be disabled and keeps every permission. */
  isLastOwner: z.boolean(),
})
export type WorkerDetail = z.infer<typeof WorkerDetail>

const RoleName = z.string().refine((role) => role in rolePresets, 'is not a known role')
const Codes = z
  .array(z.union([z.string(), z.int()]).transform(String))
  .max(100)
  .refine((codes) => codes.every((code) => nameOf(code)), 'contains an unknown permission')
  .transform((codes) => [...new Set(codes)])

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This worker does not exist.'] as const
const ownAccount = [403, 'You cannot do this to your own account. Ask a colleague who manages access.'] as const
const lastOwner = [409, 'This is the last Owner. Make another worker an Owner first.'] as const
const ownerHoldsAll = [422, 'An Owner has every permission. Select another role to remove some.'] as const
const taken = [409, 'A worker with this email already exists.'] as const
const stale = staleRefusal('this worker', WorkerDetail)
const workerReply = z.object({ worker: WorkerDetail })

export const listWorkers = defineCall({
  method: 'GET',
  path: '/api/access/workers',
  summary: 'List workers by name, with their permissions',
  permission: 'access.manage',
  query: z.strictObject({
    ...pageQuery({ limit: 20 }),
    search: z.string().trim().max(100).optional(),
    status: WorkerStatus.optional(),
    role: RoleName.optional(),
  }),
  reply: z.object({ workers: z.array(WorkerRow), pagination: Pagination }),
})

export const exportWorkers = exportCall(listWorkers, 'workers')

export const readWorker = defineCall({
  method: 'GET',
  path: '/api/access/workers/:id',
  summary: 'Read one worker: permissions, passkeys, sessions, devices, link',
  permission: 'access.manage',
  params,
  reply: workerReply,
  refusals: { not_found: notFound },
})

/** The link is emailed to the worker. Without a mail server, use `showLink`. */
export const inviteWorker = defineCall({
  method: 'POST',
  path: '/api/access/workers/invite',
  summary: 'Invite a worker and email them an onboarding link',
  permission: 'access.manage',
  stepUp: true,
  body: z.strictObject({
    email: Email,
    name: Line(120),
    role: RoleName.nullable().default(null),
    /** Default: the permissions of the role. */
    permissions: Codes.optional(),
  }),
  reply: workerReply,
  refusals: {
    taken,
    owner_holds_all: ownerHoldsAll,
  },
})

/** Codes and links go to the email on file, so the old address is notified of a change. */
export const correctWorker = defineCall({
  method: 'PATCH',
  path: '/api/access/workers/:id',
  summary: "Change a worker's name or email",
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({ name: Line(120), email: Email, version: Version }),
  reply: workerReply,
  refusals: { not_found: notFound, own_account: ownAccount, taken, stale },
})

export const resendLink = defineCall({
  method: 'POST',
  path: '/api/access/workers/:id/resend-link',
  summary: 'Email a new onboarding link; the old one stops working',
  permission: 'access.manage',
  params,
  body: z.strictObject({}),
  reply: workerReply,
  refusals: {
    not_found: notFound,
    not_invited: [409, 'This worker has already finished onboarding. They can recover access at /recovery.'],
  },
})

/** Refused when there is a mail server, because whoever opens the link becomes this worker. */
export const showLink = defineCall({
  method: 'POST',
  path: '/api/access/workers/:id/show-link',
  summary: 'Without a mail server: make a new onboarding link and show it once; the old one stops working',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({}),
  reply: z.object({ link: z.string() }),
  refusals: {
    not_found: notFound,
    not_invited: [409, 'This worker has already finished onboarding. They can recover access at /recovery.'],
    has_mail_server: [409, 'This server can send email. Resend the link instead.'],
  },
})

export const revokeLink = defineCall({
  method: 'POST',
  path: '/api/access/workers/:id/revoke-link',
  summary: 'Revoke an open onboarding link',
  permission: 'access.manage',
  params,
  body: z.strictObject({}),
  reply: workerReply,
  refusals: { not_found: notFound, no_link: [409, 'There is no open link to revoke.'] },
})

export const changePermissions = defineCall({
  method: 'PATCH',
  path: '/api/access/workers/:id/permissions',
  summary: "Change a worker's role and permissions; removing a permission ends their sessions",
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({ role: RoleName.nullable(), permissions: Codes, version: Version }),
  reply: workerReply,
  refusals: {
    not_found: notFound,
    own_account: ownAccount,
    last_owner: lastOwner,
    owner_holds_all: ownerHoldsAll,
    stale,
  },
})

export const disableWorker = defineCall({
  method: 'POST',
  path: '/api/access/workers/:id/disable',
  summary: 'Disable a worker and end every session, device and link',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({ reason: Text(300).optional() }),
  reply: workerReply,
  refusals: { not_found: notFound, own_account: ownAccount, last_owner: lastOwner },
})

export const enableWorker = defineCall({
  method: 'POST',
  path: '/api/access/workers/:id/enable',
  summary: 'Enable a disabled worker; their passkeys work again',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({}),
  reply: workerReply,
  refusals: { not_found: notFound, own_account: ownAccount },
})

export const endWorkerSessions = defineCall({
  method: 'POST',
  path: '/api/access/workers/:id/end-sessions',
  summary: 'Sign a worker out everywhere',
  permission: 'access.manage',
  params,
  body: z.strictObject({}),
  reply: workerReply,
  refusals: { not_found: notFound },
})

/** Closed: another request was approved, or the worker recovered access without this one. */
export const RecoveryState = z.enum(['open', 'approved', 'denied', 'closed', 'expired'])

export const RecoveryRequest = z.object({
  id: Id,
  worker: z.object({ id: Id, name: z.string(), email: z.string() }),
  state: RecoveryState,
  createdAt: Moment,
  expiresAt: Moment,
  address: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: Moment.nullable(),
  /** A worker cannot decide their own request. */
  isOwn: z.boolean(),
})
export type RecoveryRequest = z.infer<typeof RecoveryRequest>

export const listRecoveries = defineCall({
  method: 'GET',
  path: '/api/access/recoveries',
  summary: 'List requests to recover access, newest first',
  permission: 'access.manage',
  query: z.strictObject({ ...pageQuery({ limit: 20 }), state: RecoveryState.optional() }),
  reply: z.object({ recoveries: z.array(RecoveryRequest), pagination: Pagination }),
})

export const exportRecoveries = exportCall(listRecoveries, 'recovery-requests')

const recoveryRefusals = {
  not_found: [404, 'This request does not exist.'],
  own_account: ownAccount,
  decided: [409, 'This request was already decided or has expired.'],
} as const

export const approveRecovery = defineCall({
  method: 'POST',
  path: '/api/access/recoveries/:id/approve',
  summary: 'Approve a recovery and email the worker a new onboarding link',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({}),
  reply: z.object({ recovery: RecoveryRequest }),
  refusals: recoveryRefusals,
})

export const denyRecovery = defineCall({
  method: 'POST',
  path: '/api/access/recoveries/:id/deny',
  summary: 'Deny a recovery',
  permission: 'access.manage',
  params,
  body: z.strictObject({}),
  reply: z.object({ recovery: RecoveryRequest }),
  refusals: recoveryRefusals,
})
