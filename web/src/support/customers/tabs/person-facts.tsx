import { formatInteger, formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { Can, useCan } from '#platform/session/session.tsx'
import { TicketLink } from '#support/ticket-link.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { humanize, yesNo } from '../labels.ts'
import { UserLink } from '../user-link.tsx'
import styles from './user-tabs.module.css'

function Person({ user: { personalInfo, accountStatus } }: { user: UserDetail }) {
  const maySeeStretchers = useCan('businesses.manage')
  const { id, email, name, phone } = personalInfo
  return (
    <SectionCard title="Personal info">
      <Facts>
        <Facts.Row label="Name">{name}</Facts.Row>
        <Facts.Row label="Email">
          {email}
          <CopyButton text={email} label="Copy email" />
        </Facts.Row>
        <Facts.Row label="Phone">
          {phone ? formatPhone(phone) : 'N/A'}
          {phone && <CopyButton text={phone} label="Copy phone" />}
        </Facts.Row>
        <Can permission="support.tab">
          <Facts.Row label="Messages">
            <Link {...linkTo('/support/email-logs', { recipient: email })} preload={false}>
              Email logs
            </Link>
            <Link {...linkTo('/support/texts', { user: id })} preload={false}>
              Text messages
            </Link>
          </Facts.Row>
        </Can>
        <Facts.Row label="User ID">{id}</Facts.Row>
        {accountStatus.isStretcher && (
          <Facts.Row label="Works here">
            {maySeeStretchers ? (
              <Link {...linkTo('/worker/managing/stretchers', { q: email })} preload={false}>
                as a stretcher
              </Link>
            ) : (
              'as a stretcher'
            )}
          </Facts.Row>
        )}
      </Facts>
    </SectionCard>
  )
}

function Account({ user: { accountStatus } }: { user: UserDetail }) {
  return (
    <SectionCard title="Account status">
      <Facts>
        <Facts.Row label="Join date">
          <Moment at={accountStatus.joinDate} form="day" />
        </Facts.Row>
        <Facts.Row label="Last login">
          <Moment at={accountStatus.lastLogin} absent="Never" />
        </Facts.Row>
        <Facts.Row label="Email verified">{yesNo(accountStatus.emailVerified)}</Facts.Row>
        <Facts.Row label="Waiver signed">{yesNo(accountStatus.waiverSigned)}</Facts.Row>
        <Facts.Row label="Total logins">{formatInteger(accountStatus.totalLogins)}</Facts.Row>
      </Facts>
    </SectionCard>
  )
}

function Engagement({ user: { engagement } }: { user: UserDetail }) {
  return (
    <SectionCard title="Engagement">
      <Facts>
        <Facts.Row label="Customer type">{humanize(engagement.customerType)}</Facts.Row>
        <Facts.Row label="Value tier">
          {engagement.valueTier === 'vip' ? 'VIP' : humanize(engagement.valueTier)}
        </Facts.Row>
        <Facts.Row label="Lifecycle stage">{humanize(engagement.lifecycleStage)}</Facts.Row>
        <Facts.Row label="Engagement score">{formatInteger(engagement.score)}</Facts.Row>
        <Facts.Row label="Points">{formatInteger(engagement.points)}</Facts.Row>
        <Facts.Row label="Total points earned">{formatInteger(engagement.totalPointsEarned)}</Facts.Row>
        <Facts.Row label="Rank">{engagement.rank}</Facts.Row>
        <Facts.Row label="Credits">{formatInteger(engagement.credits)}</Facts.Row>
      </Facts>
    </SectionCard>
  )
}

/** For example `(Last used: Nov 14, 2026)`. */
function Last({ words, at }: { words: string; at: string | null }) {
  if (!at) return null
  return (
    <span className={styles.meta}>
      ({words} <Moment at={at} form="day" />)
    </span>
  )
}

function People({ people }: { people: readonly { id: number; name: string }[] }) {
  return (
    <span className={styles.people}>
      {people.map(({ id, name }) => (
        <UserLink key={id} id={id} name={name} />
      ))}
    </span>
  )
}

function Activity({ user: { activity } }: { user: UserDetail }) {
  const { bookings, referrals, rewards, tickets } = activity
  const more = referrals.total - referrals.people.length
  return (
    <SectionCard title="Activity">
      <Facts>
        <Facts.Row label="Bookings">
          {formatInteger(bookings.total)}{' '}
          {bookings.lastBooking && (
            <span className={styles.meta}>
              (Last: <Moment at={bookings.lastBooking} form="day" />)
            </span>
          )}
        </Facts.Row>
        <Facts.Row label="Referrals">
          {formatInteger(referrals.total)}{' '}
          <span className={styles.meta}>({formatInteger(referrals.successful)} successful)</span>
        </Facts.Row>
        {referrals.people.length > 0 && (
          <Facts.Row label="Referred">
            <People people={referrals.people} />
            {more > 0 && <span className={styles.meta}>and {formatInteger(more)} more</span>}
          </Facts.Row>
        )}
        {referrals.by && (
          <Facts.Row label="Referred by">
            <UserLink {...referrals.by} />
          </Facts.Row>
        )}
        <Facts.Row label="Rewards">
          {formatInteger(rewards.total)} <Last words="Last used:" at={rewards.lastRedemption} />
        </Facts.Row>
        {tickets && (
          <Facts.Row label="Tickets">
            {formatInteger(tickets.total)}{' '}
            <span className={styles.meta}>
              ({formatInteger(tickets.active)} active)
              {tickets.highPriority > 0 && (
                <span className={styles.urgent}> • {formatInteger(tickets.highPriority)} high priority</span>
              )}
            </span>
          </Facts.Row>
        )}
      </Facts>
    </SectionCard>
  )
}

function RecentSupport({ user: { recentSupport } }: { user: UserDetail }) {
  const rows = recentSupport.map(({ date, type, outcome, ticketId }) => (
    <li key={`${date} ${type} ${outcome}`} className={styles.line}>
      <Moment at={date} form="day" />
      <span className={styles.wide}>{ticketId === null ? type : <TicketLink id={ticketId}>{type}</TicketLink>}</span>
      <span className={styles.meta}>{outcome}</span>
    </li>
  ))
  const none: ReactNode = <p className={styles.none}>No recent support history</p>
  return (
    <SectionCard title="Recent support" isFlush={rows.length > 0}>
      {rows.length === 0 ? none : <ul className={styles.lines}>{rows}</ul>}
    </SectionCard>
  )
}

function Promises({ promises }: { promises: NonNullable<UserDetail['glance']['promises']> }) {
  return (
    <SectionCard title="Open promises">
      <ul className={styles.promises}>
        {promises.map(({ ticketId, subject, dueAt, isPaused }) => (
          <li key={ticketId}>
            <TicketLink id={ticketId}>{subject}</TicketLink>
            <span className={styles.meta}>
              {isPaused ? 'Paused' : 'Response due'} {dueAt && <Moment at={dueAt} />}
            </span>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}

/** The facts about a customer, beside the timeline. */
export function PersonFacts({ user }: { user: UserDetail }) {
  const { promises } = user.glance
  return (
    <aside className={styles.facts} aria-label="Facts">
      {promises && promises.length > 0 && <Promises promises={promises} />}
      <Person user={user} />
      <Account user={user} />
      <Engagement user={user} />
      <Activity user={user} />
      <RecentSupport user={user} />
    </aside>
  )
}
