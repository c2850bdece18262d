import type { ZoneDetail, ZonePolygon } from '@limber/contract/businesses/zones/zone.ts'
import { cx } from '#ui/layout/class-names.ts'
import styles from './zones.module.css'

const WIDTH = 640
const HEIGHT = 400
const MARGIN = 0.12

type Ring = ZonePolygon['coordinates'][number]

interface Frame {
  west: number
  north: number
  scale: number
  squeeze: number
}

/** A frame around an area with a margin. A degree of longitude is shorter than one of latitude. */
function frameOf({ coordinates }: ZonePolygon): Frame {
  const corners = coordinates.flat()
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const [west, east] = [Math.min(...xs), Math.max(...xs)]
  const [south, north] = [Math.min(...ys), Math.max(...ys)]
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180) || 1
  const [width, height] = [(east - west) * squeeze || 1e-6, north - south || 1e-6]
  const scale = Math.min(WIDTH / (width * (1 + 2 * MARGIN)), HEIGHT / (height * (1 + 2 * MARGIN)))
  return {
    west: west - (WIDTH / scale - width) / 2 / squeeze,
    north: north + (HEIGHT / scale - height) / 2,
    scale,
    squeeze,
  }
}

function pathOf(rings: readonly Ring[], { west, north, scale, squeeze }: Frame): string {
  const point = ([x, y]: Ring[number]) =>
    `${((x - west) * squeeze * scale).toFixed(1)} ${((north - y) * scale).toFixed(1)}`
  return rings.map((ring) => `M${ring.map(point).join('L')}Z`).join('')
}

interface Props {
  polygon: ZonePolygon
  neighbours: ZoneDetail['neighbours']
}

/** The area among its neighbors. Overlapping ones are highlighted. */
export function ZoneMap({ polygon, neighbours }: Props) {
  const frame = frameOf(polygon)
  const overlapping = neighbours.filter(({ overlaps }) => overlaps).map(({ name }) => name)
  const words = overlapping.length > 0 ? `, overlapping ${overlapping.join(', ')}` : ''
  return (
    <svg
      className={styles.map}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`The area of the zone with ${neighbours.length} zones nearby${words}`}
    >
      {neighbours.map(({ id, name, geometry, overlaps }) => (
        <path
          key={id}
          className={cx(styles.near, overlaps && styles.overlapping)}
          d={pathOf(geometry.coordinates, frame)}
          fillRule="evenodd"
        >
          <title>{overlaps ? `${name}: overlaps this zone` : name}</title>
        </path>
      ))}
      <path className={styles.own} d={pathOf(polygon.coordinates, frame)} fillRule="evenodd" />
      {polygon.coordinates.flat().length <= 80 &&
        polygon.coordinates.flatMap((ring) =>
          ring.slice(1).map((corner) => {
            const [x, y] = pathOf([[corner]], frame)
              .slice(1, -1)
              .split(' ')
            return <circle key={corner.join()} className={styles.corner} cx={x} cy={y} r={2.5} />
          }),
        )}
    </svg>
  )
}
