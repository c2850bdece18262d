import { formatPhone, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { type LeadDetail, leadLabels, leadSourceLabels } from '@limber/contract/marketing/leads/lead.ts'
import { Button } from '@mantine/core'
import { IconGitMerge, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { now } from '#platform/clock.ts'
import { linkTo } from '#platform/routing/links.ts'
import { useRecentRecord } from '#platform/routing/recent-records.ts'
import { CustomerLink, PersonRail } from '#support/public.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge, StatusDot } from '#ui/feedback/status.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { DetailColumns, DetailHead, DetailPane } from '#ui/layout/detail-pane.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { leadQuery } from './lead.api.ts'
import { LeadActions } from './lead-actions.tsx'
import { LeadAssignee } from './lead-assignee.tsx'
import styles from './lead-detail.module.css'
import { LeadDuplicates } from './lead-duplicates.tsx'
import { errorTitle, mergedText, nameOf, questionText, responseOf, statusLabels, statusMeaning } from './lead-labels.ts'
import { LeadNotes } from './lead-notes.tsx'
import { LeadSteps } from './lead-steps.tsx'

const LostReason = lazy(async () => ({ default: (await import('./lost-reason.tsx')).LostReason }))
const MergeLeads = lazy(async () => ({ default: (await import('./merge-leads.tsx')).MergeLeads }))
const EditLead = lazy(async () => ({ default: (await import('./edit-lead.tsx')).EditLead }))

/** How long the lead waited, or has been waiting, for a first response. */
function FirstResponse({ lead }: { lead: LeadDetail }) {
  const { isWaiting, isLate, text } = responseOf(lead, now())
  if (!isWaiting) return <>after {text}</>
  return <StatusDot meaning={isLate ? 'red' : 'amber'}>waiting for {text}</StatusDot>
}

/** Contacts of a merged lead that differ from this lead's. */
const otherContacts = (lead: LeadDetail, { email, phone }: LeadDetail['merged'][number]) =>
  [email !== lead.email && email, phone && phone !== lead.phone && formatPhone(phone)]
    .filter(Boolean)
    .map((contact) => `, ${contact}`)
    .join('')

/** Leads that were merged into this one. */
function Merged({ lead }: { lead: LeadDetail }) {
  if (lead.merged.length === 0) return null
  return (
    <Facts.Row label="Merged">
      <ul className={styles.merged}>
        {lead.merged.map((one) => (
          <li key={one.id}>
            Lead {one.id}, {leadSourceLabels[one.source]}, <Moment at={one.createdAt} form="day" />
            {otherContacts(lead, one)}; merged by {one.worker} on <Moment at={one.mergedAt} form="day" />
          </li>
        ))}
      </ul>
    </Facts.Row>
  )
}

function Customer({ lead }: { lead: LeadDetail }) {
  const { customer, bookings } = lead
  if (!customer || !bookings) return null
  return (
    <Facts.Row label="Customer">
      <span>
        <CustomerLink id={customer.id}>{customer.name}</CustomerLink>, number {customer.id}:{' '}
        {bookings.total === 0
          ? 'no bookings yet'
          : `${pluralize(bookings.total, 'booking')}, ${bookings.completed} completed`}
        {bookings.firstAt && (
          <>
            , first on <Moment at={bookings.firstAt} form="day" />
          </>
        )}
      </span>
    </Facts.Row>
  )
}

function Detail({ lead }: { lead: LeadDetail }) {
  const [isEditing, setEditing] = useState(false)
  const [isCorrecting, setCorrecting] = useState(false)
  const [isMerging, setMerging] = useState(false)
  useRecentRecord('lead', lead.id, nameOf(lead))
  return (
    <DetailPane>
      <DetailHead
        title={nameOf(lead)}
        badges={<StatusBadge meaning={statusMeaning[lead.status]}>{statusLabels[lead.status]}</StatusBadge>}
        sub={
          <>
            Since <Moment at={lead.statusSince} />
            {lead.lostReason && `: ${lead.lostReason}`}
            {lead.status === 'not_interested' && (
              <>
                {' '}
                <Button size="xs" variant="default" onClick={() => setCorrecting(true)}>
                  {lead.lostReason ? 'Edit reason' : 'Add reason'}
                </Button>
              </>
            )}
          </>
        }
        actions={<LeadActions lead={lead} />}
      />
      <LeadDuplicates lead={lead} />
      <DetailColumns kind="roomy">
        <SectionCard
          title="Lead"
          actions={
            <>
              <HistoryButton size="xs" record={{ kind: 'lead', id: lead.id }} />
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon of={IconGitMerge} size={14} />}
                onClick={() => setMerging(true)}
              >
                Merge…
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon of={IconPencil} size={14} />}
                onClick={() => setEditing(true)}
              >
                Edit
              </Button>
            </>
          }
        >
          <Facts>
            <Facts.Row label={leadLabels.email}>
              {lead.email ? (
                <span className={styles.copied}>
                  <a href={`mailto:${lead.email}`}>{lead.email}</a>
                  <CopyButton text={lead.email} label="Copy email" />
                </span>
              ) : (
                'N/A'
              )}
            </Facts.Row>
            <Facts.Row label={leadLabels.phone}>
              {lead.phone ? <a href={`tel:${lead.phone}`}>{formatPhone(lead.phone)}</a> : 'N/A'}
            </Facts.Row>
            <Facts.Row label={leadLabels.source}>{leadSourceLabels[lead.source]}</Facts.Row>
            <Facts.Row label={leadLabels.campaign_id}>
              {lead.campaign_id ? (
                <Link {...linkTo('/growth/campaigns', { campaign: lead.campaign_id })}>{lead.campaign}</Link>
              ) : (
                'N/A'
              )}
            </Facts.Row>
            <Facts.Row label="Assigned to">
              <LeadAssignee lead={lead} />
            </Facts.Row>
            <Facts.Row label="First response">
              <FirstResponse lead={lead} />
            </Facts.Row>
            {lead.answers.map(({ name, value }) => (
              <Facts.Row key={`${name} ${value}`} label={questionText(name)}>
                {value}
              </Facts.Row>
            ))}
            <Customer lead={lead} />
            <Merged lead={lead} />
          </Facts>
        </SectionCard>
        <SectionCard title="Steps">
          <LeadSteps lead={lead} />
        </SectionCard>
      </DetailColumns>
      <LeadNotes lead={lead} />
      {lead.customer && (
        <SectionCard title="Customer">
          <Suspense fallback={<ListSkeleton rows={6} />}>
            <PersonRail customerId={lead.customer.id} name={lead.customer.name} />
          </Suspense>
        </SectionCard>
      )}
      {isMerging && (
        <Suspense fallback={null}>
          <MergeLeads lead={lead} onClose={() => setMerging(false)} />
        </Suspense>
      )}
      {isEditing && (
        <Suspense fallback={null}>
          <EditLead lead={lead} onClose={() => setEditing(false)} />
        </Suspense>
      )}
      {isCorrecting && (
        <Suspense fallback={null}>
          <LostReason lead={lead} onClose={() => setCorrecting(false)} />
        </Suspense>
      )}
    </DetailPane>
  )
}

/** The detail view of a lead. A merged lead redirects to the lead that it was merged into. */
export function LeadView({ id, onMoved }: { id: number; onMoved: (id: number) => void }) {
  const query = useQuery(leadQuery(id))
  const lead = query.data
  const moveOn = useEffectEvent((kept: LeadDetail) => {
    toast(mergedText(id, kept))
    onMoved(kept.id)
  })
  useEffect(() => {
    if (lead && lead.id !== id) moveOn(lead)
  }, [lead, id])
  return (
    <QueryView query={query} failure={query.isError ? errorTitle(query.error) : ''}>
      {(found) => <Detail lead={found} />}
    </QueryView>
  )
}
