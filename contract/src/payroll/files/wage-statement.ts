import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, IntegerText } from '#kit/values.ts'
import { Dollars } from '../values.ts'

/** The boxes of Form W-2 that Limber previews. */
export const wageBoxes = ['box1', 'box2', 'box3', 'box4', 'box5', 'box6', 'box16', 'box17', 'sdi'] as const
export type WageBox = (typeof wageBoxes)[number]

export const wageBoxLabels: Readonly<Record<WageBox, string>> = {
  box1: 'Box 1: Wages',
  box2: 'Box 2: Federal income tax',
  box3: 'Box 3: Social Security wages',
  box4: 'Box 4: Social Security tax',
  box5: 'Box 5: Medicare wages',
  box6: 'Box 6: Medicare tax',
  box16: 'Box 16: State wages',
  box17: 'Box 17: State income tax',
  sdi: 'CA SDI',
}

const boxes = {
  box1: Dollars,
  box2: Dollars,
  box3: Dollars,
  box4: Dollars,
  box5: Dollars,
  box6: Dollars,
  box16: Dollars,
  box17: Dollars,
  sdi: Dollars,
}

export const WageStatement = z.object({
  earner_id: Id,
  earner_name: z.string(),
  ...boxes,
  /** Recorded minus calculated withholding. It is part of box 2, so that the boxes add up to what was withheld. */
  difference: Dollars,
  /** Wages of the year that somebody else paid. They are in no box, but count toward the Social Security limit. */
  wages_elsewhere: Dollars,
})
export type WageStatement = z.infer<typeof WageStatement>

const Year = IntegerText(2000, 2100)
const refusals = { no_tables: [422, 'There are no tax tables for this year.'] } as const

export const listWageStatements = defineCall({
  method: 'GET',
  path: '/api/payroll/wage-statements',
  summary: 'Preview the W-2 figures of a year by earner',
  permission: 'payroll.details',
  query: z.strictObject({ year: Year, search: z.string().trim().max(100).default(''), ...pageQuery({ limit: 25 }) }),
  reply: z.object({ year: z.int(), statements: z.array(WageStatement), pagination: Pagination, notice: z.string() }),
  refusals,
})
export type WageStatementList = ReplyOf<typeof listWageStatements>

export const exportWageStatements = exportCall(listWageStatements, 'w-2-preview')

/** One part of a box: a paycheck, or a correction. */
const WageStep = z.object({ label: z.string(), pay_date: Day.nullable(), amount: Dollars })

export const readWageStatement = defineCall({
  method: 'GET',
  path: '/api/payroll/wage-statements/:earner',
  summary: 'Preview the W-2 figures of one earner with the steps of each box',
  permission: 'payroll.details',
  params: z.strictObject({ earner: IdText }),
  query: z.strictObject({ year: Year }),
  reply: z.object({
    statement: WageStatement,
    /** The parts of each box. They add up to it. */
    steps: z.object({
      box1: z.array(WageStep),
      box2: z.array(WageStep),
      box3: z.array(WageStep),
      box4: z.array(WageStep),
      box5: z.array(WageStep),
      box6: z.array(WageStep),
      box16: z.array(WageStep),
      box17: z.array(WageStep),
      sdi: z.array(WageStep),
    }),
    notice: z.string(),
  }),
  refusals: { ...refusals, unknown: [404, 'This earner does not exist.'] },
})
export type WageStatementDetail = ReplyOf<typeof readWageStatement>
