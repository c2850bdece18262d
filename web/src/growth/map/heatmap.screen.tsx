import type { GrowthMap } from '@limber/contract/growth/map/map.ts'
import { DEFAULT_RANGE, GrowthRange, PayoutCategory } from '@limber/contract/growth/values.ts'
import { Button, NativeSelect } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { z } from 'zod'
import { useSearchState } from '#platform/routing/search.ts'
import { useSession } from '#platform/session/session.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { type Chosen, useBasemap, useCity, useLiveGrowth, useMap } from '../growth.api.ts'
import { categoryLabels, rangeLabels } from '../labels.ts'
import { type AnyFigure, definitionOf, type FigureScope, figureSearch } from '../overview/figure-labels.ts'
import { SummaryCards } from '../overview/summary-cards.tsx'
import { RangeControl } from '../range-control.tsx'
import { CityDrawer } from './city-drawer.tsx'
import styles from './heatmap.module.css'
import { boxOfView, shadeNames, shades, startView } from './map-rules.ts'
import { canDraw, mayDraw } from './webgl.ts'
import { ZoneTable } from './zone-table.tsx'

const loadMap = () => import('./map-pane.tsx')
const MapPane = lazy(loadMap)
// The map library takes longest to load. It starts with this screen, which hovering over the link already prefetches.
if (mayDraw()) loadMap().catch(() => {})
const TaskDialog = lazy(() => import('../tasks/task-dialog.tsx'))
const FigureDialog = lazy(() => import('../overview/figure-dialog.tsx'))

const ranges = { '7d': '7D', '30d': '30D', '90d': '90D' } as const

const name = z.string().max(120).catch('')
const zoneId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .catch('')
export const Search = z.object({
  range: GrowthRange.catch(DEFAULT_RANGE),
  shade: z.enum(shadeNames).catch('users'),
  zone: zoneId,
  city: name,
  /** A zone or a city by the name in a task. */
  place: name,
  /** `lat,lng,zoom`. */
  view: z.string().max(60).catch(''),
  ...figureSearch,
  /** The zone or city of the open figure; without one, the zones in view. */
  of: zoneId,
  ofCity: name,
  /** The payout category of the open figure. */
  pay: PayoutCategory.or(z.literal('')).catch(''),
})
type State = z.output<typeof Search>

const chosenOf = ({ zone, city, place }: State): Chosen | undefined =>
  zone ? { zoneId: zone } : city ? { city } : place ? { place } : undefined

/**
 * What stands in the place of the map. The figures are shown first: creating the map occupies the page, without a
 * graphics card for long.
 */
function useMapTurn(areFiguresShown: boolean): 'waiting' | 'map' | 'nothing' {
  const [turn, setTurn] = useState<'waiting' | 'map' | 'nothing'>(mayDraw() ? 'waiting' : 'nothing')
  useEffect(() => {
    if (!areFiguresShown) return
    const frame = requestAnimationFrame(() => setTurn(canDraw() ? 'map' : 'nothing'))
    return () => cancelAnimationFrame(frame)
  }, [areFiguresShown])
  return turn
}

