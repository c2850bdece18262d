import { createHash } from 'node:crypto'
import type { BatchReply, ItemError, ItemResult } from '@limber/contract/kit/batch.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Work } from '../db/work.ts'
import type { BatchItem, BatchPlan, BatchWriter, Head } from './batch-writer.ts'
import { isPlanOnly } from './columns.queries.ts'
import {
  type Known,
  openBatch,
  removeRefs,
  saveRefsCall,
  type TakenRef,
  type WantedRef,
} from './external-refs.queries.ts'
import { itemError, reject } from './item-errors.ts'
import { type Entry, itemErrors, setsOf } from './read-items.ts'
import { resolve } from './resolve-references.ts'
import { writeItems } from './write-items.ts'

/**
 * Applies items in order, each on its own: a rejected item does not affect the others. Items of different records are
 * written together; a second item of a record, or one that names an earlier item of the batch, starts the next set.
 * Unless it is careful, an expected constraint that an item breaks fails the whole batch.
 */
export async function runBatch<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  items: readonly unknown[],
  source: string,
  work: Work,
  { isCareful = true, plan }: { isCareful?: boolean; plan?: BatchPlan } = {},
): Promise<BatchReply> {
  const results: ItemResult[] = []
  const entries: Entry<z.output<Item>>[] = []
  for (const [index, item] of items.entries()) {
    const parsed = writer.item.safeParse(item)
    if (parsed.success) {
      const wanted = writer.references?.(parsed.data) ?? []
      entries.push({ index, fields: parsed.data, wanted, key: writer.naturalKey?.of(parsed.data) })
    } else results[index] = itemErrors(item, parsed.error)
  }
  const sets = setsOf(entries, writer.resource, source)
  // A large batch would need too many locks.
  const names =
    entries.length > MAX_NAMED
      ? null
      : entries.flatMap(({ fields, key }) => [`id ${fields.external_id}`, ...(key === undefined ? [] : [`key ${key}`])])
  for (const [at, set] of sets.entries()) {
    const known = await openBatch(work.db, source, writer.resource, at === 0 ? names : [], {
      externalIds: writer.isUnlinked ? [] : set.map(({ fields }) => fields.external_id),
      keyColumn: writer.naturalKey,
      keys: set.flatMap(({ key }) => key ?? []),
    })
    const taken = await applySet(writer, set, { known, source, work, results, isCareful, plan })
    for (const { index, fields } of plan ? set : [])
      if (results[index]?.status === 'created') plan?.created.add(fields.external_id)
    if (taken.length === 0 || writer.isUnlinked || isPlanOnly(work.db)) continue
    const save = saveRefsCall(source, writer.resource, taken, work.now)
    // A careful caller may look at what was saved.
    if (!isCareful && set === sets.at(-1)) work.finish(save)
    else await sql`select ${save}`.execute(work.db)
  }
  return countResults(results)
}

/** Batches of up to this many items wait only for those that have items in common. */
const MAX_NAMED = 20

export function countResults(results: ItemResult[]): BatchReply {
  const counts = { created: 0, updated: 0, unchanged: 0, stale: 0, rejected: 0 }
  for (const { status } of results) counts[status]++
  return { results, ...counts }
}

interface Setting {
  known: Known
  source: string
  work: Work
  results: ItemResult[]
  isCareful: boolean
  plan: BatchPlan | undefined
}

/** Writes a set and notes the result of each item. Returns what to remember of those that were taken. */
async function applySet<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  set: readonly Entry<z.output<Item>>[],
  { known: { refs: known, owners }, source, work, results, isCareful, plan }: Setting,
): Promise<TakenRef[]> {
  const { resource } = writer
  const { db } = work
  const voided = await writer.findVoided?.(
    db,
    [...known.values()].map(({ recordId }) => recordId),
  )
  const released = [...known].flatMap(([externalId, { recordId }]) => (voided?.has(recordId) ? externalId : []))
  for (const externalId of released) known.delete(externalId)
  const settle = (entry: Entry<unknown>, outcome: Omit<ItemResult, 'external_id'>) => {
    results[entry.index] = { external_id: (entry.fields as Head).external_id, ...outcome }
  }
  const fresh = set.filter((entry) => {
    const ref = known.get(entry.fields.external_id)
    if (!ref) return true
    const updatedAt = versionOf(entry.fields)
    if (writer.isAppendOnly) {
      const isSame = ref.contentHash?.equals(hashOf(entry.fields))
      settle(entry, isSame ? { status: 'unchanged', id: ref.recordId } : reject(immutable))
      return false
    }
    const isStale = ref.takenAt !== null && updatedAt !== null && updatedAt < ref.takenAt
    if (isStale) settle(entry, { status: 'stale', id: ref.recordId })
    return !isStale
  })
  const isPlanned = ({ source: of, resource: kind, externalId }: WantedRef) =>
    of === source && kind === resource && plan?.created.has(externalId) === true
  const resolved = await resolve(db, fresh, source, isPlanned)
  const ready: { entry: Entry<z.output<Item>>; item: BatchItem<z.output<Item>>; matchedBy?: string }[] = []
  for (const entry of fresh) {
    const { missing, references } = resolved(entry)
    if (missing.length > 0) {
      settle(entry, reject(...missing))
      continue
    }
    const owner = entry.key === undefined ? undefined : owners.get(entry.key)
    const ref = known.get(entry.fields.external_id)
    const keyName = writer.naturalKey?.column ?? ''
    if (!ref && owner && owner.linkedAs !== null) {
      settle(entry, reject(alreadyLinked(keyName, owner.linkedAs)))
      continue
    }
    ready.push({
      entry,
      item: {
        externalId: entry.fields.external_id,
        updatedAt: versionOf(entry.fields),
        fields: entry.fields,
        recordId: ref?.recordId ?? owner?.id ?? null,
        keyOwner: owner?.id,
        references,
      },
      ...(!ref && owner && { matchedBy: keyName }),
    })
  }
  const items = ready.map(({ item }) => item)
  const outcomes = items.length === 0 ? [] : await writeItems(writer, items, work, isCareful)
  const taken: TakenRef[] = []
  for (const [at, { entry, item, matchedBy }] of ready.entries()) {
    const outcome = outcomes[at]
    if (!outcome) throw new Error(`${resource} gave no outcome for item ${at}`)
    if (outcome.status === 'rejected') {
      settle(entry, outcome)
      continue
    }
    // An attached record counts as updated although none of its fields may differ.
    settle(entry, matchedBy ? { ...outcome, status: 'updated', matched_by: matchedBy } : outcome)
    taken.push({
      externalId: item.externalId,
      recordId: item.recordId ?? outcome.id,
      takenAt: item.updatedAt,
      contentHash: writer.isAppendOnly ? hashOf(entry.fields) : null,
    })
  }
  // A voided record keeps its id until the id is used again.
  const reused = taken.flatMap(({ externalId }) => (released.includes(externalId) ? externalId : []))
  await removeRefs(db, source, resource, reused)
  return taken
}

const versionOf = ({ updated_at }: Head) => (updated_at === undefined ? null : new Date(updated_at))

const immutable = itemError('', 'immutable', 'This record was already accepted and cannot change.')
const alreadyLinked = (path: string, externalId: string): ItemError => ({
  ...itemError(path, 'already_linked', `This record already has the external ID ${externalId}.`),
  external_id: externalId,
})

/** Tells whether an item of a record that never changes is the one that was taken. */
function hashOf(fields: Head): Buffer {
  const { updated_at: _, ...content } = fields
  const sorted = JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(sorted).digest()
}
