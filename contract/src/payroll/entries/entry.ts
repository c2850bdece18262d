import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, Id, IdText, Text } from '#kit/values.ts'
import { PayrollDetail } from '../lists/detail.ts'
import { Dollars, EntryType } from '../values.ts'

/** A completed session: a customer's booking, or an on-site session at a business. */
export const SessionRef = z.strictObject({ kind: z.enum(['booking', 'onsite']), id: Id })
export type SessionRef = z.infer<typeof SessionRef>

/** Sessions to choose from come at most so many at once, the newest first. */
export const MAX_UNPAID = 50

export const listUnpaidSessions = defineCall({
  method: 'GET',
  path: '/api/payroll/earners/:id/unpaid-sessions',
  summary: 'Completed sessions of an earner that have no payroll entry, the newest first',
  permission: 'payroll.details',
  params: z.strictObject({ id: IdText }),
  reply: z.object({
    sessions: z
      .array(
        SessionRef.extend({
          work_date: Day,
          /** The zone of a booking, or the business. */
          place: z.string(),
          /** Of an on-site session. */
          hours: z.int().nullable(),
          /** The pay of its day; none for an on-site session of a day without a rate. */
          amount: Dollars.nullable(),
        }),
      )
      .max(MAX_UNPAID),
  }),
  refusals: { unknown: [404, 'There is no such earner.'] },
})
export type UnpaidSession = ReplyOf<typeof listUnpaidSessions>['sessions'][number]

const MOST = 100_000

/** Booked like a completed session: at the provisional rate of its day if it is wages, untaxed if it is not. */
export const addEntry = defineCall({
  method: 'POST',
  path: '/api/payroll/details',
  summary: 'Enter a session, bonus, commission, sick pay, break time, mileage or an expense of an earner',
  permission: 'payroll.details',
  stepUp: true,
  body: z
    .strictObject({
      earner_id: Id,
      type: EntryType,
      amount: Dollars.refine((value) => value > 0, 'must be more than 0').refine(
        (value) => value <= MOST,
        'must not be more than 100,000',
      ),
      /** The day it is for, unless a session says it; what is too late for the pay period of that day is paid with the current one. */
      work_date: Day.optional(),
      /** The session that it pays for, and which has no entry yet. */
      session: SessionRef.optional(),
      /** What it is for, in a few words. */
      sub_type: Text(80).optional(),
    })
    .superRefine(({ type, work_date, session }, { addIssue }) => {
      const isSession = type === 'session'
      const required = (name: string) => addIssue({ code: 'custom', path: [name], message: 'is required' })
      const unwanted = (name: string) =>
        addIssue({
          code: 'custom',
          path: [name],
          message: isSession ? 'comes from the session' : 'is for sessions only',
        })
      if (isSession && !session) required('session')
      if (isSession && work_date !== undefined) unwanted('work_date')
      if (!isSession && work_date === undefined) required('work_date')
      if (!isSession && session) unwanted('session')
    }),
  reply: PayrollDetail,
  refusals: {
    unknown: [404, 'There is no such earner.'],
    no_session: [409, 'This session is already paid, or is not a completed session of this earner.'],
    not_yet: [422, 'The day has not come yet.'],
    too_early: [422, 'There are no payroll settings for that day.'],
    no_tables: [422, 'It would be paid in {year}, and there are no tax tables for that year yet.'],
  },
})

export const cancelEntry = defineCall({
  method: 'POST',
  path: '/api/payroll/details/:id/cancel',
  summary: 'Cancel an entry that was made by hand and is not paid yet',
  permission: 'payroll.details',
  stepUp: true,
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({ reason: Text(200) }),
  reply: PayrollDetail,
  refusals: {
    unknown: [404, 'There is no such payroll entry.'],
    of_session: [422, 'This entry pays a session. Correct the booking or the on-site session instead.'],
    not_pending: [409, 'This entry is paid or cancelled already.'],
  },
})
