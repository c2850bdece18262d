import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf } from '#kit/call.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment } from '#kit/values.ts'
import { Settlement } from '../lists/transaction.ts'
import { Dollars, FilingStatus, NotNegative } from '../values.ts'

const isWholeCents = (value: number) => Number(value.toFixed(2)) === value

const declared = {
  filing_status: FilingStatus,
  step2_checkbox: z.boolean().default(false),
  step3_credits: NotNegative.default(0),
  step4a_income: NotNegative.default(0),
  step4b_deductions: NotNegative.default(0),
  step4c_extra: NotNegative.refine(isWholeCents, 'must be in whole cents').default(0),
  regular_allowances: z.int().min(0).max(99).default(0),
  estimated_allowances: z.int().min(0).max(99).default(0),
}

const Profile = z.object({
  ...declared,
  id: Id,
  effective_from: Day,
  recorded_at: Moment,
  recorded_by: z.string().nullable(),
})

const Earner = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(['stretcher', 'worker']),
  /** Id of the stretcher or worker. */
  person_id: Id,
  /** Today's profile. Without one, taxes are withheld as single with no allowances. */
  profile: Profile.nullable(),
})

/** What a correction of paid entries leaves to pay to the earner or to withhold, and what has been settled so far. */
const EarnerDue = z.object({
  id: Id,
  correction: Settlement.shape.correction,
  corrected_on: Day,
  operation_id: Id.nullable(),
  payroll_id: Id.nullable(),
  reason: z.string(),
  /** Positive: owed to the earner. Negative: to be withheld. 0 when the fix was undone. */
  amount: Dollars,
  remaining: Dollars,
  settlements: z.array(Settlement),
})
export type EarnerDue = z.infer<typeof EarnerDue>

const EarnerDetail = Earner.extend({
  history: z.array(Profile),
  /** The latest corrections, newest first. */
  dues: z.array(EarnerDue),
})

export const listEarners = defineCall({
  method: 'GET',
  path: '/api/payroll/earners',
  summary: 'List earners with their filing status, by name',
  permission: ['payroll.details', 'payroll.audit'],
  query: z.strictObject({ ...pageQuery({ limit: 10 }), search: z.string().trim().max(200).default('') }),
  reply: z.object({ earners: z.array(Earner), pagination: Pagination }),
})
export type EarnerList = ReplyOf<typeof listEarners>

export const readEarner = defineCall({
  method: 'GET',
  path: '/api/payroll/earners/:id',
  summary: 'Get an earner with every W-4 and DE 4 on file',
  permission: ['payroll.details', 'payroll.audit'],
  params: z.strictObject({ id: IdText }),
  reply: EarnerDetail,
  refusals: { unknown: [404, 'This earner does not exist.'] },
})
export type EarnerReply = ReplyOf<typeof readEarner>

/** Records a W-4 and DE 4 from an effective date. Earlier ones stay on file; the latest one for a day applies. */
export const recordProfile = defineCall({
  method: 'POST',
  path: '/api/payroll/earners/:id/profiles',
  summary: 'Record a W-4 and DE 4 for an earner',
  permission: 'payroll.settings',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({ ...declared, effective_from: Day }),
  reply: EarnerDetail,
  refusals: {
    unknown: [404, 'This earner does not exist.'],
    out_of_range: [422, 'The effective date must be within the last two years or the next year.'],
  },
})
export type ProfileBody = BodyOf<typeof recordProfile>
