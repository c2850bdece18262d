import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { StretcherDetail } from '@limber/contract/stretchers/stretcher.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { useRecentRecord } from '#platform/routing/recent-records.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { Can } from '#platform/session/session.tsx'
import { CustomerLink } from '#support/public.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge, StatusDot } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import {
  certificationLabels,
  certificationMeaning,
  nameOf,
  onsiteText,
  readinessLabels,
  readinessMeaning,
  upcomingText,
} from './labels.ts'
import { Part } from './part.tsx'
import { Requirements } from './requirements.tsx'
import { stretcherQuery } from './stretcher.api.ts'
import { StretcherActions } from './stretcher-actions.tsx'
import styles from './stretcher-dialog.module.css'

function Certifications({ stretcher }: { stretcher: StretcherDetail }) {
  const issue = (
    <Link {...linkTo('/certifications', { view: 'create', user: stretcher.userId })}>Issue certification</Link>
  )
  return (
    <Part title="Certifications" beside={issue}>
      {stretcher.certificationList.length === 0 && <p className={styles.none}>No certifications yet.</p>}
      <ul className={styles.rows}>
        {stretcher.certificationList.map((one) => (
          <li key={one.id} className={styles.row}>
            <Link {...linkTo('/certifications', { certification: one.id })}>{one.certificationName}</Link>
            <StatusDot meaning={certificationMeaning[one.status]}>{certificationLabels[one.status]}</StatusDot>
            <span className={styles.meta}>
              issued {dayText(one.dateIssued)}
              {one.validUntil && `, valid until ${dayText(one.validUntil)}`}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Upcoming({ stretcher }: { stretcher: StretcherDetail }) {
  const { sessions, upcoming } = stretcher
  const more = upcoming.bookings + upcoming.onsite - sessions.length
  return (
    <Part title="Upcoming sessions" beside={<span className={styles.meta}>{upcomingText(upcoming)}</span>}>
      <ul className={styles.rows}>
        {sessions.map((one) => (
          <li key={`${one.kind}-${one.id}`} className={styles.row}>
            <Moment at={one.startsAt} />
            <span className={styles.meta}>
              {one.lacks ? `no valid ${one.lacks} on that day` : one.kind === 'onsite' ? 'on-site' : 'booking'}
            </span>
            <span className={styles.meta}>
              {one.businessId === null ? (
                one.place
              ) : (
                <Link {...linkTo('/worker/managing/businesses', { business: one.businessId })}>{one.place}</Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.none}>and {formatInteger(more)} more</p>}
    </Part>
  )
}

function Detail({ stretcher }: { stretcher: StretcherDetail }) {
  const { deactivated, readiness, zone } = stretcher
  useRecentRecord('stretcher', stretcher.id, nameOf(stretcher))
  return (
    <div className={styles.detail}>
      <div className={styles.state}>
        <StatusBadge meaning={readinessMeaning[readiness]}>{readinessLabels[readiness]}</StatusBadge>
        <StretcherActions stretcher={stretcher} />
      </div>
      {deactivated && (
        <Banner>
          Deactivated{deactivated.by && ` by ${deactivated.by}`} on <Moment at={deactivated.at} form="day" />
          {deactivated.reason && `: ${deactivated.reason}`}
        </Banner>
      )}
      {readiness === 'not_certified' && (
        <Banner kind="amber">
          A required certification is missing or expired, so on-site sessions cannot be assigned.
          {stretcher.upcoming.onsite > 0 &&
            ` ${onsiteText(stretcher.upcoming.onsite)} ${stretcher.upcoming.onsite === 1 ? 'needs' : 'need'} another stretcher.`}
        </Banner>
      )}
      {zone === null && stretcher.status !== 'inactive' && (
        <Banner kind="amber">No one can book this stretcher without a zone. Select one under Edit.</Banner>
      )}
      <Facts>
        <Facts.Row label="Email">{stretcher.email}</Facts.Row>
        <Facts.Row label="User ID">
          <CustomerLink id={stretcher.userId}>{stretcher.userId}</CustomerLink>
        </Facts.Row>
        <Facts.Row label="Zone">
          {zone ? (
            <RecordLink to="/worker/managing/zones" search={{ zone: zone.id }} needs="businesses.manage">
              {zone.name}
            </RecordLink>
          ) : (
            'No zone'
          )}
        </Facts.Row>
        <Facts.Row label="Date of birth">{dayText(stretcher.dateOfBirth)}</Facts.Row>
        <Facts.Row label="Hired">
          <Moment at={stretcher.hiredAt} form="day" />
        </Facts.Row>
        <Facts.Row label="Training finished">
          <Moment at={stretcher.trainedAt} form="day" absent="Not yet" />
        </Facts.Row>
        <Can permission={['payroll.details', 'payroll.audit']}>
          <Facts.Row label="Pay">
            <Link {...linkTo('/worker/financial/earners', { q: nameOf(stretcher) })} preload={false}>
              Taxes and payroll entries
            </Link>
          </Facts.Row>
        </Can>
      </Facts>
      <Requirements stretcher={stretcher} />
      <Certifications stretcher={stretcher} />
      <Upcoming stretcher={stretcher} />
    </div>
  )
}

/** A side panel with one stretcher. The list stays visible. */
export default function StretcherDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(stretcherQuery(id))
  return (
    <Dialog isOpen isSide size={520} onClose={onClose} title={query.data ? nameOf(query.data) : 'Stretcher'}>
      <QueryView query={query} failure="Couldn't load this stretcher">
        {(stretcher) => <Detail stretcher={stretcher} />}
      </QueryView>
    </Dialog>
  )
}
