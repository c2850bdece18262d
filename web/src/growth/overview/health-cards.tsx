import type { HealthOverview } from '@limber/contract/growth/overview/health.ts'
import type { GrowthRange } from '@limber/contract/growth/values.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { percent } from '../labels.ts'
import { RangeControl } from '../range-control.tsx'
import { FigureButton } from './figure-button.tsx'
import type { AnyFigure } from './figure-labels.ts'
import styles from './overview.module.css'
import { Trend, type Trends } from './trend.tsx'

interface Shared {
  trends: Trends | undefined
  onOpen: (figure: AnyFigure) => void
}

/** A percentage with its direction; green when higher is better. */
function PercentChange({ by }: { by: number | null }) {
  if (by === null) return '--'
  const direction = by > 0 ? 'up' : by < 0 ? 'down' : 'same'
  const arrow = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconMinus }[direction]
  return (
    <span className={styles.moved} data-direction={direction}>
      <Icon of={arrow} size={16} />
      <VisuallyHidden>{direction === 'same' ? 'unchanged' : direction} </VisuallyHidden>
      {percent(Math.abs(by), 1)}
    </span>
  )
}

const ranges = { '7d': '7 Days', '30d': '30 Days', '90d': '90 Days' } as const

interface GrowthProps extends Shared {
  users: HealthOverview['users'] | undefined
  /** Shown while the figures load. */
  waiting: ReactNode
  range: GrowthRange
  onRange: (range: GrowthRange) => void
}

function GrowthFigures({ users, onOpen }: { users: HealthOverview['users'] } & Pick<Shared, 'onOpen'>) {
  return (
    <div className={styles.figures}>
      <FigureButton
        figure="growthPct"
        label="User growth"
        value={<PercentChange by={users.growthPct} />}
        onOpen={onOpen}
      />
      <FigureButton figure="newUsers" label="New users" value={formatInteger(users.joined)} onOpen={onOpen} />
      <FigureButton figure="churnedUsers" label="Churned users" value={formatInteger(users.churned)} onOpen={onOpen} />
      <FigureButton figure="churnRatePct" label="Churn rate" value={percent(users.churnRatePct)} onOpen={onOpen} />
    </div>
  )
}

const hasMoved = ({ growthPct, churnRatePct, joined, churned }: HealthOverview['users']) =>
  growthPct !== null || churnRatePct !== null || joined > 0 || churned > 0

/** The range selector applies to the whole page. It stays when a range fails to load, so that another can be selected. */
export function GrowthCard({ users, waiting, trends, range, onRange, onOpen }: GrowthProps) {
  return (
    <SectionCard title="Growth & Churn" actions={<RangeControl value={range} onChange={onRange} words={ranges} />}>
      <div className={styles.health}>
        {users && hasMoved(users) ? (
          <GrowthFigures users={users} onOpen={onOpen} />
        ) : (
          waiting || <p className={styles.none}>No growth or churn data available</p>
        )}
        <Trend points={trends?.churn} label="Churned users" empty="No churn trend data" />
      </div>
    </SectionCard>
  )
}

export function BookingsCard({ bookings, trends, onOpen }: Shared & { bookings: HealthOverview['bookings'] }) {
  const isEmpty = bookings.current + bookings.previous + bookings.cancelled === 0
  return (
    <SectionCard title="Bookings">
      <div className={styles.health}>
        {isEmpty ? (
          <p className={styles.none}>No booking data available</p>
        ) : (
          <div className={styles.figures}>
            <FigureButton
              figure="bookings"
              label="Current bookings"
              value={formatInteger(bookings.current)}
              onOpen={onOpen}
            />
            <FigureButton
              figure="bookingGrowthPct"
              label="Booking growth"
              value={<PercentChange by={bookings.growthPct} />}
              onOpen={onOpen}
            />
            <FigureButton
              figure="cancelledBookings"
              label="Canceled bookings"
              value={formatInteger(bookings.cancelled)}
              onOpen={onOpen}
            />
          </div>
        )}
        <Trend points={trends?.bookings} isCount label="Bookings" empty="No booking trend data" />
      </div>
    </SectionCard>
  )
}

export function BusinessesCard({ businesses, trends, onOpen }: Shared & { businesses: HealthOverview['businesses'] }) {
  return (
    <SectionCard title="Businesses">
      <div className={styles.health}>
        <div className={styles.figures}>
          <FigureButton figure="businesses" label="Total" value={formatInteger(businesses.total)} onOpen={onOpen} />
          <FigureButton
            figure="upcomingRenewals"
            label="Upcoming renewals"
            value={formatInteger(businesses.upcomingRenewals)}
            onOpen={onOpen}
          />
          <FigureButton
            figure="noRecentContact"
            label="No contact for over 30 days"
            value={formatInteger(businesses.noRecentContact)}
            onOpen={onOpen}
          />
        </div>
        <Trend points={trends?.businesses} label="Partners" empty="No business trend data" />
      </div>
    </SectionCard>
  )
}
