import type { GrowthMap } from '@limber/contract/growth/map/map.ts'
import { formatInteger, formatPercent, formatPoints } from '@limber/contract/kit/formats/numbers.ts'
import type { ReactNode } from 'react'
import { Change } from '#ui/charts/change.tsx'
import { dollars, percent, roundDollars } from '../labels.ts'
import styles from '../map/heatmap.module.css'
import { totalsBefore, totalsOf } from '../map/map-rules.ts'
import type { AnyFigure } from './figure-labels.ts'

interface Card {
  figure: AnyFigure
  label: string
  value: string
  change?: ReactNode
}

type Good = 'up' | 'down' | 'neither'

const relative = (now: number, before: number, good: Good = 'up') => {
  if (before === 0) return null
  const by = Math.round(((now - before) / before) * 1000) / 10
  return <Change by={by} text={formatPercent(Math.abs(by), 1)} good={good} />
}

const difference = (now: number | null, before: number | null, text: (size: number) => string, good: Good = 'up') => {
  if (now === null || before === null) return null
  const shown = text(Math.abs(now - before))
  // A change that rounds to zero has no direction.
  const by = shown === text(0) ? 0 : now - before
  return <Change by={by} text={shown} good={good} />
}

function cardsOf(map: GrowthMap): Card[] {
  const now = totalsOf(map.zones)
  const before = totalsBefore(map.zones)
  const ratio = (value: number | null, text: (value: number) => string) => (value === null ? '--' : text(value))
  return [
    { figure: 'users', label: 'Users', value: formatInteger(now.users), change: relative(now.users, before.users) },
    {
      figure: 'activeUsers',
      label: 'Active Users',
      value: formatInteger(now.activeUsers),
      change: relative(now.activeUsers, before.activeUsers),
    },
    {
      figure: 'churnedUsers',
      label: 'Churned Users',
      value: formatInteger(now.churnedUsers),
      change: difference(now.churnedUsers, before.churnedUsers, formatInteger, 'down'),
    },
    { figure: 'outsideUsers', label: 'Outside Users', value: formatInteger(map.outsideUsers) },
    {
      figure: 'activePct',
      label: 'Active %',
      value: percent(now.activePct),
      change: difference(now.activePct, before.activePct, (size) => formatPoints(size, 1)),
    },
    {
      figure: 'sessions',
      label: 'Compl. Sess.',
      value: formatInteger(now.sessions),
      change: relative(now.sessions, before.sessions),
    },
    { figure: 'bookedSessions', label: 'Booked Sess.', value: formatInteger(now.bookedSessions) },
    {
      figure: 'revenue',
      label: 'Revenue',
      value: roundDollars(now.revenue),
      change: relative(now.revenue, before.revenue),
    },
    {
      figure: 'payouts',
      label: 'Payouts',
      value: roundDollars(now.payouts),
      change: relative(now.payouts, before.payouts, 'neither'),
    },
    {
      figure: 'availableCredits',
      label: 'Credits',
      value: formatInteger(now.credits),
      change: difference(now.credits, before.credits, formatInteger, 'neither'),
    },
    { figure: 'perSession', label: '$/Sess+Cred', value: ratio(now.perSession, (value) => dollars(round(value))) },
    {
      figure: 'perStretcher',
      label: 'Sess/Stretcher',
      value: ratio(now.perStretcher, (value) => value.toFixed(1)),
      change: difference(now.perStretcher, before.perStretcher, (size) => size.toFixed(1)),
    },
    {
      figure: 'avgRating',
      label: 'Avg rating',
      value: ratio(now.avgRating, (value) => value.toFixed(2)),
      change: difference(now.avgRating, before.avgRating, (size) => size.toFixed(2)),
    },
  ]
}

const round = (value: number) => Math.round(value * 100) / 100

interface Props {
  map: GrowthMap
  onOpen: (figure: AnyFigure) => void
  /** Shown after the last card. */
  children: ReactNode
}

/** Totals of the zones in view compared with the previous range. Each card opens its definition. */
export function SummaryCards({ map, onOpen, children }: Props) {
  return (
    <section className={styles.cards} aria-label="Figures in view">
      {cardsOf(map).map(({ figure, label, value, change }) => (
        <button key={figure} type="button" className={styles.card} onClick={() => onOpen(figure)}>
          <span className={styles.label}>{label}</span>
          <span className={styles.value}>{value}</span>
          <span className={styles.change}>{change}</span>
        </button>
      ))}
      <div className={styles.card}>{children}</div>
    </section>
  )
}
