import { formatTime } from '@limber/contract/kit/formats/dates.ts'
// @module-tag slow
import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import { LeadSource, type LeadStatus, LeadStep, listLeads } from '@limber/contract/marketing/leads/lead.ts'
import { readLeadAnalytics, readLeadFunnel } from '@limber/contract/marketing/leads/lead-analytics.ts'
import type { LeadRange } from '@limber/contract/marketing/leads/lead-range.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCampaign, makeLead, type StatusChange } from './lead.factory.ts'
import { windowOf } from './lead-range.rules.ts'

let server: TestServer
let reader: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  reader = server.as('growth.tab')
})
afterAll(() => server.stop())

const ranges = ['7d', '30d', '90d', '1y'] as const
const days = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }
const way = LeadStep.options
const read = async (timeRange: LeadRange) => (await reader.send(readLeadAnalytics, { query: { timeRange } })).body
const funnel = async (timeRange: LeadRange) => (await reader.send(readLeadFunnel, { query: { timeRange } })).body

const median = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low = 0, high = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return sorted.length === 0 ? null : (low + high) / 2
}

describe('without leads', () => {
  it.each(ranges)('shows zeros for %s', async (range) => {
    const body = await read(range)
    expect(body).toMatchObject({
      conversion_rate: 0,
      avg_time_to_convert: 0,
      top_sources: [],
      conversion_by_campaign: [],
      total_leads: 0,
      conversions: 0,
      first_response_minutes: null,
    })
    for (const series of [body.lead_flow.new, body.lead_flow.contacted, body.lead_flow.converted])
      expect(series).toEqual(body.lead_flow.labels.map(() => 0))
    const { steps, lost } = await funnel(range)
    expect(steps).toEqual(way.map((status) => ({ status, reached: 0, here: 0, hours: null })))
    expect(lost).toEqual({ count: 0, reasons: [] })
  })
  it('defaults to 30 days, and rejects an unknown range', async () => {
    const { body } = await reader.send(readLeadAnalytics)
    expect(body.lead_flow.labels).toHaveLength(30)
    for (const call of [readLeadAnalytics, readLeadFunnel])
      expect((await reader.send(call, { query: { timeRange: '2d' } as never })).status).toBe(400)
  })
})

describe('the chart points', () => {
  it.each(ranges)('cover every day of %s once, and end today', (range) => {
    // Includes daylight saving changes.
    for (const now of [
      '2026-11-16T17:00:00Z',
      '2026-11-02T07:59:59Z',
      '2027-03-14T10:00:00Z',
      '2028-02-29T08:00:00Z',
    ]) {
      const { labels, starts, from } = windowOf(range, new Date(now))
      expect(starts[0]).toEqual(from)
      const lengths = labels.map((label, index) => {
        const next = labels[index + 1]
        const end = next ? Date.parse(next) : Date.parse(windowOf('7d', new Date(now)).labels[6] ?? '') + DAY
        return (end - Date.parse(label)) / DAY
      })
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(days[range])
      expect(Math.max(...lengths)).toBeLessThanOrEqual(8)
      for (const start of starts) expect(formatTime(start)).toBe('12:00 AM')
    }
  })
})

interface Made {
  source: LeadSource
  campaign: number
  ageHours: number
  passed: StatusChange[]
}

const status = fc.constantFrom<LeadStatus>(
  'new',
  'onboarding_started',
  'onboarding_completed',
  'contacted',
  'converted',
  'not_interested',
)
const made: fc.Arbitrary<Made> = fc.record({
  source: fc.constantFrom(...LeadSource.options),
  campaign: fc.nat(3),
  ageHours: fc.oneof(fc.integer({ min: 1, max: 400 * 24 }), fc.integer({ min: 1, max: 9 * 24 })),
  passed: fc.array(fc.record({ status, gap: fc.integer({ min: 1, max: 240 }) }), { maxLength: 5 }).map((steps) => {
    let after = 0
    return steps.map(({ status: to, gap }): StatusChange => {
      after += gap
      return { status: to, after }
    })
  }),
})

