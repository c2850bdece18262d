import type { CertificationRenewal, DueCertification } from '@limber/contract/certifications/certification.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { daysBetween } from '@limber/contract/kit/days.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconCalendarDue, IconCertificate, IconCertificateOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { now } from '#platform/clock.ts'
import { CustomerLink } from '#support/public.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { type WorkItem, WorkList } from '#ui/feedback/work-list.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { decisionsQuery } from './certification.api.ts'
import type { ChangeSearch } from './certification-search.ts'
import styles from './certifications.module.css'

/** When a certification ends or ended, counted from today. */
export function endText(validUntil: string, today: string): string {
  const days = daysBetween(today, validUntil)
  if (days < 0) return `lapsed on ${dayText(validUntil)}`
  return days === 0 ? 'expires today' : days === 1 ? 'expires tomorrow' : `expires in ${days} days`
}

function renewalItem(renewal: CertificationRenewal, today: string, change: ChangeSearch): WorkItem {
  const { certificationId, userId, userName, certificationTypeId, certificationName, isRequired, validUntil } = renewal
  const isLapsed = validUntil < today
  const which = `${certificationName} of ${userName}`
  return {
    id: `renewal-${certificationId}`,
    icon: isLapsed ? IconCertificateOff : IconCalendarDue,
    meaning: isRequired ? (isLapsed ? 'red' : 'amber') : 'plain',
    title: (
      <>
        {certificationName} of <CustomerLink id={userId}>{userName}</CustomerLink> {endText(validUntil, today)}
      </>
    ),
    why: !isRequired
      ? 'Not required for on-site sessions.'
      : isLapsed
        ? 'Required: no on-site session can be scheduled until it is renewed.'
        : `Required: no on-site session can be scheduled after ${dayText(validUntil)}.`,
    actions: (
      <>
        <Button
          size="xs"
          variant="subtle"
          aria-label={`View ${which}`}
          onClick={() => change({ certification: certificationId })}
        >
          View
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Renew ${which}`}
          onClick={() => change({ view: 'create', user: userId, type: certificationTypeId })}
        >
          Renew
        </Button>
      </>
    ),
  }
}

const dueItem = (due: DueCertification, change: ChangeSearch): WorkItem => ({
  id: `due-${due.userId}-${due.certificationTypeId}`,
  icon: IconCertificate,
  meaning: 'teal',
  title: (
    <>
      {due.certificationName} can be issued to <CustomerLink id={due.userId}>{due.userName}</CustomerLink>
    </>
  ),
  why: (
    <>
      All courses completed on <Moment at={due.completedAt} form="day" />.
    </>
  ),
  actions: (
    <Button
      size="xs"
      variant="default"
      aria-label={`Issue ${due.certificationName} to ${due.userName}`}
      onClick={() => change({ view: 'create', user: due.userId, type: due.certificationTypeId })}
    >
      Issue
    </Button>
  ),
})

/** Certifications of stretchers that lapsed, can be issued or expire soon, each with its next step. */
export function Decisions({ change }: { change: ChangeSearch }) {
  const query = useQuery(decisionsQuery)
  const today = companyDay(now())
  const items = ({ due, renewals }: NonNullable<typeof query.data>): WorkItem[] => {
    const issuable = new Set(due.map(({ userId, certificationTypeId }) => `${userId} ${certificationTypeId}`))
    // What can be issued needs no other decision.
    const open = renewals.filter(({ userId, certificationTypeId }) => !issuable.has(`${userId} ${certificationTypeId}`))
    const isUrgent = ({ isRequired, validUntil }: CertificationRenewal) => isRequired && validUntil < today
    return [
      ...open.filter(isUrgent).map((one) => renewalItem(one, today, change)),
      ...due.map((one) => dueItem(one, change)),
      ...open.filter((one) => !isUrgent(one)).map((one) => renewalItem(one, today, change)),
    ]
  }
  const count = query.data && items(query.data).length
  return (
    <SectionCard title="Needs a decision" isFlush {...(count ? { count: pluralize(count, 'certification') } : {})}>
      <QueryView
        query={query}
        failure="Couldn't load the certifications to decide about"
        isEmpty={(data) => items(data).length === 0}
        empty={<p className={styles.calm}>No certification of a stretcher lapsed, expires soon, or can be issued.</p>}
      >
        {(data) => <WorkList label="Certifications to decide about" items={items(data)} />}
      </QueryView>
    </SectionCard>
  )
}
