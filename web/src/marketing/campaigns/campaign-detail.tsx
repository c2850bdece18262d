import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { CampaignDetail } from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  adObjectiveLabels,
  campaignPhaseLabels,
  campaignSourceLabels,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { Button } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { Can } from '#platform/session/session.tsx'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { TrendChart } from '#ui/charts/trend-chart.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { questionText } from '../leads/lead-labels.ts'
import { campaignQuery } from './campaign.api.ts'
import { StatusSelect, Tags } from './campaign-card.tsx'
import { audienceText, campaignMeaning, goalText, rateText } from './campaign-labels.ts'
import { CampaignResult } from './campaign-result.tsx'
import styles from './campaigns.module.css'
import { PushLine } from './push-line.tsx'

function Flow({ days }: { days: CampaignDetail['results']['days'] }) {
  const every = Math.ceil(days.length / 5)
  const points = days.map(({ day, leads, conversions }, place) => ({
    tick: place % every === 0 ? dayText(day) : '',
    title: dayText(day),
    value: leads,
    others: [conversions],
  }))
  return (
    <ChartFrame
      title="Leads per day"
      file="campaign-leads"
      legend={[
        { label: 'Leads', series: 1 },
        { label: 'Converted', series: 2 },
      ]}
      table={{
        heads: ['Day', 'Leads', 'Converted'],
        rows: points.map(({ title, value, others }) => [title, value, ...others]),
        keys: days.map(({ day }) => day),
      }}
    >
      {days.every(({ leads }) => leads === 0) ? (
        <EmptyState icon={IconChartLine} title="No leads yet">
          Leads of this campaign will appear here by day.
        </EmptyState>
      ) : (
        <TrendChart label="Leads per day" points={points} valueName="Leads" otherNames={['Converted']} height={160} />
      )}
    </ChartFrame>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3>{title}</h3>
    {children}
  </section>
)

function Detail({ campaign }: { campaign: CampaignDetail }) {
  const { results, result, media, goals, custom_questions: questions, lead_form_fields: fields } = campaign
  const isAd = campaign.source === 'facebook_lead_ad'
  return (
    <div className={styles.detail}>
      <div className={styles.head}>
        <StatusBadge meaning={campaignMeaning[campaign.status]}>{campaignPhaseLabels[campaign.status]}</StatusBadge>
        <Can permission="campaigns.edit">
          <StatusSelect campaign={campaign} />
        </Can>
      </div>
      <PushLine campaign={campaign} />
      <StatStrip
        label="Results"
        stats={[
          { id: 'leads', label: 'Leads', value: formatInteger(campaign.total_leads) },
          { id: 'rate', label: 'Rate', value: rateText(campaign) },
          { id: 'lead', label: 'Cost per lead', value: formatMoney(results.cost_per_lead), note: 'based on budget' },
          {
            id: 'conversion',
            label: 'Cost per conversion',
            value: formatMoney(results.cost_per_conversion),
            note: 'based on budget',
          },
        ]}
      />
      {campaign.total_leads > 0 && (
        <p className={styles.line}>
          <Link {...linkTo('/growth/conversion', { campaign: campaign.id })}>View leads of this campaign</Link>
        </p>
      )}
      {result && (
        <Part title={`Result in ${result.cityName}`}>
          <CampaignResult result={result} />
        </Part>
      )}
      <Flow days={results.days} />
      <Facts>
        <Facts.Row label="Source">{campaignSourceLabels[campaign.source]}</Facts.Row>
        <Facts.Row label="Budget">
          {campaign.budget === null ? 'None' : `${formatMoney(campaign.budget)} per day`}
          {results.spent !== null && `, up to ${formatMoney(results.spent)} so far`}
        </Facts.Row>
        <Facts.Row label="Dates">
          {dayText(campaign.start_date)} – {dayText(campaign.end_date, 'Ongoing')}
        </Facts.Row>
        {isAd && (
          <Facts.Row label="Objective">{adObjectiveLabels[campaign.meta_ad_objective ?? 'LEAD_GENERATION']}</Facts.Row>
        )}
        {fields.length > 0 && <Facts.Row label="Form fields">{fields.map(questionText).join(', ')}</Facts.Row>}
        {goals.length > 0 && <Facts.Row label="Goals">{goals.map(goalText).join(', ')}</Facts.Row>}
        <Facts.Row label="Created by">{campaign.createdBy ?? 'Unknown'}</Facts.Row>
      </Facts>
      <Part title="Audience">
        <p>{audienceText(campaign.target_audience)}</p>
      </Part>
      {campaign.ad_message && (
        <Part title="Ad message">
          <p>{campaign.ad_message}</p>
        </Part>
      )}
      {media.length > 0 && (
        <Part title="Media">
          <div className={styles.media}>
            {media.map(({ url, filename, mimeType }) =>
              mimeType === 'video/mp4' ? (
                // biome-ignore lint/a11y/useMediaCaption: ad videos are uploaded without captions
                <video key={url} src={url} controls preload="metadata" aria-label={filename} />
              ) : (
                <img key={url} src={url} alt={filename} loading="lazy" />
              ),
            )}
          </div>
        </Part>
      )}
      {questions.length > 0 && (
        <Part title="Custom questions">
          {questions.map(({ question, options }) => (
            <p key={question}>
              {question}
              {options.length > 0 && ` (${options.join(', ')})`}
            </p>
          ))}
        </Part>
      )}
      {campaign.notes && (
        <Part title="Notes">
          <p>{campaign.notes}</p>
        </Part>
      )}
      {campaign.tagged_entities.length > 0 && (
        <Part title="Tagged entities">
          <Tags tags={campaign.tagged_entities} />
        </Part>
      )}
    </div>
  )
}

interface Props {
  id: number
  onClose: () => void
  onEdit: () => void
}

/** One campaign in a side panel: results first, then all fields. */
export function CampaignView({ id, onClose, onEdit }: Props) {
  const query = useQuery(campaignQuery(id))
  return (
    <Dialog
      isOpen
      isSide
      onClose={onClose}
      title={query.data?.name ?? 'Campaign'}
      size={640}
      {...(query.data && {
        foot: (
          <>
            <HistoryButton isInDialog record={{ kind: 'campaign', id }} />
            <Can permission="campaigns.edit">
              <Button variant="default" onClick={onEdit}>
                Edit
              </Button>
            </Can>
          </>
        ),
      })}
    >
      <QueryView query={query}>{(campaign) => <Detail campaign={campaign} />}</QueryView>
    </Dialog>
  )
}
