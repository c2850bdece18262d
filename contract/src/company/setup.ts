import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Day, Moment } from '#kit/values.ts'
import { NOT_OWNER } from './owner.ts'

/** `started`: something is there, but not enough. `failed`: it was tried and did not work. */
export const StepState = z.enum(['open', 'started', 'failed', 'done'])
export type StepState = z.infer<typeof StepState>

const state = { state: StepState }

/** The facts behind each step, in the order of the guide. */
export const SetupStep = z.union([
  z.object({ id: z.literal('company'), ...state, name: z.string(), timeZone: z.string() }),
  z.object({
    id: z.literal('mail'),
    ...state,
    server: z.string().nullable(),
    testedAt: Moment.nullable(),
  }),
  z.object({ id: z.literal('backup-key'), ...state, isSetUp: z.boolean(), keptBy: z.string().nullable() }),
  z.object({ id: z.literal('zone'), ...state, name: z.string().nullable() }),
  z.object({ id: z.literal('colleague'), ...state, name: z.string().nullable(), since: Moment.nullable() }),
  z.object({ id: z.literal('api-key'), ...state, name: z.string().nullable(), usedAt: Moment.nullable() }),
  z.object({ id: z.literal('customers'), ...state }),
  z.object({ id: z.literal('payroll'), ...state, startsOn: Day.nullable() }),
  z.object({ id: z.literal('texts'), ...state }),
  z.object({ id: z.literal('ads'), ...state }),
])
export type SetupStep = z.infer<typeof SetupStep>
export type StepId = SetupStep['id']

/** Only steps that the worker may do. Every state is read from data. */
export const readSetup = defineCall({
  method: 'GET',
  path: '/api/company/setup',
  summary: 'Read the steps that are left before the company can open, for this worker',
  permission: 'worker.tab',
  reply: z.object({
    company: z.string(),
    /** Someone hid the guide for everyone. Then there are no steps. */
    isHidden: z.boolean(),
    steps: z.array(SetupStep),
  }),
})

export const changeSetup = defineCall({
  method: 'POST',
  path: '/api/company/setup',
  summary: 'Hide the setup guide for everyone, or bring it back',
  permission: 'access.manage',
  body: z.strictObject({ isHidden: z.boolean() }),
  reply: z.object({ isHidden: z.boolean() }),
  refusals: { not_owner: NOT_OWNER },
})
