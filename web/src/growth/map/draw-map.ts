import { type Box, boxOf } from '@limber/contract/businesses/zones/area.ts'
import type { Basemap, GrowthMap } from '@limber/contract/growth/map/map.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { Feature, FeatureCollection } from 'geojson'
import { type GeoJSONSource, type LngLatLike, Map as MapLibre, type PointLike, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { bandOf, labelZoom, outlierRadius, paddedBox, readView, type Shade, shades } from './map-rules.ts'
import { citiesOutside, FONT, type Palette, readPalette, styleOf } from './map-style.ts'

setWorkerUrl(workerUrl)

/** Zoom 14 here equals zoom 15 in other map libraries, and 11 equals 12, the most when flying to a zone. */
const MAX_ZOOM = 14
const FLY_ZOOM = 11
const SETTLE_DELAY = 250
const HIT_RADIUS = 12

export interface Place {
  name: string
  users: number
  x: number
  y: number
}

export interface MapEvents {
  /** The view stopped moving: its position and the padded bounding box. */
  onSettle: (view: string, bbox: string) => void
  onZone: (id: number) => void
  /** The zone under the pointer. */
  onHover: (place: Place | undefined) => void
  /** The circle whose popup is open, and its current position. */
  onOutlier: (place: Place | undefined) => void
}

export interface Drawing {
  zones: GrowthMap | undefined
  shade: Shade
  selected: number | undefined
}

const viewOf = (map: MapLibre) => {
  const { lat, lng } = map.getCenter()
  return [lat.toFixed(4), lng.toFixed(4), map.getZoom().toFixed(2)].join(',')
}

/** The zones, and one label point at the center of each bounding box. MapLibre would label every part of a polygon. */
function zoneFeatures({ zones, shade }: Drawing): Record<'zones' | 'labels', FeatureCollection> {
  const { of } = shades[shade]
  const shown = zones?.zones ?? []
  const largest = Math.max(0, ...shown.map(of))
  const areas: Feature[] = []
  const labels: Feature[] = []
  for (const zone of shown) {
    const value = formatInteger(of(zone))
    const bounds = boxOf(zone.geometry)
    const band = bandOf(of(zone), largest)
    areas.push({
      type: 'Feature',
      geometry: zone.geometry,
      properties: { id: zone.id, name: zone.name, users: zone.metrics.users, band },
    })
    labels.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2] },
      properties: {
        words: `${zone.name}\n${value}`,
        band,
        fromZoom: labelZoom(Math.max(zone.name.length, value.length), bounds),
      },
    })
  }
  return { zones: collect(areas), labels: collect(labels) }
}

const collect = (features: Feature[]): FeatureCollection => ({ type: 'FeatureCollection', features })

/** Only the zone to outline, so that the map does not lay out thousands of zones again. */
const oneZone = ({ zones }: Drawing, id: number | undefined) =>
  collect(
    (zones?.zones ?? [])
      .filter((zone) => zone.id === id)
      .map(({ geometry }) => ({ type: 'Feature', geometry, properties: {} })),
  )

const outlierFeatures = ({ zones }: Drawing) =>
  collect(
    (zones?.outliers ?? []).map(({ city, lat, lng, users }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties: { city, users, radius: outlierRadius(users) },
    })),
  )

/** The layers on top of the basemap. */
function addLayers(map: MapLibre, palette: Palette) {
  for (const source of ['labels', 'outliers']) map.addSource(source, { type: 'geojson', data: collect([]) })
  // A tile also draws what surrounds it, by default a quarter on each side; areas only need room for their lines.
  // Details smaller than a pixel are left out until the map zooms in.
  for (const source of ['zones', 'hovered', 'selected'])
    map.addSource(source, { type: 'geojson', data: collect([]), buffer: 8, tolerance: 1 })
  map.addLayer({
    id: 'zones',
    type: 'fill',
    source: 'zones',
    paint: {
      'fill-color': ['match', ['get', 'band'], 3, palette.band3, 2, palette.band2, palette.band1],
      'fill-opacity': 0.88,
      // The lines between the zones cover their edges.
      'fill-antialias': false,
    },
  })
  map.addLayer({
    id: 'zone-lines',
    type: 'line',
    source: 'zones',
    paint: { 'line-color': palette.surface, 'line-width': 1.5 },
  })
  map.addLayer({
    id: 'zone-hover',
    type: 'line',
    source: 'hovered',
    paint: { 'line-color': palette.ink, 'line-width': 1.5, 'line-dasharray': [2, 2] },
  })
  map.addLayer({
    id: 'zone-selected',
    type: 'line',
    source: 'selected',
    paint: { 'line-color': palette.ink, 'line-width': 2 },
  })
  map.addLayer({
    id: 'outliers',
    type: 'circle',
    source: 'outliers',
    paint: {
      'circle-radius': ['get', 'radius'],
      'circle-color': palette.orange,
      'circle-opacity': 0.85,
      'circle-stroke-color': palette.surface,
      'circle-stroke-width': 1.5,
    },
  })
  // Makes small circles easy to click.
  map.addLayer({
    id: 'outlier-hits',
    type: 'circle',
    source: 'outliers',
    paint: { 'circle-radius': HIT_RADIUS, 'circle-opacity': 0 },
  })
  map.addLayer({
    id: 'outlier-names',
    type: 'symbol',
    source: 'outliers',
    layout: {
      'text-field': ['get', 'city'],
      'text-font': FONT,
      'text-size': 12,
      'text-anchor': 'left',
      'text-offset': [1.3, 0],
    },
    paint: { 'text-color': palette.text, 'text-halo-color': palette.land, 'text-halo-width': 1.5 },
  })
  map.addLayer({
    id: 'zone-names',
    type: 'symbol',
    source: 'labels',
    filter: ['>=', ['zoom'], ['get', 'fromZoom']],
    layout: { 'text-field': ['get', 'words'], 'text-font': FONT, 'text-size': 12, 'text-line-height': 1.3 },
    paint: {
      'text-color': ['match', ['get', 'band'], 3, palette.onBand3, palette.text],
    },
  })
}

