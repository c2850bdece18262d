import { foldCase } from '@limber/contract/kit/values.ts'
import type { Db } from '#platform/db/db.ts'

export const findZoneNames = (db: Db) => db.selectFrom('zones').select(['id', 'name']).execute()

/** The ids of zones by their names in lower case. */
export const findZonesByName = async (db: Db): Promise<ReadonlyMap<string, number>> =>
  new Map((await findZoneNames(db)).map(({ id, name }) => [foldCase(name), id]))
