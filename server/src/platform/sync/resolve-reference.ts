import type { Reference } from '@limber/contract/kit/batch.ts'
import type { Db } from '../db/db.ts'
import { findReferenced, refKey } from './external-refs.queries.ts'
import { findRecords, type Resource } from './resources.ts'

/** Our id of the record that a program names outside of a batch; undefined when there is none. */
export async function resolveReference(
  db: Db,
  resource: Resource,
  reference: Reference,
  ownSource: string,
): Promise<number | undefined> {
  let id: number | undefined
  if (typeof reference === 'object' && 'id' in reference) id = reference.id
  else {
    const ref =
      typeof reference === 'string'
        ? { source: ownSource, resource, externalId: reference }
        : { source: reference.source, resource, externalId: reference.external_id }
    id = (await findReferenced(db, [ref])).get(refKey(ref))
  }
  return id === undefined ? undefined : (await findRecords(db, resource, [id])).get(id)
}
