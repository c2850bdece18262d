import { readFile, writeFile } from 'node:fs/promises'
import { createZone, ZonePolygon } from '@limber/contract/businesses/zones/zone.ts'
import { z } from 'zod'
import { addZone } from '#businesses/public.ts'
import { runWork } from '#platform/db/work.ts'
import { Refusal } from '#platform/http/refusal.ts'
import { type Command, print, withInstallation } from './command.ts'

const { name, time_zone } = createZone.body.shape
const ZoneFile = z.object({
  type: z.literal('FeatureCollection'),
  features: z
    .array(z.object({ properties: z.object({ name, time_zone }), geometry: ZonePolygon }))
    .min(1)
    .max(1000),
})

async function readZones(path: string | undefined) {
  if (!path) throw new Error('Enter a GeoJSON file: npm run limber -- zone import zones.geojson')
  const parsed = ZoneFile.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (parsed.success) return parsed.data.features.map(({ properties, geometry }) => ({ ...properties, geometry }))
  const [issue] = parsed.error.issues
  throw new Error(`${path}: ${issue?.path.join('.')}: ${issue?.message}`)
}

const importZones: Command = {
  usage: 'FILE',
  about: 'add zones from a GeoJSON file of polygons with the properties name and time_zone, all or none',
  options: {},
  run: (_values, [path]) =>
    withInstallation(async (installation) => {
      const zones = await readZones(path)
      await runWork(installation, { call: 'limber zone import' }, async (work) => {
        for (const zone of zones)
          await addZone(work, zone).catch((error: unknown) => {
            throw error instanceof Refusal ? new Error(`${zone.name}: ${error.text}`) : error
          })
      })
      print(`Added ${zones.length} zones: ${zones.map((zone) => zone.name).join(', ')}.`)
    }),
}

const exportZones: Command = {
  usage: 'FILE',
  about: 'write all zones to a GeoJSON file that zone import takes',
  options: {},
  run: (_values, [path]) =>
    withInstallation(async ({ db }) => {
      if (!path) throw new Error('Enter the file to write: npm run limber -- zone export zones.geojson')
      const zones = await db.selectFrom('zones').select(['name', 'time_zone', 'geometry']).orderBy('id').execute()
      const features = zones.map(({ geometry, ...properties }) => ({ type: 'Feature', properties, geometry }))
      await writeFile(path, `${JSON.stringify({ type: 'FeatureCollection', features })}\n`)
      print(`Wrote ${zones.length} zones.`)
    }),
}

/** Commands about zones. */
export const zoneCommands: Record<string, Command> = { 'zone import': importZones, 'zone export': exportZones }