/** Creates a map in an element and returns the functions that update it. */
export function drawMap(box: HTMLElement, basemap: Basemap, startView: string, events: MapEvents) {
  const isBundled = !basemap.styleUrl && !basemap.tilesUrl
  const map = new MapLibre({
    container: box,
    style: styleOf(basemap, readPalette(box)),
    ...readView(startView),
    maxZoom: MAX_ZOOM,
    attributionControl: isBundled ? false : { compact: false },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
  })
  map.touchZoomRotate.disableRotation()
  map.getCanvas().setAttribute('aria-label', 'Map of the zones. The table next to it shows the same data.')
  let drawing: Drawing = { zones: undefined, shade: 'users', selected: undefined }
  let open: { city: string; users: number; at: LngLatLike } | undefined
  let settleTimer: ReturnType<typeof setTimeout> | undefined
  let isRemoved = false

  let hovered: number | undefined
  const put = (source: string, features: FeatureCollection) =>
    void map.getSource<GeoJSONSource>(source)?.setData(features)

  const fill = () => {
    const { zones, labels } = zoneFeatures(drawing)
    put('zones', zones)
    put('labels', labels)
    put('outliers', outlierFeatures(drawing))
    put('hovered', oneZone(drawing, hovered))
    put('selected', oneZone(drawing, drawing.selected))
    if (isBundled) put('cities', citiesOutside((drawing.zones?.zones ?? []).map(({ geometry }) => geometry)))
  }

  const prepare = () => {
    if (!map.getSource('zones')) {
      addLayers(map, readPalette(box))
      if (isBundled) map.moveLayer('cities', 'outliers')
    }
    fill()
  }
  const reportView = () => {
    const bounds = map.getBounds()
    const sides = {
      south: bounds.getSouth(),
      west: bounds.getWest(),
      north: bounds.getNorth(),
      east: bounds.getEast(),
    }
    events.onSettle(viewOf(map), paddedBox(sides))
  }
  const reportOutlier = () => {
    if (!open) return events.onOutlier(undefined)
    const { x, y } = map.project(open.at)
    events.onOutlier({ name: open.city, users: open.users, x, y })
  }

  map.on('style.load', prepare)
  reportView()
  map.on('moveend', () => {
    clearTimeout(settleTimer)
    settleTimer = setTimeout(reportView, SETTLE_DELAY)
  })
  map.on('move', reportOutlier)
  const highlight = (id: number | undefined) => {
    if (id === hovered) return
    hovered = id
    put('hovered', oneZone(drawing, id))
  }
  const find = (point: PointLike, layer: string) => map.queryRenderedFeatures(point, { layers: [layer] })[0]?.properties
  // One query per move, and none while dragging: with thousands of zones, each query costs a frame.
  map.on('mousemove', ({ point }) => {
    if (map.isMoving() || !map.getLayer('zones')) return
    const circle = find(point, 'outlier-hits')
    const zone = circle ? undefined : find(point, 'zones')
    map.getCanvas().style.cursor = circle || zone ? 'pointer' : ''
    highlight(zone && Number(zone.id))
    events.onHover(zone && { name: String(zone.name), users: Number(zone.users), x: point.x, y: point.y })
  })
  map.on('mouseout', () => {
    highlight(undefined)
    events.onHover(undefined)
  })
  map.on('click', ({ point }) => {
    const [circle] = map.queryRenderedFeatures(point, { layers: ['outlier-hits'] })
    if (circle && circle.geometry.type === 'Point') {
      const [lng = 0, lat = 0] = circle.geometry.coordinates
      open = { city: String(circle.properties.city), users: Number(circle.properties.users), at: [lng, lat] }
      return reportOutlier()
    }
    open = undefined
    reportOutlier()
    const [zone] = map.queryRenderedFeatures(point, { layers: ['zones'] })
    if (zone) events.onZone(Number(zone.properties.id))
  })

  const repaint = () => {
    if (isRemoved) return
    map.setStyle(styleOf(basemap, readPalette(box)), { diff: false })
  }
  const theme = new MutationObserver(repaint)
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] })

  return {
    draw(next: Drawing) {
      const isSame = next.zones === drawing.zones && next.shade === drawing.shade
      drawing = next
      if (!map.getSource('zones')) return
      if (isSame) put('selected', oneZone(drawing, drawing.selected))
      else fill()
    },
    /** Fits a zone into the view. Moves to a point only when it is out of view. */
    flyTo({ west, south, east, north }: Box) {
      if (west === east && map.getBounds().contains([west, south])) return
      map.fitBounds([west, south, east, north], {
        maxZoom: FLY_ZOOM,
        padding: 60,
        duration: prefersReducedMotion() ? 0 : 600,
      })
    },
    zoomBy: (steps: number) => map.easeTo({ zoom: map.getZoom() + steps, duration: prefersReducedMotion() ? 0 : 200 }),
    closeOutlier() {
      open = undefined
      reportOutlier()
    },
    remove() {
      isRemoved = true
      clearTimeout(settleTimer)
      theme.disconnect()
      map.remove()
    },
  }
}

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches
