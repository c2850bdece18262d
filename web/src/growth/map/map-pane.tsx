import type { CitySummary } from '@limber/contract/growth/map/city.ts'
import type { Basemap, GrowthMap } from '@limber/contract/growth/map/map.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { ActionIcon, Button, CloseButton } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { useBasemap } from '../growth.api.ts'
import { type Drawing, drawMap, type Place } from './draw-map.ts'
import styles from './heatmap.module.css'
import { Legend } from './legend.tsx'
import type { Shade } from './map-rules.ts'
import { ATTRIBUTION } from './map-style.ts'
import { useFlight } from './use-flight.ts'

interface Props {
  map: GrowthMap | undefined
  shade: Shade
  /** The selected zone; '' for none. */
  zone: string
  /** The selected zone or city, once loaded. */
  place: CitySummary | undefined
  view: string
  onView: (view: string, bbox: string) => void
  onZone: (id: number) => void
  onCity: (city: string) => void
  onTask: (city: string) => void
}

/** Half the width and the full height of a circle's popup, which stays inside the map. */
const [HALF_WIDTH, HEIGHT] = [112, 136]
const beside = ({ x, y }: Place) => ({ left: `min(${x}px, 100% - 180px)`, top: `min(${y}px, 100% - 72px)` })
const over = ({ x, y }: Place) => ({ left: `clamp(${HALF_WIDTH}px, ${x}px, 100% - ${HALF_WIDTH}px)`, top: y })

function Canvas({ basemap, ...props }: Props & { basemap: Basemap }) {
  const { map, shade, zone, place } = props
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<ReturnType<typeof drawMap>>(undefined)
  const [hover, setHover] = useState<Place>()
  const [outlier, setOutlier] = useState<Place>()
  const selected = zone === '' ? (place?.zoneId ?? undefined) : Number(zone)
  const drawing: Drawing = { zones: map, shade, selected }
  const startView = useRef(props.view)
  const onRest = useEffectEvent((view: string, bbox: string) => props.onView(view, bbox))
  const onZone = useEffectEvent((id: number) => {
    flyToZone(id)
    props.onZone(id)
  })

  useEffect(() => {
    if (!box.current) return
    const made = drawMap(box.current, basemap, startView.current, {
      onSettle: (view, bbox) => onRest(view, bbox),
      onZone: (id) => onZone(id),
      onHover: setHover,
      onOutlier: setOutlier,
    })
    drawn.current = made
    return () => made.remove()
  }, [basemap])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawing is made of these three
  useEffect(() => drawn.current?.draw(drawing), [map, shade, selected])
  const flyToZone = useFlight({ map, selected, place, flyTo: (to) => drawn.current?.flyTo(to) })

  return (
    <section className={styles.mapBox} aria-label="Map">
      <div ref={box} className={styles.canvas} />
      <div className={styles.zoom}>
        <ActionIcon variant="default" size={32} aria-label="Zoom in" onClick={() => drawn.current?.zoomBy(1)}>
          <Icon of={IconPlus} />
        </ActionIcon>
        <ActionIcon variant="default" size={32} aria-label="Zoom out" onClick={() => drawn.current?.zoomBy(-1)}>
          <Icon of={IconMinus} />
        </ActionIcon>
      </div>
      {hover && !outlier && (
        <div className={styles.tip} style={beside(hover)} role="tooltip">
          <b>{hover.name}</b>
          <span>{formatInteger(hover.users)} users</span>
        </div>
      )}
      {outlier && (
        <div
          className={styles.popup}
          style={over(outlier)}
          data-below={outlier.y < HEIGHT || undefined}
          role="dialog"
          aria-label={outlier.name}
        >
          <div className={styles.row}>
            <button type="button" className={styles.link} onClick={() => props.onCity(outlier.name)}>
              {outlier.name}
            </button>
            <CloseButton size={24} aria-label="Close" onClick={() => drawn.current?.closeOutlier()} />
          </div>
          <span>{formatInteger(outlier.users)} users, outside every zone</span>
          <Button
            size="compact-sm"
            onClick={() => {
              drawn.current?.closeOutlier()
              props.onTask(outlier.name)
            }}
          >
            Add City Task
          </Button>
        </div>
      )}
      {map && <Legend map={map} shade={shade} />}
      {!basemap.styleUrl && !basemap.tilesUrl && <p className={styles.attribution}>{ATTRIBUTION}</p>}
      <ActionIcon
        className={styles.plus ?? ''}
        variant="filled"
        color="teal"
        size={40}
        aria-label="Create New City Task"
        onClick={() => props.onTask('')}
      >
        <Icon of={IconPlus} size={20} />
      </ActionIcon>
    </section>
  )
}

/** The map. Its library loads with this file and on no other screen. */
export default function MapPane(props: Props) {
  const basemap = useBasemap()
  return (
    <QueryView
      query={basemap}
      loading={<div className={styles.mapBox} aria-busy="true" />}
      failure="Couldn't load the map"
    >
      {(settings) => <Canvas basemap={settings} {...props} />}
    </QueryView>
  )
}