/** The zone map, shaded by a figure, with the totals in view above and one city on the side. */
export default function HeatmapScreen() {
  const [search, change] = useSearchState(Search)
  const { range, shade, zone, figure } = search
  const { company } = useSession()
  const view = search.view || startView(company.mapStart)
  const [box, setBox] = useState<string>()
  const [task, setTask] = useState<string>()
  const [areFiguresShown, setFiguresShown] = useState(false)
  const turn = useMapTurn(areFiguresShown)
  const isDrawn = turn !== 'nothing'
  // The place of the map, then the map itself, tells which part is in view. Without a map, all zones are shown.
  const bbox = isDrawn ? box : undefined
  const query = useMap(range, bbox, !isDrawn || bbox !== undefined)
  if (!areFiguresShown && (query.data || query.isError)) setFiguresShown(true)
  const measure = (place: HTMLDivElement | null) => {
    if (place) setBox((known) => known ?? boxOfView(view, place.clientWidth, place.clientHeight))
  }
  useBasemap(isDrawn)
  useLiveGrowth()
  const chosen = chosenOf(search)
  const { data: place } = useCity(range, chosen)
  const choose = (part: Partial<State>) => change({ zone: '', city: '', place: '', ...part })
  const openFigure = (name: AnyFigure, { zoneId: of = '', city: ofCity = '', category }: FigureScope = {}) =>
    change({ figure: name, of, ofCity, pay: category ?? '', page: 1 })
  const span = query.data?.span
  const side = (map: NonNullable<typeof query.data>) =>
    chosen ? (
      <CityDrawer
        key={JSON.stringify(chosen)}
        chosen={chosen}
        range={range}
        onClose={() => choose({})}
        onTask={setTask}
        onFigure={openFigure}
      />
    ) : (
      <div className={styles.side}>
        <ZoneTable
          map={map}
          shade={shade}
          onZone={(id) => choose({ zone: String(id) })}
          onCity={(city) => choose({ city })}
          onTask={setTask}
        />
      </div>
    )
  return (
    <>
      <PageHead
        title="Map Overview"
        isOneLine
        actions={<RangeControl value={range} onChange={(next) => change({ range: next })} words={ranges} />}
      >
        Zone figures in view, last {rangeLabels[range]}, compared with the previous {rangeLabels[range]}.
        {span && (
          <>
            {' '}
            Last refreshed <Moment key={span.refreshedAt} at={span.refreshedAt} form="relative" />.
          </>
        )}
      </PageHead>
      <QueryView query={query} loading={<BlockSkeleton height={116} />} failure="Couldn't load zones">
        {(map) => (
          <SummaryCards map={map} onOpen={(name) => openFigure(name)}>
            <NativeSelect
              label="Shade zones by"
              classNames={{ label: styles.label ?? '', input: styles.shade ?? '' }}
              data={shadeNames.map((value) => ({ value, label: shades[value].label }))}
              value={shade}
              onChange={(event) => change({ shade: event.currentTarget.value as State['shade'] })}
            />
          </SummaryCards>
        )}
      </QueryView>
      <div className={styles.split} data-flat={!isDrawn || undefined}>
        {turn === 'waiting' && <div ref={measure} className={styles.mapBox} aria-busy="true" />}
        {turn === 'map' && (
          <Suspense fallback={<div className={styles.mapBox} aria-busy="true" />}>
            <MapPane
              map={query.data}
              shade={shade}
              zone={zone}
              place={chosen && place}
              view={view}
              onView={(next, seen) => {
                setBox(seen)
                change({ view: next }, { replace: true })
              }}
              onZone={(id) => choose({ zone: String(id) })}
              onCity={(city) => choose({ city })}
              onTask={setTask}
            />
          </Suspense>
        )}
        {!isDrawn && (
          <div className={styles.noMap}>
            <p>This browser cannot show the map because it does not support WebGL. The tables show the same data.</p>
            <Button variant="default" onClick={() => setTask('')}>
              Create New City Task
            </Button>
          </div>
        )}
        {query.data && side(query.data)}
      </div>
      <Suspense fallback={null}>
        {task !== undefined && <TaskDialog city={task} onClose={() => setTask(undefined)} />}
        {span && definitionOf(figure) && (
          <FigureDialog
            figure={figure}
            span={span}
            {...shownOf(search, bbox, query.data)}
            page={search.page}
            onPage={(page, how) => change({ page }, how)}
            onOpen={(part) => change({ figure: part, page: 1 })}
            onClose={() => change({ figure: '', of: '', ofCity: '', pay: '', page: 1 })}
          />
        )}
      </Suspense>
    </>
  )
}

const EVERYWHERE = '-90,-180,90,180'

/** The scope of the rows behind a figure (one zone, one city or the zones in view), and its label. */
function shownOf({ of, ofCity, pay }: State, bbox: string | undefined, map: GrowthMap | undefined) {
  const zone = map?.zones.find(({ id }) => String(id) === of)?.name
  const [scope, place]: [FigureScope, string] = of
    ? [{ zoneId: of }, zone ? `In the zone ${zone}` : 'In this zone']
    : ofCity
      ? [{ city: ofCity }, `In ${ofCity}, outside every zone`]
      : [{ bbox: bbox ?? EVERYWHERE }, bbox ? 'In the visible zones' : 'In all zones']
  return pay ? { scope: { ...scope, category: pay }, place: `${categoryLabels[pay]}. ${place}` } : { scope, place }
}
