import type { ItemError, Reference } from '@limber/contract/kit/batch.ts'
import type { Db } from '../db/db.ts'
import { findReferenced, refKey, type WantedRef } from './external-refs.queries.ts'
import { missing } from './item-errors.ts'
import { findRecords, type Resource } from './resources.ts'

/** A record that an item names. */
export interface Wanted {
  path: string
  resource: Resource
  reference: Reference
}

export function externalOf(
  { resource, reference }: Pick<Wanted, 'resource' | 'reference'>,
  ownSource: string,
): WantedRef | undefined {
  if (typeof reference === 'string') return { source: ownSource, resource, externalId: reference }
  return 'id' in reference ? undefined : { source: reference.source, resource, externalId: reference.external_id }
}

/** Our id of the record that a program names outside of a batch; undefined when there is none. */
export async function resolveReference(
  db: Db,
  resource: Resource,
  reference: Reference,
  ownSource: string,
): Promise<number | undefined> {
  const ref = externalOf({ resource, reference }, ownSource)
  const id = ref ? (await findReferenced(db, [ref])).get(refKey(ref)) : (reference as { id: number }).id
  return id === undefined ? undefined : (await findRecords(db, resource, [id])).get(id)
}

/** Our ids of the records that each item names, and an error for each that does not exist. */
export async function resolveReferences(db: Db, items: readonly (readonly Wanted[])[], source: string) {
  const entries = items.map((wanted) => ({ wanted }))
  return entries.map(await resolve(db, entries, source))
}

/** Stands for the id of a record that is only planned. */
const PLANNED_ID = -1

/** Finds every record that the items name. */
export async function resolve(
  db: Db,
  entries: readonly { wanted: readonly Wanted[] }[],
  source: string,
  isPlanned: (ref: WantedRef) => boolean = () => false,
) {
  const wanted = entries.flatMap((entry) => entry.wanted)
  const external = await findReferenced(
    db,
    wanted.flatMap((each) => externalOf(each, source) ?? []),
  )
  const idFor = (each: Wanted) => {
    const ref = externalOf(each, source)
    if (!ref) return (each.reference as { id: number }).id
    return external.get(refKey(ref)) ?? (isPlanned(ref) ? PLANNED_ID : undefined)
  }
  const current = new Map<Resource, Map<number, number>>()
  for (const resource of new Set(wanted.map((each) => each.resource))) {
    const ids = wanted.filter((each) => each.resource === resource).flatMap((each) => idFor(each) ?? [])
    current.set(resource, await findRecords(db, resource, [...new Set(ids)]))
  }
  return (entry: { wanted: readonly Wanted[] }) => {
    const references: Record<string, number> = {}
    const missing: ItemError[] = []
    for (const each of entry.wanted) {
      const id = idFor(each)
      const found = id === PLANNED_ID ? id : id === undefined ? undefined : current.get(each.resource)?.get(id)
      if (found !== undefined) references[each.path] = found
      else missing.push(missingReference(each, source))
    }
    return { references, missing }
  }
}

function missingReference(each: Wanted, source: string): ItemError {
  const externalId = externalOf(each, source)?.externalId ?? String((each.reference as { id: number }).id)
  return missing(each.path, each.resource, externalId)
}
