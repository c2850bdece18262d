import { boxOf, isInArea, isInBox, type Point, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import type { Basemap } from '@limber/contract/growth/map/map.ts'
import type { FeatureCollection, GeoJSON } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import basemap from './basemap.json'

/** Without a glyph URL the map draws letters itself, with the page's fonts. */
export const FONT = ['Inter Variable']

export const ATTRIBUTION = 'Outlines: US Census. Cities: GeoNames.'

export type Palette = Record<
  'land' | 'line' | 'edge' | 'text' | 'muted' | 'surface' | 'band1' | 'band2' | 'band3' | 'onBand3' | 'ink' | 'orange',
  string
>

const variables: Record<keyof Palette, string> = {
  land: '--map-land',
  line: '--map-road-edge',
  edge: '--line-strong',
  text: '--text',
  muted: '--text-3',
  surface: '--surface',
  band1: '--band-1',
  band2: '--band-2',
  band3: '--band-3',
  onBand3: '--surface',
  ink: '--text',
  orange: '--orange',
}

/** The theme's colors as the browser resolves them. A canvas cannot use CSS variables. */
export function readPalette(from: HTMLElement): Palette {
  const probe = document.createElement('span')
  from.append(probe)
  const read = (variable: string) => {
    probe.style.color = `var(${variable})`
    return getComputedStyle(probe).color
  }
  const palette = Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, read(variable)]))
  probe.remove()
  return palette as Palette
}

const lines = (coordinates: number[][][]): GeoJSON => ({ type: 'MultiLineString', coordinates })

/** The bundled city names outside these areas. A zone shows its own name. */
export const citiesOutside = (areas: ZoneGeometry[]): FeatureCollection => {
  const zones = areas.map((geometry) => ({ geometry, box: boxOf(geometry) }))
  const isOutside = (point: Point) =>
    !zones.some(({ geometry, box }) => isInBox(point, box) && isInArea(point, geometry))
  return {
    type: 'FeatureCollection',
    features: (basemap.cities as [string, number, number, number][])
      .filter(([, longitude, latitude]) => isOutside({ latitude, longitude }))
      .map(([name, lng, lat, people]) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lng, lat] },
        properties: { name, people },
      })),
  }
}

/** The bundled county lines and city names, without a tile server. */
function bundled(palette: Palette): StyleSpecification {
  return {
    version: 8,
    sources: {
      counties: { type: 'geojson', data: lines(basemap.counties) },
      states: { type: 'geojson', data: lines(basemap.states) },
      cities: { type: 'geojson', data: citiesOutside([]) },
    },
    layers: [
      { id: 'land', type: 'background', paint: { 'background-color': palette.land } },
      { id: 'counties', type: 'line', source: 'counties', paint: { 'line-color': palette.line, 'line-width': 1 } },
      { id: 'states', type: 'line', source: 'states', paint: { 'line-color': palette.edge, 'line-width': 1.5 } },
      {
        id: 'cities',
        type: 'symbol',
        source: 'cities',
        layout: {
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': 11,
          'symbol-sort-key': ['-', ['get', 'people']],
          'text-padding': 6,
        },
        paint: { 'text-color': palette.muted, 'text-halo-color': palette.land, 'text-halo-width': 1.5 },
      },
    ],
  }
}

/** The background of the map: the configured style or tiles, otherwise the bundled outlines. */
export function styleOf({ styleUrl, tilesUrl, attribution }: Basemap, palette: Palette): StyleSpecification | string {
  if (styleUrl) return styleUrl
  if (!tilesUrl) return bundled(palette)
  return {
    version: 8,
    sources: {
      tiles: { type: 'raster', tiles: [tilesUrl], tileSize: 256, ...(attribution && { attribution }) },
    },
    layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
  }
}
