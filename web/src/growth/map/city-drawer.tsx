import type { CitySummary } from '@limber/contract/growth/map/city.ts'
import { type GrowthRange, type PayoutCategory, payoutCategories } from '@limber/contract/growth/values.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button, CloseButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { Can } from '#platform/session/session.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { type Chosen, useCity } from '../growth.api.ts'
import { categoryLabels, dollars } from '../labels.ts'
import type { AnyFigure, FigureScope } from '../overview/figure-labels.ts'
import { CityTasks } from '../tasks/city-tasks.tsx'
import { CityCampaigns } from './city-campaigns.tsx'
import styles from './heatmap.module.css'

const tilesOf = ({ metrics }: CitySummary): [AnyFigure, string, string][] => [
  ['users', 'Users', formatInteger(metrics.users)],
  ['activeUsers', 'Active Users', formatInteger(metrics.activeUsers)],
  ['churnedUsers', 'Churned Users', formatInteger(metrics.churnedUsers)],
  ['sessions', 'Completed Sessions', formatInteger(metrics.sessions)],
  ['bookedSessions', 'Booked Sessions', formatInteger(metrics.bookedSessions)],
  ['revenue', 'Revenue', dollars(metrics.revenue)],
  ['stretchers', 'Stretchers', formatInteger(metrics.stretchers)],
  ['ratings', 'Avg rating', metrics.avgRating === null ? '--' : metrics.avgRating.toFixed(2)],
  ['availableCredits', 'Available Credits', formatInteger(metrics.availableCredits)],
]

interface PayoutsProps extends Pick<CitySummary['metrics'], 'payouts'> {
  onOpen: (category: PayoutCategory) => void
}

function Payouts({ payouts, onOpen }: PayoutsProps) {
  return (
    <PlainTable label="Payouts">
      <thead>
        <tr>
          <th>Category</th>
          <th className={figure}>Total</th>
          <th className={figure}>Count</th>
          <th className={figure}>Avg</th>
        </tr>
      </thead>
      <tbody>
        {payoutCategories.map((category) => {
          const { total, count, avg } = payouts[category]
          return (
            <tr key={category} data-quiet={count === 0 || undefined}>
              <td>
                {count === 0 ? (
                  categoryLabels[category]
                ) : (
                  <button type="button" className={styles.link} onClick={() => onOpen(category)}>
                    {categoryLabels[category]}
                  </button>
                )}
              </td>
              <td className={figure}>{dollars(total)}</td>
              <td className={figure}>{formatInteger(count)}</td>
              <td className={figure}>{dollars(avg)}</td>
            </tr>
          )
        })}
      </tbody>
    </PlainTable>
  )
}

const scopeOf = ({ zoneId, name }: CitySummary): FigureScope =>
  zoneId === null ? { city: name } : { zoneId: String(zoneId) }

interface Props {
  chosen: Chosen
  range: GrowthRange
  onClose: () => void
  onTask: (city: string) => void
  /** A number that opens the rows behind it, for this zone or city. */
  onFigure: (figure: AnyFigure, scope: FigureScope) => void
}

/** One zone or city: its figures, payouts and tasks. */
export function CityDrawer({ chosen, range, onClose, onTask, onFigure }: Props) {
  const query = useCity(range, chosen)
  const name = query.data?.name ?? ('city' in chosen ? chosen.city : 'place' in chosen ? chosen.place : 'Zone')
  return (
    <aside className={styles.drawer} aria-label={name}>
      <header className={styles.drawerHead}>
        <h2>{name}</h2>
        {query.data && (
          <StatusBadge meaning={query.data.zoneId === null ? 'amber' : 'teal'} hasDot={false}>
            {query.data.zoneId === null ? 'Outside every zone' : 'Zone selected'}
          </StatusBadge>
        )}
        <CloseButton className={styles.close ?? ''} aria-label="Close" size={32} iconSize={18} onClick={onClose} />
      </header>
      <div className={styles.drawerBody}>
        <QueryView query={query} failure="Couldn't load the figures for this city">
          {(city) => (
            <>
              <section className={styles.tiles} aria-label="Figures" aria-busy={query.isPlaceholderData}>
                {tilesOf(city).map(([name, label, value]) => (
                  <button
                    key={name}
                    type="button"
                    className={styles.tile}
                    onClick={() => onFigure(name, scopeOf(city))}
                  >
                    <span>{label}</span>
                    <b>{value}</b>
                  </button>
                ))}
              </section>
              <section aria-label="Payouts by category">
                <h3>Payouts</h3>
                <Payouts
                  payouts={city.metrics.payouts}
                  onOpen={(category) => onFigure('payouts', { ...scopeOf(city), category })}
                />
              </section>
              <section aria-label="City tasks">
                <div className={styles.row}>
                  <h3>City tasks</h3>
                  <Button variant="default" size="compact-sm" onClick={() => onTask(city.name)}>
                    Add City Task
                  </Button>
                </div>
                <CityTasks tasks={city.tasks} />
              </section>
              <section aria-label="Campaigns">
                <div className={styles.row}>
                  <h3>Campaigns</h3>
                  <Can permission="campaigns.create">
                    <Button
                      variant="default"
                      size="compact-sm"
                      renderRoot={(props) => <Link {...props} {...linkTo('/growth/campaigns', { place: city.name })} />}
                    >
                      Start Campaign
                    </Button>
                  </Can>
                </div>
                <CityCampaigns campaigns={city.campaigns} />
              </section>
            </>
          )}
        </QueryView>
      </div>
    </aside>
  )
}
