import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import { type LeadSource, type LeadStatus, LeadStep, leadSourceLabels } from '@limber/contract/marketing/leads/lead.ts'
import type { FunnelStep, LeadAnalytics, LeadFunnel } from '@limber/contract/marketing/leads/lead-analytics.ts'
import type { CohortRow, ConversionRow, ReachRow } from './lead-analytics.queries.ts'
import { type LeadWindow, percentOf } from './lead-range.rules.ts'

const DAY_SECONDS = 86_400
const MAX_CAMPAIGNS = 20

interface AnalyticsRows {
  cohort: readonly CohortRow[]
  conversions: readonly ConversionRow[]
  contacted: readonly { point: number; count: number }[]
  firstResponse: number | null
}

export function presentAnalytics({ labels }: LeadWindow, found: AnalyticsRows): LeadAnalytics {
  const { cohort, conversions, contacted, firstResponse } = found
  const all = cohort.find(({ by }) => by === 'all')
  const conversion = conversionOf(all?.conversions ?? 0, all?.leads ?? 0)
  const total = conversion.total_leads
  const series = (of: (point: number) => number | undefined) => labels.map((_, index) => of(index + 1) ?? 0)
  return {
    ...conversion,
    avg_time_to_convert: (conversions.find(({ point }) => point === null)?.seconds ?? 0) / DAY_SECONDS,
    top_sources: cohort
      .flatMap(({ by, source, leads }) =>
        by === 'source' && source
          ? [{ name: leadSourceLabels[source], source, count: leads, percentage: percentOf(leads, total) }]
          : [],
      )
      .sort((a, b) => b.count - a.count || order(a.source, b.source)),
    conversion_by_campaign: cohort
      .flatMap(({ by, campaign_id: id, campaign, leads, conversions: won }) =>
        by === 'campaign' && id !== null && campaign !== null
          ? [{ id, name: campaign, ...conversionOf(won, leads) }]
          : [],
      )
      .sort((a, b) => b.conversion_rate - a.conversion_rate || b.total_leads - a.total_leads || a.id - b.id)
      .slice(0, MAX_CAMPAIGNS),
    lead_flow: {
      labels,
      new: series((point) => cohort.find((row) => row.by === 'point' && row.point === point)?.leads),
      contacted: series((point) => contacted.find((row) => row.point === point)?.count),
      converted: series((point) => conversions.find((row) => row.point === point)?.count),
    },
    first_response_minutes: firstResponse,
  }
}

const order = (a: LeadSource, b: LeadSource) => (a < b ? -1 : 1)

interface FunnelRows {
  reached: readonly ReachRow[]
  reasons: LeadFunnel['lost']['reasons']
  stepHours: readonly { status: LeadStatus; hours: number }[]
}

const sum = (rows: readonly { count: number }[]) => rows.reduce((total, { count }) => total + count, 0)

export function presentFunnel({ reached, reasons, stepHours }: FunnelRows): LeadFunnel {
  const countOf = (status: LeadStatus) => sum(reached.filter((row) => row.status === status))
  const steps = LeadStep.options.map(
    (status, index): FunnelStep => ({
      status,
      reached: status === 'converted' ? countOf(status) : sum(reached.filter(({ far }) => far > index)),
      here: countOf(status),
      hours: stepHours.find((row) => row.status === status)?.hours ?? null,
    }),
  )
  return {
    steps,
    conversion: conversionOf(countOf('converted'), sum(reached)),
    lost: { count: countOf('not_interested'), reasons },
  }
}
