import type { GrowthMap } from '@limber/contract/growth/map/map.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { roundDollars } from '../labels.ts'
import styles from './heatmap.module.css'
import { bandStarts, type Shade, shades } from './map-rules.ts'

/** The meaning of the colors in numbers. */
export function Legend({ map, shade }: { map: GrowthMap; shade: Shade }) {
  const { label, of } = shades[shade]
  const largest = Math.max(0, ...map.zones.map(of))
  const [second, third] = bandStarts(largest)
  const text = shade === 'revenue' ? roundDollars : formatInteger
  return (
    <div className={styles.legend}>
      <b>{label} per zone</b>
      {largest > 0 && (
        <>
          <span>
            <i data-band="3" />
            {text(third)} and more
          </span>
          {third > second && (
            <span>
              <i data-band="2" />
              {third - 1 > second ? `${text(second)} to ${text(third - 1)}` : text(second)}
            </span>
          )}
        </>
      )}
      <span>
        <i data-band="1" />
        {largest > 0 ? `below ${text(second)}` : 'none'}
      </span>
      <span>
        <i data-band="outlier" />
        Outlier city
      </span>
    </div>
  )
}
