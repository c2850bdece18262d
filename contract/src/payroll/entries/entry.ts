import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, Id, IdText, Text } from '#kit/values.ts'
import { PayrollDetail } from '../lists/detail.ts'
import { Dollars, EntryType } from '../values.ts'

/** A completed session: a customer's booking, or an on-site session at a business. */
export const SessionRef = z.strictObject({ kind: z.enum(['booking', 'onsite']), id: Id })
export type SessionRef = z.infer<typeof SessionRef>

/** The maximum number of unpaid sessions to select from, newest first. */
export const MAX_UNPAID = 50

export const listUnpaidSessions = defineCall({
  method: 'GET',
  path: '/api/payroll/earners/:id/unpaid-sessions',
  summary: 'List completed sessions of an earner without a payroll entry since payroll started, newest first',
  permission: 'payroll.details',
  params: z.strictObject({ id: IdText }),
  reply: z.object({
    sessions: z
      .array(
        SessionRef.extend({
          work_date: Day,
          /** The zone of a booking or the business of an on-site session. */
          place: z.string(),
          /** On-site sessions only. */
          hours: z.int().nullable(),
          /** Pay at the rates of that day; null for an on-site session on a day without a rate. */
          amount: Dollars.nullable(),
        }),
      )
      .max(MAX_UNPAID),
  }),
  refusals: { unknown: [404, 'This earner does not exist.'] },
})
export type UnpaidSession = ReplyOf<typeof listUnpaidSessions>['sessions'][number]

const MAX_AMOUNT = 100_000

/** Wages are taxed at the provisional rate of the work date; other types are not taxed. */
export const addEntry = defineCall({
  method: 'POST',
  path: '/api/payroll/details',
  summary: 'Add session pay, a bonus, commission, sick pay, break time pay, mileage or an expense for an earner',
  permission: 'payroll.details',
  stepUp: true,
  body: z
    .strictObject({
      earner_id: Id,
      type: EntryType,
      amount: Dollars.refine((value) => value > 0, 'must be more than 0').refine(
        (value) => value <= MAX_AMOUNT,
        'must be at most 100,000',
      ),
      /** Required unless a session sets it. If the pay period of that day has passed, the entry goes into the current one. */
      work_date: Day.optional(),
      /** The session to pay. It must not have an entry yet. */
      session: SessionRef.optional(),
      /** A short description. */
      sub_type: Text(80).optional(),
    })
    .superRefine(({ type, work_date, session }, { addIssue }) => {
      const isSession = type === 'session'
      const required = (name: string) => addIssue({ code: 'custom', path: [name], message: 'is required' })
      const notAllowed = (name: string) =>
        addIssue({
          code: 'custom',
          path: [name],
          message: isSession ? 'is taken from the session' : 'applies to session pay only',
        })
      if (isSession && !session) required('session')
      if (isSession && work_date !== undefined) notAllowed('work_date')
      if (!isSession && work_date === undefined) required('work_date')
      if (!isSession && session) notAllowed('session')
    }),
  reply: PayrollDetail,
  refusals: {
    unknown: [404, 'This earner does not exist.'],
    no_session: [409, 'This session is already paid, or it is not a completed session of this earner.'],
    before_start: [422, 'This session took place before payroll started on {day}, so it is not paid through payroll.'],
    not_yet: [422, 'The work date cannot be in the future.'],
    too_early: [422, 'There are no payroll settings for that day.'],
    no_tables: [422, 'This entry would be paid in {year}, but there are no tax tables for that year yet.'],
  },
})

export const cancelEntry = defineCall({
  method: 'POST',
  path: '/api/payroll/details/:id/cancel',
  summary: 'Cancel a manual entry that is not paid yet',
  permission: 'payroll.details',
  stepUp: true,
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({ reason: Text(200) }),
  reply: PayrollDetail,
  refusals: {
    unknown: [404, 'This payroll entry does not exist.'],
    of_session: [422, 'This entry pays for a session. Correct the booking or the on-site session instead.'],
    not_pending: [409, 'This entry is already paid or canceled.'],
  },
})
