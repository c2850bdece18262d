import type { GrowthMap } from '@limber/contract/growth/map/map.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { roundDollars } from '../labels.ts'
import styles from './heatmap.module.css'
import { bandOf, type Shade, shades } from './map-rules.ts'

interface Props {
  map: GrowthMap
  shade: Shade
  onZone: (id: number) => void
  onCity: (city: string) => void
  onTask: (city: string) => void
}

/** The map as a table: the same zones, bands and cities, for keyboards, screen readers and browsers without WebGL. */
export function ZoneTable({ map, shade, onZone, onCity, onTask }: Props) {
  const { label, of } = shades[shade]
  const largest = Math.max(0, ...map.zones.map(of))
  const text = shade === 'revenue' ? roundDollars : formatInteger
  const zones = map.zones.toSorted((a, b) => of(b) - of(a) || a.name.localeCompare(b.name))
  return (
    <>
      <PlainTable label="Zones in view">
        <thead>
          <tr>
            <th>Zone</th>
            <th className={figure}>{label}</th>
            <th className={figure}>{shade === 'users' ? 'Active Users' : 'Users'}</th>
          </tr>
        </thead>
        <tbody>
          {zones.map((zone) => (
            <tr key={zone.id}>
              <td>
                <span className={styles.swatch} data-band={bandOf(of(zone), largest)} aria-hidden />
                <button type="button" className={styles.link} onClick={() => onZone(zone.id)}>
                  {zone.name}
                </button>
              </td>
              <td className={figure}>{text(of(zone))}</td>
              <td className={figure}>
                {formatInteger(shade === 'users' ? zone.metrics.activeUsers : zone.metrics.users)}
              </td>
            </tr>
          ))}
          {zones.length === 0 && (
            <tr>
              <td colSpan={3}>
                No zones in this part of the map
                <br />
                <RecordLink to="/worker/managing/zones" needs="businesses.manage">
                  Zones
                </RecordLink>
              </td>
            </tr>
          )}
        </tbody>
      </PlainTable>
      {map.outliers.length > 0 && (
        <PlainTable label="Outlier cities in view">
          <thead>
            <tr>
              <th>Outside every zone</th>
              <th className={figure}>Users</th>
              <th>
                <VisuallyHidden>Task</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {map.outliers.map(({ city, users }) => (
              <tr key={city}>
                <td>
                  <span className={styles.swatch} data-band="outlier" aria-hidden />
                  <button type="button" className={styles.link} onClick={() => onCity(city)}>
                    {city}
                  </button>
                </td>
                <td className={figure}>{formatInteger(users)}</td>
                <td className={figure}>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => onTask(city)}
                    aria-label={`Add City Task for ${city}`}
                  >
                    Add City Task
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </>
  )
}
