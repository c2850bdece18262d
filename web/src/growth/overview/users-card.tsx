import type { HealthOverview } from '@limber/contract/growth/overview/health.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Tooltip } from '@mantine/core'
import { Ring } from '#ui/charts/ring.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { FigureButton } from './figure-button.tsx'
import type { AnyFigure } from './figure-labels.ts'
import styles from './overview.module.css'
import { Trend, type Trends } from './trend.tsx'

interface Props {
  users: HealthOverview['users']
  trend: Trends['userGrowth'] | undefined
  onOpen: (figure: AnyFigure) => void
}

/** The number of users, and how many have an address, a zone and a signed waiver. */
export function UsersCard({ users, trend, onOpen }: Props) {
  const rings = [
    ['withAddress', 'with address', users.withAddress, 1],
    ['withinServiceArea', 'within service area', users.withinServiceArea, 2],
    ['outsideUsers', 'outside service area', users.outsideServiceArea, 4],
    ['withWaiver', 'with waiver', users.withWaiver, 3],
  ] as const
  return (
    <SectionCard title="Users" className={styles.wide ?? ''}>
      <div className={styles.users}>
        <div className={styles.lead}>
          <FigureButton figure="users" label="Total users" value={formatInteger(users.total)} onOpen={onOpen} isLarge />
          <Trend points={trend} isCount label="New users" empty="No user growth trend data" />
        </div>
        <div className={styles.rings}>
          {rings.map(([figure, label, count, series]) => (
            <Tooltip key={figure} label={`${formatInteger(count)} of ${formatInteger(users.total)} users`}>
              <button type="button" className={styles.ring} onClick={() => onOpen(figure)}>
                <Ring
                  share={users.total === 0 ? null : count / users.total}
                  label={`${formatInteger(count)} ${label}`}
                  series={series}
                  size={64}
                />
              </button>
            </Tooltip>
          ))}
        </div>
      </div>
    </SectionCard>
  )
}
