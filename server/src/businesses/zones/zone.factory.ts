import { boxOf, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

type ZoneRow = Insertable<Tables['zones']>

export interface ZoneDraft extends Partial<Omit<ZoneRow, 'geometry' | 'west' | 'south' | 'east' | 'north'>> {
  geometry?: ZoneGeometry
}

const downtownRiverside: ZoneGeometry = {
  type: 'Polygon',
  coordinates: [
    [
      [-117.42, 33.93],
      [-117.35, 33.94],
      [-117.33, 33.99],
      [-117.38, 34.02],
      [-117.43, 33.99],
      [-117.42, 33.93],
    ],
  ],
}

/** The row of a zone. Its bounding box always matches its polygon. */
export function draftZone({ geometry = downtownRiverside, ...overrides }: ZoneDraft = {}): ZoneRow {
  return {
    name: overrides.name ?? `Zone ${randomToken(4)}`,
    time_zone: 'America/Los_Angeles',
    created_at: factoryNow(),
    ...overrides,
    geometry: JSON.stringify(geometry),
    ...boxOf(geometry),
  }
}

/** A zone around the center of Riverside by default. */
export const makeZone = (db: Db, overrides: ZoneDraft = {}) =>
  db
    .insertInto('zones')
    .values(draftZone(overrides))
    .returning(['id', 'name', 'time_zone', 'geometry', 'west', 'south', 'east', 'north', 'version'])
    .executeTakeFirstOrThrow()
