import {
  createZone,
  deleteZone,
  listZones,
  readZone,
  updateZone,
  type ZoneDetail,
} from '@limber/contract/businesses/zones/zone.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { printGeoJson, readGeoJson } from './geojson.ts'
import Zones from './zones.screen.tsx'

const square: ZoneDetail['geometry'] = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}
const makeZone = (more: Partial<ZoneDetail> = {}): ZoneDetail => ({
  id: 3,
  name: 'Riverside',
  time_zone: 'America/Los_Angeles',
  version: 4,
  geometry: square,
  square_km: 213.9,
  businesses: 2,
  stretchers: 4,
  customers: 258,
  bookings: 1384,
  neighbours: [{ id: 5, name: 'Corona', geometry: square, overlaps: true }],
  ...more,
})
const serve = () =>
  new FakeServer().answer(readZone, makeZone()).answer(listZones, {
    zones: [{ id: 3, name: 'Riverside', time_zone: 'America/Los_Angeles', version: 4, businesses: 2, stretchers: 4 }],
    pagination: paginate(1, 500, 1),
  })
const open = (server: FakeServer, search: string) =>
  renderScreen(<Zones />, { server, path: `/worker/managing/zones${search}` })
const fill = (field: HTMLElement, text: string) => act(() => void fireEvent.change(field, { target: { value: text } }))
const bodyOf = (server: FakeServer, call: unknown) => server.requests.findLast((one) => one.call === call)?.body

describe('zones', () => {
  it('show their area, their neighbors and their records', async () => {
    await open(serve(), '?zone=3')
    expect(await screen.findByRole('img', { name: /overlapping Corona/ })).toBeTruthy()
    expect(screen.getByText('1,384')).toBeTruthy()
    expect(screen.getByText(/Overlaps Corona/)).toBeTruthy()
  })
  it('are saved with the version that was loaded; a conflict shows both', async () => {
    const server = serve().answer(
      updateZone,
      new Refusal(409, 'stale', 'Changed.', { current: makeZone({ name: 'Theirs', version: 9 }) }),
    )
    const { user } = await open(server, '?zone=3')
    await user.selectOptions(await screen.findByLabelText('Time zone'), 'America/Denver')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const both = within(await screen.findByRole('dialog', { name: 'Someone else changed this zone' }))
    server.answer(updateZone, makeZone({ name: 'Theirs', version: 10 }))
    await user.click(both.getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(bodyOf(server, updateZone)).toMatchObject({ name: 'Theirs', time_zone: 'America/Denver', version: 9 })
  })
  it('cannot be deleted while they have records', async () => {
    const words = 'This zone has 2 businesses and 4 stretchers. Move them first.'
    const server = serve().answer(deleteZone, new Refusal(409, 'in_use', words))
    const { user } = await open(server, '?zone=3')
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(words)).toBeTruthy()
  })
  it('are added from pasted GeoJSON; invalid input is reported at once', async () => {
    const server = serve().answer(createZone, makeZone({ id: 8, name: 'Upland' }))
    const { user, router } = await open(server, '?zone=new')
    fill(await screen.findByLabelText('Name'), 'Upland')
    fill(screen.getByLabelText('Area (GeoJSON)'), '{"type":"Point"}')
    expect(screen.getByText('Paste one GeoJSON polygon, or one feature with a polygon.')).toBeTruthy()
    fill(screen.getByLabelText('Area (GeoJSON)'), JSON.stringify({ type: 'Feature', properties: {}, geometry: square }))
    expect(screen.getByRole('img', { name: /The area of the zone/ })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Upland added.')).toBeTruthy()
    expect(bodyOf(server, createZone)).toMatchObject({ name: 'Upland', geometry: square })
    expect(router.state.location.searchStr).toContain('zone=8')
  })
})

describe('GeoJSON', () => {
  it.each([
    ['a polygon', square],
    ['a feature', { type: 'Feature', geometry: square }],
    ['a collection of one', { type: 'FeatureCollection', features: [{ type: 'Feature', geometry: square }] }],
    ['a multipolygon of one', { type: 'MultiPolygon', coordinates: [square.coordinates] }],
    ['heights', { type: 'Polygon', coordinates: [square.coordinates[0]?.map(([x, y]) => [x, y, 12])] }],
  ])('is parsed from %s', (_, value) => {
    expect(readGeoJson(JSON.stringify(value)).polygon).toEqual(square)
  })
  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"type":"Polygon"}',
    '{"type":"Polygon","coordinates":[[["a","b"]]]}',
    '{"type":"FeatureCollection","features":[]}',
  ])('is refused from %j', (text) => {
    expect(readGeoJson(text).problem).toBeTruthy()
  })
  it('parses its own output', () => {
    expect(readGeoJson(printGeoJson(square)).polygon).toEqual(square)
  })
})
