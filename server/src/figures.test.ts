// @module-tag slow
import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { exportUsageFigure, listUsageFigure, usageFigures } from '@limber/contract/analytics/dashboard/usage-figure.ts'
import {
  countedFigures,
  exportFigureRows,
  type FigureName,
  listFigureRows,
} from '@limber/contract/growth/overview/figure.ts'
import { readReferrals } from '@limber/contract/growth/referrals/referral.ts'
import { readTeam, readTeamSummary } from '@limber/contract/growth/team/team.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { FigureDefinition, FigureRow } from '@limber/contract/kit/figure.ts'
import { listCampaigns } from '@limber/contract/marketing/campaigns/campaign.ts'
import { readPeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import {
  exportPayrollFigure,
  listPayrollFigure,
  payrollFigures,
} from '@limber/contract/payroll/lists/payroll-figure.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { listCourses } from '@limber/contract/training/courses/course.ts'
import { readCourseFigures } from '@limber/contract/training/learners/figures.ts'
import {
  exportTrainingFigure,
  listTrainingFigure,
  trainingFigures,
} from '@limber/contract/training/learners/training-figure.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { copySampleCompany, SEED_TIMEOUT } from '../../seed/seed-company.testing.ts'
import { refreshFigures } from './growth/figures/refresh-figures.ts'

interface Opened {
  value: number | null
  rows: FigureRow[]
}

let server: TestServer
let owner: TestCaller
/** What each call is asked besides the figure and the page. */
let scopes: Map<CallDefinition, object>
let period = ''

const sets = [
  ['growth', listFigureRows, exportFigureRows, countedFigures],
  ['payroll', listPayrollFigure, exportPayrollFigure, payrollFigures],
  ['training', listTrainingFigure, exportTrainingFigure, trainingFigures],
  ['analytics', listUsageFigure, exportUsageFigure, usageFigures],
] as const satisfies readonly (readonly [string, CallDefinition, CallDefinition, Record<string, FigureDefinition>])[]

const ask = (call: CallDefinition, figure: string, query: object) =>
  owner.send(call, { params: { figure }, query: { ...scopes.get(call), ...query } } as never)

/** A figure with all its rows, page by page. */
async function open(call: CallDefinition, figure: string, scope: object = {}): Promise<Opened> {
  const rows: FigureRow[] = []
  for (let page = 1; ; page++) {
    const { status, body, text } = await ask(call, figure, { ...scope, page: String(page), limit: '100' })
    expect([figure, status, text.slice(0, 200)]).toEqual([figure, 200, text.slice(0, 200)])
    const reply = body as Opened & { pagination: { totalPages: number; totalItems: number } }
    rows.push(...reply.rows)
    if (page < reply.pagination.totalPages) continue
    expect([figure, rows.length]).toEqual([figure, reply.pagination.totalItems])
    return { value: reply.value, rows }
  }
}

const round = (value: number) => Math.round(value * 10_000) / 10_000
const sum = (amounts: readonly number[]) => round(amounts.reduce((total, amount) => total + amount, 0))

/** The figure calculated again from its rows. */
function fromRows({ unit }: FigureDefinition, rows: readonly FigureRow[]): number | null {
  if (unit === undefined) return rows.length
  const amounts = rows.map(({ amount }) => amount ?? 0).toSorted((a, b) => a - b)
  if (unit === 'stars' || unit === 'minutes') return amounts.length === 0 ? null : round(sum(amounts) / amounts.length)
  if (unit !== 'days') return sum(amounts)
  const middle = (amounts.length - 1) / 2
  const [low, high] = [amounts[Math.floor(middle)], amounts[Math.ceil(middle)]]
  return low === undefined || high === undefined ? null : round((low + high) / 2)
}

beforeAll(async () => {
  server = await startTestServer({ database: await copySampleCompany() })
  owner = server.as('growth.tab', 'growth.people', 'payroll.summary', 'training.manage', 'analytics.view')
  await refreshFigures(server.running.services)
  const { data: courses } = (await owner.send(listCourses, { body: {} } as never)).body as {
    data: { course_key: string; learningCount: number }[]
  }
  const course = courses.toSorted((a, b) => b.learningCount - a.learningCount)[0]
  period = String((await owner.send(readSummary)).body.periods[0]?.id)
  scopes = new Map<CallDefinition, object>([
    [listFigureRows, {}],
    [listPayrollFigure, { periodId: period }],
    [listTrainingFigure, { course_key: course?.course_key }],
    [listUsageFigure, { timeframeEvents: 'month' }],
  ])
  for (const [, list, file] of sets) scopes.set(file, scopes.get(list) ?? {})
}, SEED_TIMEOUT)
afterAll(() => server.stop())

describe.each(sets)('a figure of %s', (_, list, file, figures) => {
  it.each(Object.entries<FigureDefinition>(figures))(
    'opens: the rows of %s add up to it',
    async (figure, definition) => {
      const { value, rows } = await open(list, figure)
      const found = fromRows(definition, rows)
      // Averages of rounded rows differ in the last decimal.
      if (found === null || value === null) expect(value).toBe(found)
      else expect(value).toBeCloseTo(found, 3)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
      const csv = await ask(file, figure, {})
      expect(csv.status).toBe(200)
      expect(csv.text.trimEnd().split('\r\n')).toHaveLength(rows.length + 1)
    },
  )
})

const isSearched = ([, list]: (typeof sets)[number]) => list !== listUsageFigure

describe.each(sets.filter(isSearched))('a search in a figure of %s', (_, list, file, figures) => {
  it.each(Object.keys(figures))('finds the rows of %s with the words, and leaves the figure', async (figure) => {
    const all = await open(list, figure)
    const search = all.rows.at(-1)?.name.slice(1, 6).trim() ?? 'nobody'
    const found = await open(list, figure, { search })
    const words = ({ name, detail, place }: FigureRow) => [name, detail, place].filter(Boolean).join(' ').toLowerCase()
    const expected = all.rows.filter((row) => words(row).includes(search.toLowerCase()))
    expect(found.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    expect(found.value).toBe(all.value)
    const csv = await ask(file, figure, { search })
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(expected.length + 1)
  })
})

const growth = async (figure: FigureName, scope: object = {}) => (await open(listFigureRows, figure, scope)).value

describe('the number on a screen', () => {
  it('is the one behind it: referrals', async () => {
    const { stats } = (await owner.send(readReferrals)).body
    const { stretcher, worker, user } = stats.referrals_with_bookings
    for (const [figure, shown] of [
      ['users', stats.total_users],
      ['naturalGrowth', stats.natural_growth],
      ['stretcherReferrals', stats.stretcher_commission],
      ['workerReferrals', stats.worker_commission],
      ['userReferrals', stats.user_commission],
      ['pendingReferrals', stats.pending_referrals],
      ['convertedReferrals', stats.converted_referrals],
      ['redeemableReferrals', stats.redeemable_referrals],
      ['referralEarnings', stats.total_earnings],
      ['storedEarnings', stats.stored_earnings],
      ['topReferrer', stats.top_referrer_count],
      ['topEarner', stats.top_earner_total],
      ['stretcherReferralBookings', stretcher],
      ['workerReferralBookings', worker],
      ['userReferralBookings', user],
    ] as const)
      expect([figure, await growth(figure)]).toEqual([figure, shown])
    expect(stats.converted_referrals).toBeGreaterThan(0)
  })

  it('is the one behind it: the team', async () => {
    const summary = (await owner.send(readTeamSummary)).body
    const [converted, received, response] = [
      (await growth('teamConversions')) ?? 0,
      (await growth('teamLeads')) ?? 0,
      await growth('leadResponse'),
    ]
    expect(received).toBeGreaterThan(0)
    expect((converted / received) * 100).toBe(summary.conversionRate)
    expect(response === null ? null : Math.round(response * 10) / 10).toBe(summary.avgResponseTime)
    expect(await growth('managedCampaigns')).toBe(summary.campaigns)
    const { team } = (await owner.send(readTeam)).body
    expect(team.some(({ leadsContacted }) => leadsContacted > 0)).toBe(true)
    for (const { id, leadsContacted, leadsConverted } of team) {
      expect(await growth('contactedLeads', { workerId: String(id) })).toBe(leadsContacted)
      expect(await growth('convertedLeads', { workerId: String(id) })).toBe(leadsConverted)
    }
  })

  it('is the one behind it: campaigns', async () => {
    const { stats, campaigns } = (await owner.send(listCampaigns, {})).body
    expect(await growth('activeCampaigns')).toBe(stats.active)
    expect(await growth('completedCampaigns')).toBe(stats.completed)
    expect(await growth('campaignLeads')).toBe(stats.total_leads)
    expect(await growth('campaignConversions')).toBe(stats.total_conversions)
    expect(campaigns.length).toBeGreaterThan(2)
    for (const { id, total_leads, conversions } of campaigns) {
      expect(await growth('campaignLeads', { campaignId: String(id) })).toBe(total_leads)
      expect(await growth('campaignConversions', { campaignId: String(id) })).toBe(conversions)
    }
  })

  it('is the one behind it: payroll', async () => {
    const { periods, ...summary } = (await owner.send(readSummary)).body
    const dates = { from: periods.at(-1)?.payDate, to: periods.at(2)?.payDate }
    for (const [scope, shown] of [
      [{}, summary],
      [dates, (await owner.send(readSummary, { query: dates as { from: string; to: string } })).body],
    ] as const) {
      const of = async (figure: string) => [figure, (await open(listPayrollFigure, figure, scope)).value]
      expect(await of('totalEarnings')).toEqual(['totalEarnings', shown.totalEarnings])
      expect(await of('totalTaxes')).toEqual(['totalTaxes', shown.totalTaxes])
      expect(await of('netPay')).toEqual(['netPay', shown.netPay])
      expect(await of('employeeTaxes')).toEqual(['employeeTaxes', shown.employeeTaxes])
      expect(await of('employerTaxes')).toEqual(['employerTaxes', shown.employerTaxes])
      expect(await of('pending')).toEqual(['pending', shown.pending.amount])
    }
    for (const { id, earnings, taxes } of periods) {
      const scope = { periodId: String(id) }
      expect((await open(listPayrollFigure, 'periodEarnings', scope)).value).toBe(earnings)
      expect((await open(listPayrollFigure, 'periodTaxes', scope)).value).toBe(taxes)
      const totals = (await server.as('payroll.details').send(readPeriodStory, { query: { period_id: String(id) } }))
        .body.story?.totals
      const of = async (figure: string) => (await open(listPayrollFigure, figure, scope)).value ?? 0
      expect(totals).toMatchObject({
        amount: await of('periodEarnings'),
        withheld_tax: await of('periodWithheld'),
        employer_tax: await of('periodEmployerTaxes'),
        net_pay: await of('periodNetPay'),
      })
    }
  })

  it('is the one behind it: training', async () => {
    const { data } = (
      await owner.send(readCourseFigures, { body: scopes.get(listTrainingFigure) as { course_key: string } })
    ).body
    const of = async (figure: string) => (await open(listTrainingFigure, figure)).value ?? 0
    expect([await of('enrolled'), await of('started'), await of('completed'), await of('attempts')]).toEqual([
      data.enrolled,
      data.started,
      data.completed,
      data.attempts,
    ])
    expect(data.completed).toBeGreaterThan(0)
    expect(await of('completionTime')).toBeCloseTo(data.medianDays ?? 0, 3)
    expect((await of('passedAttempts')) / data.attempts).toBe(data.passRate)
  })

  it.each(['hour', 'day', 'week', 'month'] as const)(
    'is the one behind it: analytics of the %s',
    async (timeframeEvents) => {
      const { actions } = (await owner.send(readDashboard, { query: { timeframeEvents } })).body
      for (const actionTypeFilter of ['', ...actions.types.slice(0, 2).map(({ type }) => type)]) {
        const shown = (await owner.send(readDashboard, { query: { timeframeEvents, actionTypeFilter } })).body
        const of = async (figure: string) =>
          (await open(listUsageFigure, figure, { timeframeEvents, actionTypeFilter })).value ?? 0
        const events = await of('totalEvents')
        expect(events).toBe(shown.total_events)
        expect(await of('uniqueUsers')).toBe(shown.unique_users)
        expect((await of('responseTime')) / (events || 1)).toBeCloseTo(shown.avg_response_time, 1)
        expect(((await of('failedEvents')) / (events || 1)) * 100).toBeCloseTo(shown.error_rate, 1)
      }
    },
  )
})

it('opens only for those who may see the rows', async () => {
  for (const [, list, file] of sets) {
    const other = server.as(...(['growth.tab', 'payroll.details', 'support.tab'] as const))
    for (const call of [list, file]) {
      const figure = Object.keys(sets.find((one) => one.includes(list as never))?.[3] ?? {})[0]
      const { status } = await other.send(call, { params: { figure }, query: scopes.get(list) } as never)
      expect([call.path, status]).toEqual([call.path, 403])
    }
  }
})

it('is not limited by a worker or a campaign where that means nothing', async () => {
  for (const [figure, scope] of [
    ['users', { workerId: '1' }],
    ['campaignLeads', { workerId: '1' }],
    ['contactedLeads', { campaignId: '1' }],
  ] as const)
    expect((await ask(listFigureRows, figure, scope)).status).toBe(400)
})