describe('the figures', () => {
  it('match a calculation from the raw leads', { timeout: 60_000 }, async () => {
    const { db, clock } = server
    const now = clock.now()
    const campaigns: { id: number }[] = []
    for (const name of ['One', 'Two', 'Three'])
      campaigns.push(await makeCampaign(db, { name, created_at: shift(now, -400 * DAY) }))
    await fc.assert(
      fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 12 }), async (drawn) => {
        await db.deleteFrom('lead_steps').execute()
        await db.deleteFrom('leads').execute()
        const leads = drawn.map((lead) => {
          // No repeated status and no future steps.
          const passed = lead.passed.filter(
            (step, index) =>
              step.after <= lead.ageHours && step.status !== (index === 0 ? 'new' : lead.passed[index - 1]?.status),
          )
          return {
            ...lead,
            passed,
            at: shift(now, -lead.ageHours * HOUR),
            campaign_id: campaigns[lead.campaign]?.id ?? null,
          }
        })
        for (const { source, campaign_id, at, passed } of leads)
          await makeLead(db, { source, campaign_id, created_at: at, passed })
        for (const range of ranges) {
          const { from, starts } = windowOf(range, now)
          const cohort = leads.filter(({ at }) => at >= from)
          const standing = (lead: (typeof leads)[number]) => lead.passed.at(-1)?.status ?? 'new'
          const won = cohort.filter((lead) => standing(lead) === 'converted')
          const done = leads.flatMap((lead) => {
            const last = lead.passed.at(-1)
            if (last?.status !== 'converted') return []
            const at = shift(lead.at, last.after * HOUR)
            return at >= from ? [{ at, hours: last.after }] : []
          })
          const place = (at: Date) => starts.filter((start) => start <= at).length
          const series = (moments: { at: Date }[]) =>
            starts.map((_, index) => moments.filter(({ at }) => place(at) === index + 1).length)
          const contacted = leads.flatMap((lead, index) => [
            ...new Map(
              lead.passed
                .filter((step) => step.status === 'contacted')
                .map((step) => shift(lead.at, step.after * HOUR))
                .filter((at) => at >= from)
                .map((at) => [`${index}/${place(at)}`, { at }]),
            ).values(),
          ])
          const answered = cohort.flatMap(({ passed }) => (passed[0] ? [passed[0].after * 60] : []))
          const body = await read(range)
          expect(body.total_leads).toBe(cohort.length)
          expect(body.conversions).toBe(won.length)
          expect(body.conversion_rate).toBeCloseTo(cohort.length ? (won.length / cohort.length) * 100 : 0, 9)
          const hours = done.reduce((sum, each) => sum + each.hours, 0)
          expect(body.avg_time_to_convert).toBeCloseTo(done.length ? hours / done.length / 24 : 0, 9)
          expect(body.lead_flow).toMatchObject({
            new: series(cohort),
            contacted: series(contacted),
            converted: series(done),
          })
          const middle = median(answered)
          if (middle === null) expect(body.first_response_minutes).toBeNull()
          else expect(body.first_response_minutes).toBeCloseTo(middle, 6)
          expect(Object.fromEntries(body.top_sources.map(({ source, count }) => [source, count]))).toEqual(
            Object.fromEntries(
              Object.entries(Object.groupBy(cohort, (lead) => lead.source)).map(([key, list]) => [key, list.length]),
            ),
          )
          for (const one of body.conversion_by_campaign) {
            const own = cohort.filter((lead) => lead.campaign_id === one.id)
            const good = own.filter((lead) => standing(lead) === 'converted')
            expect(one).toMatchObject(conversionOf(good.length, own.length))
          }
          const walked = await funnel(range)
          for (const [index, step] of walked.steps.entries()) {
            // A conversion counts only while the lead is converted.
            const far = ({ passed }: (typeof leads)[number]) =>
              Math.max(
                0,
                ...passed
                  .filter((each, at) => each.status !== 'converted' || at === passed.length - 1)
                  .map((each) => (way as readonly string[]).indexOf(each.status)),
              )
            expect(step.reached).toBe(cohort.filter((lead) => far(lead) >= index).length)
            expect(step.here).toBe(cohort.filter((lead) => standing(lead) === step.status).length)
            const stays = cohort.flatMap((lead) =>
              [{ status: 'new', after: 0 }, ...lead.passed].flatMap((each, at, all) => {
                const next = all[at + 1]
                return next && each.status === step.status ? [next.after - each.after] : []
              }),
            )
            const typical = median(stays)
            if (typical === null) expect(step.hours).toBeNull()
            else expect(step.hours).toBeCloseTo(typical, 6)
          }
          expect(walked.lost.count).toBe(cohort.filter((lead) => standing(lead) === 'not_interested').length)
          // Analytics and funnel agree, and each number matches the list that it opens.
          const { total_leads, conversions, conversion_rate } = body
          expect(walked.conversion).toEqual({ total_leads, conversions, conversion_rate })
          expect(walked.steps.at(-1)).toMatchObject({ reached: conversions, here: conversions })
          const opened = async (query: object) => {
            const { body: list } = await reader.send(listLeads, { query: { timeRange: range, limit: '100', ...query } })
            expect(list.leads).toHaveLength(list.pagination.totalItems)
            return list.leads
          }
          for (const step of walked.steps) {
            expect(await opened({ reached: step.status })).toHaveLength(step.reached)
            const here = await opened({ status: step.status })
            expect(here).toHaveLength(step.here)
            expect(here.every((lead) => lead.status === step.status)).toBe(true)
          }
          expect(await opened({ status: 'not_interested' })).toHaveLength(walked.lost.count)
        }
      }),
      { numRuns: rounds(5, 25) },
    )
  })
})
