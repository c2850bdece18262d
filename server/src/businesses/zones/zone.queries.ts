import type { Box, ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import { sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db, Row } from '#platform/db/db.ts'
import type { ZoneArea } from './zone.rules.ts'

export interface ZoneRecord extends ZoneArea {
  name: string
  time_zone: string
  version: number
}

const zoneColumns = ['id', 'name', 'time_zone', 'geometry', 'west', 'south', 'east', 'north', 'version'] as const

export const findZoneRecord = (db: Db, id: number): Promise<ZoneRecord | undefined> =>
  db.selectFrom('zones').select(zoneColumns).where('id', '=', id).executeTakeFirst()

/** Locks the zone against changes and deletion. */
export const lockZone = (db: Db, id: number): Promise<ZoneRecord | undefined> =>
  db.selectFrom('zones').select(zoneColumns).where('id', '=', id).forUpdate().executeTakeFirst()

/** The time zone of a zone. */
export const findTimeZone = (db: Db, id: number) =>
  db.selectFrom('zones').select(['id', 'time_zone']).where('id', '=', id).executeTakeFirst()

/** The zones whose bounding boxes are near the given one. */
export const findZonesNear = (db: Db, { west, south, east, north }: Box, limit: number): Promise<ZoneRecord[]> =>
  db
    .selectFrom('zones')
    .select(zoneColumns)
    .where('west', '<=', east)
    .where('east', '>=', west)
    .where('south', '<=', north)
    .where('north', '>=', south)
    .orderBy('id')
    .limit(limit)
    .execute()

export interface ZoneListRow extends Pick<Row<'zones'>, 'id' | 'name' | 'time_zone' | 'version'> {
  businesses: number
  stretchers: number
}

/** One page of zones by name, with the number of matches. */
export async function findZones(db: Db, page: { pattern: string | undefined; limit: number; offset: number }) {
  const found = page.pattern === undefined ? sql`true` : sql`lower(name) like lower(${page.pattern})`
  const { rows } = await sql<{ total: number } & (ZoneListRow | { id: null })>`
    with matches as materialized (select id, lower(name) as word from zones where ${found})
    select t.total, z.id, z.name, z.time_zone, z.version,
      (select count(*) from businesses b where b.zone_id = z.id) as businesses,
      (select count(*) from stretchers s where s.zone_id = z.id) as stretchers
    from (select count(*) as total from matches) t
    left join (select id from matches order by word, id limit ${page.limit} offset ${page.offset}) p on true
    left join zones z on z.id = p.id
    order by lower(z.name), z.id`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & ZoneListRow => row.id !== null),
  }
}

export interface ZoneUse {
  businesses: number
  stretchers: number
  customers: number
  bookings: number
}

/** Counts the records in a zone; customers and bookings up to a limit. */
export async function countZoneUse(db: Db, id: number): Promise<ZoneUse> {
  const { rows } = await sql<ZoneUse>`
    select (select count(*) from businesses where zone_id = ${id}) as businesses,
      (select count(*) from stretchers where zone_id = ${id}) as stretchers,
      ${countUpTo(sql`select from customers where zone_id = ${id}`)} as customers,
      ${countUpTo(sql`select from bookings where zone_id = ${id}`)} as bookings`.execute(db)
  return rows[0] ?? { businesses: 0, stretchers: 0, customers: 0, bookings: 0 }
}

interface ZoneShape extends Box {
  name: string
  time_zone: string
  geometry: ZoneGeometry
}

/** Inserts a zone; undefined when the name is taken. */
export const insertZone = (db: Db, { geometry, ...zone }: ZoneShape, now: Date) =>
  db
    .insertInto('zones')
    .values({ ...zone, geometry: JSON.stringify(geometry), created_at: now })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .returning('id')
    .executeTakeFirst()

export const isZoneNameTaken = async (db: Db, name: string, except: number) =>
  (await db
    .selectFrom('zones')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', except)
    .executeTakeFirst()) !== undefined

export const saveZone = (db: Db, id: number, { geometry, ...zone }: ZoneShape) =>
  db
    .updateTable('zones')
    .set({ ...zone, geometry: JSON.stringify(geometry), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

export const removeZone = (db: Db, id: number) => db.deleteFrom('zones').where('id', '=', id).execute()

/** Whether PostgreSQL knows this time zone too. It calculates days with it. */
export async function hasTimeZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db)
  return rows.length > 0
}
