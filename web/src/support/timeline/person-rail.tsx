import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { CustomerLink } from '#support/customers/customer-link.tsx'
import { accountMeaning, closedLabels, humanize } from '#support/customers/labels.ts'
import { userQuery } from '#support/customers/user.api.ts'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { LatestEntries } from './latest-entries.tsx'
import styles from './person-rail.module.css'

function Status({ user: { accountStatus } }: { user: UserDetail }) {
  const { status, isErased, mergedInto } = accountStatus
  if (isErased || mergedInto !== null)
    return <StatusBadge meaning="plain">{closedLabels[isErased ? 'erased' : 'merged']}</StatusBadge>
  return <StatusBadge meaning={accountMeaning[status]}>{humanize(status)}</StatusBadge>
}

function PersonFacts({ user: { engagement, glance } }: { user: UserDetail }) {
  const { zone, isLocated, nextSession, promises } = glance
  const [first] = promises ?? []
  return (
    <Facts>
      <Facts.Row label="State">{humanize(engagement.lifecycleStage)}</Facts.Row>
      <Facts.Row label="Rank">{engagement.rank}</Facts.Row>
      <Facts.Row label="Credits">{formatInteger(engagement.credits)}</Facts.Row>
      <Facts.Row label="Zone">{zone ?? (isLocated ? 'Outside' : 'None')}</Facts.Row>
      <Facts.Row label="Next session">
        {nextSession ? <Moment at={nextSession.startsAt} form="moment" /> : 'None'}
      </Facts.Row>
      {promises && (
        <Facts.Row label="Open promises">
          {first ? (
            <Link {...linkTo('/support/tickets', { ticket: first.ticketId })}>{formatInteger(promises.length)}</Link>
          ) : (
            '0'
          )}
        </Facts.Row>
      )}
    </Facts>
  )
}

interface Props {
  customerId: number
  /** Shown to those who may not read accounts, too. */
  name: string
}

/** A person beside one of their records: who they are, as far as the reader may see it, and what happened last. */
export default function PersonRail({ customerId, name }: Props) {
  const mayRead = useCan(['users.overview', 'users.directory'])
  const { data: user } = useQuery({ ...userQuery(customerId), enabled: mayRead })
  const isOpen = user && !user.accountStatus.isErased && user.accountStatus.mergedInto === null
  return (
    <aside className={styles.rail} aria-label={`About ${name}`}>
      <div className={styles.person}>
        <Avatar name={name} tone="plain" size={32} />
        <span className={styles.name}>
          <CustomerLink id={customerId}>{name}</CustomerLink>
        </span>
        {user && <Status user={user} />}
      </div>
      {isOpen && <PersonFacts user={user} />}
      <LatestEntries customerId={customerId} within={(entries) => <div className={styles.part}>{entries}</div>} />
    </aside>
  )
}
