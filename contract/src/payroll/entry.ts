import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Day, Id, IdText, Text } from '#kit/values.ts'
import { PayrollDetail } from './detail.ts'
import { Dollars, EntryType } from './values.ts'

/** What is entered by hand; sessions become entries by themselves. */
export const HandType = EntryType.exclude(['session'])
export type HandType = z.infer<typeof HandType>

const MOST = 100_000

/** Booked like a session: at the provisional rate of its day if it is wages, untaxed if it is not. */
export const addEntry = defineCall({
  method: 'POST',
  path: '/api/payroll/details',
  summary: 'Enter a bonus, commission, sick pay, break time, mileage or an expense of an earner',
  permission: 'payroll.details',
  stepUp: true,
  body: z.strictObject({
    earner_id: Id,
    type: HandType,
    amount: Dollars.refine((value) => value > 0, 'must be more than 0').refine(
      (value) => value <= MOST,
      'must not be more than 100,000',
    ),
    /** The day it is for; what is too late for the pay period of that day is paid with the current one. */
    work_date: Day,
    /** What it is for, in a few words. */
    sub_type: Text(80).optional(),
  }),
  reply: PayrollDetail,
  refusals: {
    unknown: [404, 'There is no such earner.'],
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
    of_session: [422, 'This entry pays a session. Correct the booking instead.'],
    not_pending: [409, 'This entry is paid or cancelled already.'],
  },
})
