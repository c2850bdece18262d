import { companyDay } from '@limber/contract/kit/company.ts'
import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { Campaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  CampaignStatus,
  campaignPhase,
  campaignPhaseLabels,
  campaignSourceLabels,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { now } from '#platform/clock.ts'
import { withSearch } from '#platform/routing/links.ts'
import { Can } from '#platform/session/session.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { FigureLink } from '#ui/figures/figure-link.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Highlight } from '#ui/layout/highlight.tsx'
import { useSetCampaignStatus } from './campaign.api.ts'
import { campaignMeaning, rateText } from './campaign-labels.ts'
import styles from './campaigns.module.css'
import { PushLine } from './push-line.tsx'

/** Before the start date, Active is labeled Scheduled. */
const statusesOf = ({ start_date }: Campaign) =>
  CampaignStatus.options.map((status) => ({
    value: status,
    label: campaignPhaseLabels[campaignPhase({ status, start_date }, companyDay(now()))],
  }))

/** Sets the status, with undo. A failed change is reported, and the list reloads. */
export function StatusSelect({ campaign }: { campaign: Campaign }) {
  const { id, name } = campaign
  const status = campaign.status === 'scheduled' ? 'active' : campaign.status
  const set = useSetCampaignStatus(id)
  const selectStatus = (next: CampaignStatus) =>
    // A list filtered by status drops the card after the change. The promise still reports the result.
    set.mutateAsync({ status: next, version: campaign.version }).then(
      (reply) => toastUndo(`${name} is ${campaignPhaseLabels[reply.campaign.status].toLowerCase()}.`, reply),
      (error: unknown) => toastFailure('Failed to update status', error),
    )
  return (
    <NativeSelect
      size="xs"
      aria-label={`Status of ${name}`}
      data={statusesOf(campaign)}
      disabled={set.isPending}
      value={status}
      onChange={(event) => void selectStatus(CampaignStatus.parse(event.currentTarget.value))}
    />
  )
}

const Figure = ({ label, children, onOpen }: { label: string; children: string; onOpen: () => void }) => (
  <div className={styles.figure}>
    <dt>{label}</dt>
    <dd>
      <FigureLink label={label} onOpen={onOpen}>
        {children}
      </FigureLink>
    </dd>
  </div>
)

export const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? null : (
    <ul className={styles.tags} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  )

interface Props {
  campaign: Campaign
  /** The search text, highlighted in the name. */
  words: string
  onEdit: () => void
  onOpen: OpenFigure['onOpen']
}

/** One campaign with its budget and results. */
export function CampaignCard({ campaign, words, onEdit, onOpen }: Props) {
  const { id, name, status, source, budget, start_date, end_date, total_leads, conversions } = campaign
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h2 className={styles.name}>
          <Link {...withSearch<'/growth/campaigns'>({ campaign: id })} activeProps={{}}>
            <Highlight text={name} part={words} />
          </Link>
        </h2>
        <StatusBadge meaning={campaignMeaning[status]}>{campaignPhaseLabels[status]}</StatusBadge>
      </div>
      <p className={styles.line}>
        <span>{campaignSourceLabels[source]}</span>
        <span>{budget === null ? 'No budget' : `${formatMoney(budget)} per day`}</span>
        <span>
          {dayText(start_date)} – {dayText(end_date, 'Ongoing')}
        </span>
      </p>
      <dl className={styles.figures}>
        <Figure label="Leads" onOpen={() => onOpen('campaignLeads', id)}>
          {formatInteger(total_leads)}
        </Figure>
        <Figure label="Conversions" onOpen={() => onOpen('campaignConversions', id)}>
          {formatInteger(conversions)}
        </Figure>
        <Figure label="Rate" onOpen={() => onOpen('campaignRate', id)}>
          {rateText(campaign)}
        </Figure>
      </dl>
      <Tags tags={campaign.tagged_entities} />
      <PushLine campaign={campaign} />
      <Can permission="campaigns.edit">
        <div className={styles.foot}>
          <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
          <StatusSelect campaign={campaign} />
        </div>
      </Can>
    </article>
  )
}
