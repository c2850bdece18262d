import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import type { LeadAnalytics } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { LeadRange, leadRangeLabels } from '@limber/contract/marketing/leads/lead-range.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BarList } from '#ui/charts/bar-list.tsx'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { analyticsQuery } from './lead.api.ts'
import styles from './lead-analytics.module.css'
import { LeadFlow } from './lead-flow.tsx'
import { errorTitle, spanText } from './lead-labels.ts'

interface Props {
  range: LeadRange
  onRange: (range: LeadRange) => void
}

const options = LeadRange.options.map((value) => ({ value, label: leadRangeLabels[value] }))

function Figures({ figures }: { figures: LeadAnalytics }) {
  const { conversion_rate, conversions, total_leads, avg_time_to_convert, first_response_minutes } = figures
  const won = `${formatInteger(conversions)} converted`
  return (
    <StatStrip
      label="Figures"
      stats={[
        { id: 'rate', label: 'Conversion rate', value: formatPercent(conversion_rate, 1), note: won },
        { id: 'leads', label: 'Leads', value: formatInteger(total_leads), note: 'created in this period' },
        {
          id: 'time',
          label: 'Average time to convert',
          value: conversions === 0 ? '--' : avg_time_to_convert.toFixed(1),
          ...(conversions > 0 && { unit: 'd' }),
          note: 'for leads converted in this period',
        },
        {
          id: 'response',
          label: 'Typical first response',
          value: first_response_minutes === null ? '--' : spanText(first_response_minutes),
          note: 'after creation',
        },
      ]}
    />
  )
}

function Bars({ figures }: { figures: LeadAnalytics }) {
  const { top_sources, conversion_by_campaign } = figures
  return (
    <div className={styles.two}>
      <SectionCard title="Top sources">
        {top_sources.length === 0 ? (
          <p className={styles.none}>No leads in this period.</p>
        ) : (
          <BarList
            rows={top_sources.map(({ name, count, percentage }) => ({
              label: name,
              value: count,
              note: formatPercent(percentage, 1),
            }))}
          />
        )}
      </SectionCard>
      <SectionCard title="Conversion by campaign">
        {conversion_by_campaign.length === 0 ? (
          <p className={styles.none}>No leads from campaigns in this period.</p>
        ) : (
          <BarList
            rows={conversion_by_campaign.map(({ id, name, conversion_rate, total_leads, conversions }) => ({
              id,
              label: name,
              value: conversion_rate,
              text: formatPercent(conversion_rate, 1),
              note: `${conversions} of ${total_leads}`,
            }))}
          />
        )}
      </SectionCard>
    </div>
  )
}

/** Conversion figures, top sources, campaigns and lead flow of a time range. */
export function LeadAnalyticsPanel({ range, onRange }: Props) {
  const query = useQuery(analyticsQuery(range))
  const choice = (
    <NativeSelect
      aria-label="Time range"
      data={options}
      value={range}
      onChange={(event) => onRange(LeadRange.parse(event.currentTarget.value))}
    />
  )
  return (
    <SectionCard title="Lead Analytics" actions={choice} hasLine>
      {query.isError ? (
        <FailureView
          error={query.error}
          title={errorTitle(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <QueryView
          query={query}
          loading={
            <p className={styles.loading} role="status">
              Loading analytics…
            </p>
          }
        >
          {(figures) => (
            <div className={styles.panel}>
              <Figures figures={figures} />
              <LeadFlow flow={figures.lead_flow} />
              <Bars figures={figures} />
            </div>
          )}
        </QueryView>
      )}
    </SectionCard>
  )
}
