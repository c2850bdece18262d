import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { type Field, namesOf, shapeOf } from '#kit/fields.ts'
import { Email, Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'

/** Account actions: each requires a reason and writes an audit row. */
const permission = ['users.overview', 'users.directory'] as const
const params = z.strictObject({ id: IdText })
const reason = Text(500)
const notFound = [404, 'This customer does not exist.'] as const
const gone = [409, 'This account was erased or merged into another one and cannot be changed.'] as const
const refusals = { not_found: notFound, gone } as const
const reply = z.object({ id: Id, version: Version })

export const blockUser = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/block',
  summary: 'Block an account',
  permission,
  params,
  body: z.strictObject({ reason }),
  reply,
  refusals: { ...refusals, already: [409, 'This account is already blocked.'] },
})

export const unblockUser = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/unblock',
  summary: 'Unblock an account',
  permission,
  params,
  body: z.strictObject({ reason }),
  reply,
  refusals: { ...refusals, not_blocked: [409, 'This account is not blocked.'] },
})

export const MAX_CREDITS = 50

export const adjustCredits = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/credits',
  summary: 'Add or remove credits of a customer',
  permission,
  params,
  body: z.strictObject({
    delta: z
      .int()
      .min(-MAX_CREDITS)
      .max(MAX_CREDITS)
      .refine((delta) => delta !== 0, 'must not be 0'),
    reason,
  }),
  reply: reply.extend({ credits: z.int() }),
  refusals: { ...refusals, too_few: [422, 'The customer has only {credits} credits.'] },
})

const Phone = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number like +19515550123')

/** The contact fields that support can correct, in the order of the form. */
export const contactFields = [
  { name: 'first_name', label: 'First name', schema: Line(100), isPersonal: true, erased: 'Erased' },
  { name: 'last_name', label: 'Last name', schema: Line(100), isPersonal: true, erased: 'Customer' },
  { name: 'email', label: 'Email', schema: Email, isPersonal: true },
  { name: 'phone', label: 'Phone', schema: Phone.nullable(), kind: 'phone', isPersonal: true },
] as const satisfies readonly Field[]
export const contactFieldNames = namesOf(contactFields)
const Contact = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  version: Version,
})

export const correctContact = defineCall({
  method: 'PATCH',
  path: '/api/support/users/:id/contact',
  summary: 'Correct name, email or phone; a new email must be verified again, and a stretcher keeps the name',
  permission,
  params,
  body: z.strictObject({
    ...shapeOf(contactFields),
    reason,
    version: Version.optional(),
  }),
  reply,
  refusals: {
    ...refusals,
    stale: staleRefusal('this account', Contact),
    email_taken: [409, 'Another account has this email. Merge the two accounts instead.'],
    is_stretcher: [409, 'This account belongs to a stretcher. Change the name in Stretcher Management.'],
  },
})
export type CorrectContact = BodyOf<typeof correctContact>
export type ContactChange = Pick<CorrectContact, (typeof contactFieldNames)[number]>

export const readContact = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/contact',
  summary: 'Name, email and phone of a customer, for the form',
  permission,
  params,
  reply: Contact,
  refusals: { not_found: notFound },
})

export const sendVerification = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/verification-mail',
  summary: 'Send the verification email to a customer again',
  permission,
  params,
  body: z.strictObject({ reason }),
  limit: { by: 'worker', times: 30, seconds: 3600 },
  reply,
  refusals: {
    ...refusals,
    verified: [409, 'This address is already verified.'],
    too_soon: [409, 'A verification email was sent less than ten minutes ago. Try again later.'],
  },
})

export const listDuplicates = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/duplicates',
  summary: 'Accounts that may belong to the same person: same phone, or same name',
  permission,
  params,
  reply: z.array(
    z.object({
      id: Id,
      name: z.string(),
      email: z.string(),
      phone: z.string().nullable(),
      joinedAt: Moment,
      bookings: z.int(),
      credits: z.int(),
      why: z.enum(['same phone', 'same name']),
    }),
  ),
  refusals: { not_found: notFound },
})
export type DuplicateList = ReplyOf<typeof listDuplicates>

export const mergeUsers = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/merge',
  summary: 'Move all records of a duplicate into this account and close the duplicate',
  permission,
  params,
  stepUp: true,
  body: z.strictObject({ duplicateId: Id, reason }),
  reply: reply.extend({
    moved: z.object({
      bookings: z.int(),
      transactions: z.int(),
      credits: z.int(),
      notes: z.int(),
      /** Only when the worker may see a customer's tickets. */
      tickets: z.int().nullable(),
    }),
  }),
  refusals: {
    ...refusals,
    itself: [422, 'An account cannot be merged into itself.'],
    is_stretcher: [409, 'The duplicate belongs to a stretcher. Merge this account into it instead.'],
  },
})

const Records = z.array(z.record(z.string(), z.unknown()))

/** The export contains at most this many usage events, the newest ones. */
export const MAX_EXPORTED_EVENTS = 10_000

/** Everything stored about a customer and the duplicates merged into the account. Messages need their own permissions. */
export const exportUser = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/export',
  summary: 'Export all data of a customer as JSON',
  permission,
  params,
  body: z.strictObject({ reason }),
  limit: { by: 'worker', times: 20, seconds: 3600 },
  reply: z.object({
    exportedAt: Moment,
    customer: z.record(z.string(), z.unknown()),
    mergedAccounts: Records,
    bookings: Records,
    transactions: Records,
    creditEntries: Records,
    rewards: Records,
    notes: Records,
    /** Booked slots of on-site sessions. */
    participations: Records,
    certifications: Records,
    training: z.object({ courses: Records, lessons: Records, attempts: Records }),
    notifications: Records,
    /** Product usage: the newest 10,000 actions. */
    usage: Records,
    /** Text messages with the customer's numbers, except numbers shared with another account; needs permission to see texts. */
    texts: Records.nullable(),
    /** Logged emails with subject, date and delivery state; only when the worker may see the log. */
    mails: Records.nullable(),
    /** Only when the worker may see a customer's tickets. */
    tickets: Records.nullable(),
    /** Only when the worker may see leads. */
    leads: Records.nullable(),
  }),
  refusals: { not_found: notFound },
})

export const eraseUser = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/erase',
  summary: 'Erase the personal data of a customer; figures and payments stay without a name',
  permission,
  params,
  stepUp: true,
  body: z.strictObject({ reason, /** The email address, typed to confirm. */ email: Email }),
  reply,
  refusals: {
    ...refusals,
    wrong_email: [422, 'This is not the email of the account.'],
    is_stretcher: [409, 'This account belongs to a stretcher. Deactivate the stretcher first.'],
    has_worked: [
      409,
      'This account belongs to a stretcher who has worked here. Payroll and tax records must keep the name.',
    ],
    has_bookings: [
      409,
      'This customer has upcoming bookings: {bookings}. Erase the account after they are completed or canceled in the app.',
    ],
  },
})
