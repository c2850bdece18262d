import { boxOf, type Position, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import { createZone, deleteZone, listZones, readZone, updateZone } from '@limber/contract/businesses/zones/zone.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeBusiness } from '../business/business.factory.ts'
import { closeRings, isOverlapping, polygonProblem, squareKilometers } from './polygon.rules.ts'
import { rezoneCustomers } from './rezone.ts'
import { makeZone } from './zone.factory.ts'

let server: TestServer
let clerk: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
})
afterAll(() => server.stop())

const polygon = (...rings: Position[][]): ZoneGeometry => ({ type: 'Polygon', coordinates: rings })
const square = (x: number, y: number, size = 1): Position[] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
]
let serial = 0
const form = (geometry: ZoneGeometry, overrides: object = {}) =>
  ({ name: `Zone ${++serial}`, time_zone: 'America/Los_Angeles', geometry, ...overrides }) as never
const create = (geometry: ZoneGeometry, overrides: object = {}) =>
  clerk.send(createZone, { body: form(geometry, overrides) })

describe('zones', () => {
  it('are added with their area, which is closed when the last corner is missing', async () => {
    const reply = await create(polygon(square(10, 10).slice(0, 4)), { name: 'Ontario' })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({ name: 'Ontario', neighbours: [], version: 1 })
    expect(reply.body.geometry.coordinates[0]).toEqual(square(10, 10))
    const row = await server.db
      .selectFrom('zones')
      .selectAll()
      .where('id', '=', reply.body.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ west: 10, east: 11, south: 10, north: 11 })
    const again = await create(polygon(square(20, 10)), { name: 'ONTARIO' })
    expect([again.status, again.failure.code]).toEqual([409, 'name_taken'])
    const { body } = await clerk.send(listZones, { query: { search: 'ontar' } })
    expect(body.zones.map(({ name }) => name)).toEqual(['Ontario'])
  })
  it('list their neighbors and the zones they overlap', async () => {
    const a = (await create(polygon(square(30, 10)))).body
    const beside = (await create(polygon(square(31, 10)))).body
    const across = (await create(polygon(square(30.5, 10.5)))).body
    const { neighbours } = (await clerk.send(readZone, { params: { id: String(a.id) } })).body
    expect(neighbours.map(({ id, overlaps }) => [id, overlaps])).toEqual([
      [beside.id, false],
      [across.id, true],
    ])
  })
  it('show the same counts in the list and in the detail', async () => {
    const { id, name } = (await create(polygon(square(35, 40)))).body
    await makeStretcher(server.db, { zone_id: id })
    await makeStretcher(server.db, { zone_id: id, status: 'inactive' })
    const { zones } = (await clerk.send(listZones, { query: { search: name } })).body
    const alone = (await clerk.send(readZone, { params: { id: String(id) } })).body
    expect([zones.find((one) => one.id === id)?.stretchers, alone.stretchers]).toEqual([2, 2])
  })
  it('O1 refuse a stale change, and keep the other one', async () => {
    const { id } = (await create(polygon(square(40, 10)))).body
    const change = (name: string, version: number) =>
      clerk.send(updateZone, { body: { id, ...(form(polygon(square(40, 10)), { name }) as object), version } as never })
    expect((await change('Fontana', 1)).body).toMatchObject({ name: 'Fontana', version: 2 })
    const stale = await change('Corona', 1)
    expect([stale.status, stale.failure.code]).toEqual([409, 'stale'])
    expect(stale.failure.current).toMatchObject({ name: 'Fontana', version: 2 })
  })
  it('D3 list their records when deletion is refused', async () => {
    const zone = await makeZone(server.db, { geometry: polygon(square(50, 10)) })
    await makeBusiness(server.db, { zone_id: zone.id })
    const stretcher = await makeStretcher(server.db, { zone_id: zone.id })
    await makeBooking(server.db, { stretcher_id: stretcher.id })
    const reply = await clerk.send(deleteZone, { body: { id: zone.id } })
    expect([reply.status, reply.failure.error]).toEqual([
      409,
      'This zone has 1 business, 1 stretcher, and 1 booking. Move them first.',
    ])
    const empty = (await create(polygon(square(52, 10)))).body
    expect((await clerk.send(deleteZone, { body: { id: empty.id, version: 7 } })).failure.code).toBe('stale')
    expect((await clerk.send(deleteZone, { body: { id: empty.id } })).status).toBe(200)
    expect((await clerk.send(deleteZone, { body: { id: empty.id } })).status).toBe(404)
    expect((await clerk.send(readZone, { params: { id: String(empty.id) } })).status).toBe(404)
  })
  it.each([
    [{ time_zone: 'Mars/Olympus' }, 422],
    [{ time_zone: '+05:00' }, 422],
    [{ time_zone: '' }, 422],
    [{ name: '' }, 400],
    [{ geometry: { type: 'Point', coordinates: [1, 2] } }, 400],
    [{ geometry: { type: 'Polygon', coordinates: [] } }, 400],
    [{ geometry: { type: 'Polygon', coordinates: [[[1, 2, 3]]] } }, 400],
    [{ geometry: { ...polygon(square(60, 10)), crs: 'x' } }, 400],
    [
      {
        geometry: polygon([
          [0, 0],
          [2, 2],
          [2, 0],
          [0, 2],
          [0, 0],
        ]),
      },
      422,
    ],
  ])('refuse %o', async (wrong, status) => {
    expect((await create(polygon(square(60, 10)), wrong)).status).toBe(status)
  })
  it('refuse callers without permission', async () => {
    expect((await server.as('growth.tab').send(listZones)).status).toBe(403)
  })
  it('move customers when their area changes', async () => {
    const at = (longitude: number, zone_id: number | null) =>
      makeCustomer(server.db, { latitude: 10.5, longitude, zone_id })
    const zone = await makeZone(server.db, { geometry: polygon(square(70, 10)) })
    const stays = await at(70.9, zone.id)
    const leaves = await at(70.1, zone.id)
    const joins = await at(71.2, null)
    const geometry = polygon(square(70.5, 10))
    const reply = await clerk.send(updateZone, { body: { id: zone.id, ...(form(geometry) as object) } as never })
    expect(reply.status, reply.text).toBe(200)
    const asked = await server.db.selectFrom('outbox').select('about').where('channel', '=', 'job').execute()
    expect(asked.map(({ about }) => about)).toContain(`customers near zone ${zone.id}`)
    const box = { west: 70, south: 10, east: 71.5, north: 11 }
    expect(await rezoneCustomers(server.running.services, box)).toEqual({ moved: 2 })
    expect(await rezoneCustomers(server.running.services, box)).toEqual({ moved: 0 })
    const zoneOf = async (id: number) =>
      (await server.db.selectFrom('customers').select('zone_id').where('id', '=', id).executeTakeFirstOrThrow()).zone_id
    expect([await zoneOf(stays.id), await zoneOf(leaves.id), await zoneOf(joins.id)]).toEqual([zone.id, null, zone.id])
  })
})

