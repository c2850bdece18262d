import type { Db } from '../db/db.ts'
import { findIdsAfter, type Resource } from './resources.ts'

/** Reads all records of one kind, in batches, the oldest first. */
export type ReadAll = (db: Db) => AsyncGenerator<readonly object[]>

const BATCH = 500

/** Reads records by their ids, without those that were merged or erased. */
export async function* readRecords(
  db: Db,
  resource: Resource,
  load: (db: Db, ids: readonly number[]) => Promise<readonly { id: number }[]>,
): AsyncGenerator<readonly object[]> {
  for (let last = 0; ; ) {
    const ids = await findIdsAfter(db, resource, last, BATCH)
    const records = new Map((await load(db, ids)).map((record) => [record.id, record]))
    yield ids.flatMap((id) => records.get(id) ?? [])
    if (ids.length < BATCH) return
    last = ids.at(-1) ?? last
  }
}
