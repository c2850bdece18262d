import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import type { Db, Row } from '#platform/db/db.ts'

export type MapRecord = Row<'import_maps'> & { worker_name: string | null }

const withWorker = (db: Db) =>
  db
    .selectFrom('import_maps')
    .leftJoin('workers', 'workers.id', 'import_maps.created_by')
    .selectAll('import_maps')
    .select('workers.name as worker_name')

export const findMaps = async (db: Db, resources: readonly ImportResource[]): Promise<MapRecord[]> =>
  resources.length === 0
    ? []
    : withWorker(db)
        .where('import_maps.resource', 'in', resources)
        .orderBy('import_maps.name')
        .orderBy('import_maps.id')
        .execute()

export const findMap = (db: Db, id: number): Promise<MapRecord | undefined> =>
  withWorker(db).where('import_maps.id', '=', id).executeTakeFirst()

export const countMaps = async (db: Db): Promise<number> =>
  (
    await db
      .selectFrom('import_maps')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

/** Saves a map; one of the same kind and name is replaced. */
export const saveMap = (
  db: Db,
  { columns, ...map }: Pick<MapRecord, 'resource' | 'name' | 'columns' | 'dates' | 'created_by' | 'created_at'>,
) => {
  const values = { ...map, columns: JSON.stringify(columns) }
  return db
    .insertInto('import_maps')
    .values(values)
    .onConflict((same) => same.constraint('import_maps_once').doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow()
}

export const removeMap = (db: Db, id: number) => db.deleteFrom('import_maps').where('id', '=', id).execute()
