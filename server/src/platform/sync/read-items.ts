import type { ItemError, ItemResult } from '@limber/contract/kit/batch.ts'
import type { z } from 'zod'
import type { Head } from './batch-writer.ts'
import { invalid, itemError, required } from './item-errors.ts'
import { externalOf, type Wanted } from './resolve-references.ts'
import type { Resource } from './resources.ts'

/** A well-formed item, at its place in the batch. */
export interface Entry<Fields> {
  index: number
  fields: Fields & Head
  wanted: readonly Wanted[]
  key: string | undefined
}

/** The result of an item that does not have the shape it must have. */
export const itemErrors = (item: unknown, error: z.ZodError): ItemResult => ({
  external_id: idOf(item),
  status: 'rejected',
  errors: error.issues.flatMap(errorsOf),
})

function idOf(item: unknown): string | null {
  const id = typeof item === 'object' && item !== null && 'external_id' in item ? item.external_id : null
  return typeof id === 'string' ? id.slice(0, 200) : null
}

const errorsOf = (issue: z.core.$ZodIssue): ItemError[] => {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      itemError(path ? `${path}.${key}` : key, 'unknown_field', 'This field does not exist.'),
    )
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  return [isMissing ? required(path) : invalid(path, issue.message)]
}

/** Consecutive items that can be written together. */
export function setsOf<Fields extends Head>(entries: readonly Entry<Fields>[], resource: Resource, source: string) {
  const sets: Entry<Fields>[][] = []
  let ids = new Set<string>()
  let keys = new Set<string>()
  for (const entry of entries) {
    const namesEarlier = entry.wanted.some((each) => {
      const ref = each.resource === resource ? externalOf(each, source) : undefined
      return ref?.source === source && ids.has(ref.externalId)
    })
    const isRepeated = ids.has(entry.fields.external_id) || (entry.key !== undefined && keys.has(entry.key))
    if (sets.length === 0 || namesEarlier || isRepeated) {
      sets.push([])
      ids = new Set()
      keys = new Set()
    }
    sets.at(-1)?.push(entry)
    ids.add(entry.fields.external_id)
    if (entry.key !== undefined) keys.add(entry.key)
  }
  return sets
}