describe('areas', () => {
  const hole = square(0.2, 0.2, 0.2)
  it.each([
    ['a square', polygon(square(0, 0)), undefined],
    ['a square with a hole', polygon(square(0, 0), hole), undefined],
    [
      'a bow tie',
      polygon([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
        [0, 0],
      ]),
      'The outline crosses itself.',
    ],
    [
      'a spike',
      polygon([
        [0, 0],
        [2, 0],
        [1, 0],
        [1, 2],
        [0, 0],
      ]),
      'The outline crosses itself.',
    ],
    [
      'a line',
      polygon([
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]),
      'The outline crosses itself.',
    ],
    [
      'an edge',
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
      ]),
      'The outline needs at least three corners.',
    ],
    [
      'a doubled corner',
      polygon([
        [0, 0],
        [1, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ]),
      'The outline has the same corner twice in a row.',
    ],
    [
      'a corner outside the world',
      polygon([
        [0, 0],
        [1, 0],
        [1, 95],
        [0, 0],
      ]),
      'The outline has a corner outside the valid range. GeoJSON lists longitude first, then latitude.',
    ],
    ['a hole outside', polygon(square(0, 0), square(5, 5)), 'Hole 1 is outside the outline.'],
    [
      'half the world',
      polygon([
        [-170, 0],
        [170, 0],
        [170, 10],
        [-170, 10],
        [-170, 0],
      ]),
      'The outline spans more than half the globe. An area cannot cross the date line.',
    ],
    [
      'too many corners',
      polygon(Array.from({ length: 501 }, (_, n): Position => [n / 1000, (n % 2) / 1000])),
      'The area has more than 500 corners. Simplify it first.',
    ],
  ])('%s', (_, geometry, fault) => {
    expect(polygonProblem(geometry)).toBe(fault)
  })
  it('with five hundred corners are checked', () => {
    const ring = Array.from({ length: 499 }, (_, n): Position => {
      const angle = (n / 499) * 2 * Math.PI
      return [Math.cos(angle), Math.sin(angle)]
    })
    expect(polygonProblem(closeRings(polygon(ring)))).toBeUndefined()
  })
  it('overlap when they share an area, not when they touch', () => {
    expect(isOverlapping(polygon(square(0, 0)), polygon(square(1, 0)))).toBe(false)
    expect(isOverlapping(polygon(square(0, 0)), polygon(square(0.5, 0.5)))).toBe(true)
    expect(isOverlapping(polygon(square(0, 0, 4)), polygon(square(1, 1)))).toBe(true)
    expect(isOverlapping(polygon(square(0, 0)), polygon(square(0, 0)))).toBe(true)
  })
  it('are measured on the globe', () => {
    expect(squareKilometers(polygon(square(0, 0)))).toBeCloseTo(12_364, -1)
    expect(boxOf(polygon(square(0, 0)))).toEqual({ west: 0, south: 0, east: 1, north: 1 })
  })
})
