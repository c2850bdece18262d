import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
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

const yearFigures = { wages: Dollars, reimbursements: Dollars, withheld: Dollars, employer_tax: Dollars }

/** What was paid in this calendar year, by Limber and elsewhere, with corrections. */
const YearToDate = z.object({
  year: z.int(),
  ...yearFigures,
  /** The part that somebody else paid; it is in the figures above. */
  history: z.object(yearFigures),
  /** How far the wages reach into the limits of the year. Empty without tax tables. */
  wage_bases: z.array(
    z.object({ key: z.string(), label: z.string(), wage_base: Dollars, taxed: Dollars, left: Dollars }),
  ),
})
export type YearToDate = z.infer<typeof YearToDate>

const EarnerDetail = Earner.extend({
  history: z.array(Profile),
  /** The latest corrections, newest first. */
  dues: z.array(EarnerDue),
  year_to_date: YearToDate,
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

export const exportEarners = exportCall(listEarners, 'earners')

export const MAX_CANDIDATES = 20

export const listEarnerCandidates = defineCall({
  method: 'GET',
  path: '/api/payroll/earner-candidates',
  summary: 'Find stretchers and workers who are not on payroll yet, by name or email',
  permission: ['payroll.details', 'payroll.settings'],
  query: z.strictObject({ search: z.string().trim().max(200).default('') }),
  reply: z.object({
    candidates: z
      .array(z.object({ kind: z.enum(['stretcher', 'worker']), person_id: Id, name: z.string(), email: z.string() }))
      .max(MAX_CANDIDATES),
  }),
})

/** Stretchers also become earners with their first completed session. */
export const addEarner = defineCall({
  method: 'POST',
  path: '/api/payroll/earners',
  summary: 'Put a stretcher or a worker on payroll',
  permission: ['payroll.details', 'payroll.settings'],
  body: z
    .strictObject({ stretcher_id: Id.optional(), worker_id: Id.optional() })
    .refine(({ stretcher_id, worker_id }) => (stretcher_id === undefined) !== (worker_id === undefined), {
      message: 'needs a stretcher or a worker',
      path: ['stretcher_id'],
    }),
  reply: EarnerDetail,
  refusals: {
    unknown: [404, 'This stretcher or worker does not exist.'],
    already: [409, '{name} is already on payroll.'],
  },
})

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
