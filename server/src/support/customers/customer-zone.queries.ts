import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

interface Located {
  id: number
  latitude: number
  longitude: number
  zone_id: number | null
}

interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** The next customers, by id, whose address is inside a box. */
export async function findCustomersNear(db: Db, box: Box, after: number, limit: number): Promise<Located[]> {
  const { rows } = await sql<Located>`
    select id, latitude, longitude, zone_id from customers
    where id > ${after} and latitude between ${box.south} and ${box.north} and longitude between ${box.west} and ${box.east}
    order by id limit ${limit}`.execute(db)
  return rows
}

/** Assigns customers to zones; returns how many changed. */
export async function moveCustomers(db: Db, moves: readonly { id: number; zoneId: number | null }[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update customers c set zone_id = m.zone_id
    from (select unnest(${moves.map(({ id }) => id)}::bigint[]) as id, unnest(${moves.map(({ zoneId }) => zoneId)}::bigint[]) as zone_id) m
    where c.id = m.id`.execute(db)
  return Number(numAffectedRows ?? 0)
}
