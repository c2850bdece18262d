import { useState } from 'react'
import { BarList } from '#ui/charts/bar-list.tsx'
import { Change } from '#ui/charts/change.tsx'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { Ring } from '#ui/charts/ring.tsx'
import { StackedBar } from '#ui/charts/stacked-bar.tsx'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { TrendChart } from '#ui/charts/trend-chart.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Money } from '#ui/format/money.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './gallery.module.css'

const stats: Stat[] = [
  {
    id: 'events',
    label: 'Total events',
    value: '46,216',
    change: <Change by={1} text="6.2%" />,
    note: 'previously 43,518',
    trend: [3, 4, 5, 4, 6, 8, 7, 9, 8, 11, 10, 12],
  },
  {
    id: 'users',
    label: 'Unique users',
    value: '3,184',
    change: <Change by={1} text="2.1%" />,
    note: 'previously 3,118',
    trend: [2, 3, 3, 4, 3, 5, 4, 6, 6, 5, 7, 8],
  },
  {
    id: 'time',
    label: 'Average response time',
    value: '142',
    unit: 'ms',
    change: <Change by={-9} text="9 ms" good="down" />,
    note: 'previously 151 ms',
    trend: [9, 7, 10, 6, 5, 7, 4, 3, 5, 2, 3, 1],
  },
  {
    id: 'errors',
    label: 'Error rate',
    value: '0.84',
    unit: '%',
    change: <Change by={0.12} text="0.12 pts" good="down" />,
    note: 'previously 0.72%',
    trend: [4, 3, 6, 4, 2, 5, 4, 8, 6, 9, 11, 10],
  },
]
const filters: Stat[] = [
  { id: 'open', label: 'Open', value: '14', note: '3 high priority' },
  { id: 'progress', label: 'In Progress', value: '6', note: '2 assigned to you' },
  { id: 'closed', label: 'Closed', value: '231', note: '18 this week' },
]
const days = ['Mon 9', 'Tue 10', 'Wed 11', 'Thu 12', 'Fri 13', 'Sat 14', 'Sun 15']
const hours = [160, 230, 1100, 1400, 1210, 1530, 990, 410]
const points = days.flatMap((day, week) =>
  hours.map((value, place) => ({
    tick: place === 0 ? day : '',
    title: `${day}, ${place * 3}:00`,
    value: Math.round(value * (week > 4 ? 0.6 : 1 + week / 30)),
    before: Math.round(value * (week > 4 ? 0.52 : 0.9)),
  })),
)
const actions = [
  ['session_booked', 12_840],
  ['profile_viewed', 9_612],
  ['session_completed', 7_405],
  ['search', 6_988],
] as const

export function Figures() {
  const [chosen, setChosen] = useState<string | null>('open')
  return (
    <>
      <div className={styles.full}>
        <StatStrip label="Figures" stats={stats} />
      </div>
      <div className={styles.full}>
        <StatStrip label="Filter by status" stats={filters} chosen={chosen} onChoose={setChosen} />
      </div>
      <div className={styles.half}>
        <ChartFrame
          title="Events over time"
          legend={[
            { label: 'This week', series: 1 },
            { label: 'Previous week', series: 'prev' },
          ]}
          file="events"
          table={{
            heads: ['When', 'This week', 'Previous week'],
            rows: points.map((point) => [point.title, point.value, point.before]),
          }}
        >
          <TrendChart label="Events over time" points={points} valueName="This week" beforeName="Previous week" />
        </ChartFrame>
      </div>
      <div className={styles.half}>
        <ChartFrame
          title="Actions by type"
          kind="bars"
          file="actions"
          table={{ heads: ['Action', 'Events'], rows: actions }}
        >
          <BarList
            rows={actions.map(([label, value]) => ({
              label,
              value,
              note: `${((value / 46_216) * 100).toFixed(1)}%`,
              isOver: value > 12_000,
            }))}
          />
        </ChartFrame>
      </div>
      <SectionCard title="Rings" hasLine className={styles.third ?? ''}>
        <div className={styles.row}>
          <Ring share={0.82} label="with address" />
          <Ring share={0.69} label="within service area" series={3} />
          <Ring share={null} label="not known" />
        </div>
      </SectionCard>
      <SectionCard title="Parts of a total" hasLine className={styles.third ?? ''}>
        <StackedBar
          parts={[
            { label: 'available', value: 8, text: '8 h', series: 1 },
            { label: 'scheduled', value: 6, text: '6 h', series: 2 },
            { label: 'delivered', value: 12, text: '12 h', series: 3 },
            { label: 'expired', value: 2, text: '2 h', series: 'prev' },
          ]}
        />
      </SectionCard>
      <SectionCard title="Money and moments" hasLine className={styles.third ?? ''}>
        <div className={styles.rows}>
          <div className={styles.row}>
            <Money amount="12345.6789" decimals={4} />
            <Money amount="-12.5" />
            <Money amount="0.0050" isSigned />
            <Money amount={null} />
          </div>
          <div className={styles.row}>
            <Moment at="2026-11-14T17:41:09Z" />
            <Moment at="2026-11-14T17:41:09" form="day" />
            <Moment at="yesterday" />
            <Moment at={null} />
          </div>
        </div>
      </SectionCard>
    </>
  )
}
