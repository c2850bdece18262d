import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { zoneCommands } from './commands.zones.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limber-zones-'))
  server = await startTestServer()
  vi.stubEnv('DATABASE_URL', server.running.services.config.databaseUrl)
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('SECRET_KEY', server.running.services.config.secretKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
  await rm(folder, { recursive: true })
})

const square = (west: number) => [
  [
    [west, 33],
    [west + 0.1, 33],
    [west + 0.1, 33.1],
    [west, 33.1],
    [west, 33],
  ],
]
const zone = (name: string, west: number, time_zone = 'America/Los_Angeles') => ({
  type: 'Feature',
  properties: { name, time_zone },
  geometry: { type: 'Polygon', coordinates: square(west) },
})

async function importZones(...features: object[]): Promise<string> {
  const path = join(folder, 'zones.geojson')
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }))
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await zoneCommands['zone import']?.run({}, [path])
    return String(stdout.mock.calls[0]?.[0])
  } finally {
    stdout.mockRestore()
  }
}
const names = async () =>
  (await server.db.selectFrom('zones').select('name').orderBy('id').execute()).map((row) => row.name)

it('zone import adds the zones of a file, all or none', async () => {
  expect(await importZones(zone('Corona', -117.6), zone('Norco', -117.4))).toBe('Added 2 zones: Corona, Norco.\n')
  await expect(importZones(zone('Perris', -117.2), zone('corona', -117))).rejects.toThrow(
    'corona: Another zone has this name.',
  )
  await expect(importZones(zone('Perris', -117.2, 'Mars'))).rejects.toThrow('Perris: This is not a time zone name.')
  await expect(importZones({ ...zone('Perris', -117.2), properties: {} })).rejects.toThrow('features.0.properties.name')
  expect(await names()).toEqual(['Corona', 'Norco'])
  const audited = await server.db.selectFrom('audit_log').select(['call', 'action']).execute()
  expect(audited).toEqual(Array(2).fill({ call: 'limber zone import', action: 'zone_created' }))
})

it('zone export writes a file with the zones as they were imported', async () => {
  const path = join(folder, 'zones-out.geojson')
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await zoneCommands['zone export']?.run({}, [path]).finally(() => stdout.mockRestore())
  const { features } = JSON.parse(await readFile(path, 'utf8'))
  expect(features).toEqual([zone('Corona', -117.6), zone('Norco', -117.4)])
})
