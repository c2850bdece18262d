import { createHash } from 'node:crypto'
import type { BatchReply, ItemError, ItemResult, Reference } from '@limber/contract/kit/batch.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { brokenConstraint, type Tables } from '../db/db.ts'
import type { Work } from '../db/work.ts'
import { isPlanOnly } from './columns.queries.ts'
import {
  findReferenced,
  type Known,
  openBatch,
  refKey,
  removeRefs,
  saveRefsCall,
  type TakenRef,
  type WantedRef,
} from './external-refs.queries.ts'
import { invalid, itemError, missing, type RejectedItem, reject, required } from './item-errors.ts'
import { findRecords, type Resource } from './resources.ts'

interface Head {
  external_id: string
  updated_at?: string | undefined
}

/** An item that can be written: it is well formed, not stale, and everything it names exists. */
export interface BatchItem<Fields> {
  externalId: string
  /** The sender's version; null counts as newest. */
  updatedAt: Date | null
  fields: Fields
  /** The record to change; null when it must be created. */
  recordId: number | null
  /** The record that has the natural key of the item, if any. */
  keyOwner: number | undefined
  /** Our ids of the records that the item names, by path. */
  references: Readonly<Record<string, number>>
}

/** The names of the fields that an item sent. */
export const sentFields = ({ external_id: _, updated_at: _version, ...fields }: Head & object) => Object.keys(fields)

export type ItemOutcome =
  | (Pick<ItemResult, 'kept' | 'merged_into'> & { status: 'created' | 'updated' | 'unchanged'; id: number })
  | RejectedItem

/** How one resource takes items. The area that owns its tables provides it. */
export interface BatchWriter<Item extends z.ZodType<Head> = z.ZodType<Head>> {
  resource: Resource
  item: Item
  /** A known external id never changes its record. */
  isAppendOnly?: boolean
  /** Of records that never change: which of these were voided. Their external ids can be sent again. */
  findVoided?(db: Work['db'], ids: readonly number[]): Promise<ReadonlySet<number>>
  references?(fields: z.output<Item>): readonly { path: string; resource: Resource; reference: Reference }[]
  /** A unique column that identifies a record without an external id, such as a folded email. */
  naturalKey?: { table: keyof Tables & string; column: string; of(fields: z.output<Item>): string | undefined }
  /** Writes items of different records, as a set, and emits their events; one outcome for each item, in order. */
  write(items: readonly BatchItem<z.output<Item>>[], work: Work): Promise<readonly ItemOutcome[]>
  /** Constraints that a single item may break, with what its sender is told. */
  expected?: Readonly<Record<string, ItemError>>
  /**
   * After a set broke an expected constraint: the items, by place, that surely do. Without it, many bad items are found one
   * by one.
   */
  findBroken?(items: readonly BatchItem<z.output<Item>>[], work: Work): Promise<ReadonlyMap<number, ItemError>>
  /** It decides everything before it writes, so that a transaction may only plan (`planOnly`). */
  isPlannable?: boolean
  /** Its records have no external ids: it finds them itself. */
  isUnlinked?: boolean
  /** Takes back what an import wrote. */
  undo?: UndoWriter
}

/** Why records could not be taken back, by id. */
export type KeptRecords = ReadonlyMap<number, string>

/** How the writes of an import are taken back. The records are locked and as the import left them. */
export interface UndoWriter {
  /** What an update may change, to be restored later. */
  find(db: Work['db'], ids: readonly number[]): Promise<readonly ({ id: number } & object)[]>
  /** Removes records that were created. */
  remove(work: Work, ids: readonly number[]): Promise<KeptRecords>
  /** Brings back records as `find` gave them, with times as text. */
  restore?(work: Work, rows: readonly ({ id: number } & Record<string, unknown>)[]): Promise<KeptRecords>
}

/** What an import plans, across its batches. */
export interface BatchPlan {
  /** External ids that earlier rows will create. */
  created: { has(externalId: string): boolean; add(externalId: string): unknown }
}

interface Entry<Fields> {
  index: number
  fields: Fields & Head
  wanted: readonly { path: string; resource: Resource; reference: Reference }[]
  key: string | undefined
}

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
function setsOf<Fields extends Head>(entries: readonly Entry<Fields>[], resource: Resource, source: string) {
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

function externalOf(
  { resource, reference }: { resource: Resource; reference: Reference },
  ownSource: string,
): WantedRef | undefined {
  if (typeof reference === 'string') return { source: ownSource, resource, externalId: reference }
  return 'id' in reference ? undefined : { source: reference.source, resource, externalId: reference.external_id }
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

interface Wanted {
  path: string
  resource: Resource
  reference: Reference
}

/** Our ids of the records that each item names, and an error for each that does not exist. */
export async function resolveReferences(db: Work['db'], items: readonly (readonly Wanted[])[], source: string) {
  const entries = items.map((wanted) => ({ wanted }))
  return entries.map(await resolve(db, entries, source))
}

/** Stands for the id of a record that is only planned. */
const PLANNED_ID = -1

/** Finds every record that the items name. */
async function resolve(
  db: Work['db'],
  entries: readonly { wanted: readonly Wanted[] }[],
  source: string,
  isPlanned: (ref: WantedRef) => boolean = () => false,
) {
  const wanted = entries.flatMap((entry) => entry.wanted)
  const external = await findReferenced(
    db,
    wanted.flatMap((each) => externalOf(each, source) ?? []),
  )
  const idFor = (each: (typeof wanted)[number]) => {
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

function missingReference(each: { path: string; resource: Resource; reference: Reference }, source: string): ItemError {
  const externalId = externalOf(each, source)?.externalId ?? String((each.reference as { id: number }).id)
  return missing(each.path, each.resource, externalId)
}

function writeItems<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  items: readonly BatchItem<z.output<Item>>[],
  work: Work,
  isCareful: boolean,
): Promise<readonly ItemOutcome[]> {
  if (isPlanOnly(work.db)) return planItems(writer, items, work)
  return isCareful ? writeOrSplit(writer, items, work) : writer.write(items, work)
}

/** Without rows that are written, no constraint is broken: what would break one is found first. */
async function planItems<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  items: readonly BatchItem<z.output<Item>>[],
  work: Work,
): Promise<readonly ItemOutcome[]> {
  const broken = (await writer.findBroken?.(items, work)) ?? new Map<number, ItemError>()
  const others = items.filter((_, at) => !broken.has(at))
  const outcomes = (others.length > 0 ? await writer.write(others, work) : []).values()
  return items.map((_, at) => {
    const error = broken.get(at)
    return error ? reject(error) : (outcomes.next().value as ItemOutcome)
  })
}

/** Keeps what a writer tells until its rows are in: those of a set that is split are written again. */
function deferEffects(work: Work): { deferred: Work; release(): void } {
  const told: (() => void)[] = []
  const later =
    <Args extends unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args) =>
      void told.push(() => tell(...args))
  const { audit, publish, enqueue, emit } = work
  return {
    deferred: { ...work, audit: later(audit), publish: later(publish), enqueue: later(enqueue), emit: later(emit) },
    release() {
      for (const tell of told) tell()
    },
  }
}

/**
 * Writes all items at once. If one breaks a constraint that a single item may break, the set is split until that item
 * stands alone: only a bad item costs more.
 */
async function writeOrSplit<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  items: readonly BatchItem<z.output<Item>>[],
  work: Work,
  isScreened = false,
): Promise<readonly ItemOutcome[]> {
  if (items.length === 0) return []
  await sql`savepoint batch_items`.execute(work.db)
  try {
    const { deferred, release } = deferEffects(work)
    const outcomes = await writer.write(items, deferred)
    await sql`release savepoint batch_items`.execute(work.db)
    release()
    return outcomes
  } catch (error) {
    const refused = writer.expected?.[brokenConstraint(error) ?? '']
    if (!refused) throw error
    await sql`rollback to savepoint batch_items`.execute(work.db)
    await sql`release savepoint batch_items`.execute(work.db)
    if (items.length === 1) return [reject(refused)]
    const broken = isScreened ? undefined : await writer.findBroken?.(items, work)
    if (broken && broken.size > 0) {
      const others = items.filter((_, at) => !broken.has(at))
      const outcomes = (await writeOrSplit(writer, others, work, true)).values()
      return items.map((_, at) => {
        const error = broken.get(at)
        return error ? reject(error) : (outcomes.next().value as ItemOutcome)
      })
    }
    const half = Math.ceil(items.length / 2)
    return [
      ...(await writeOrSplit(writer, items.slice(0, half), work, true)),
      ...(await writeOrSplit(writer, items.slice(half), work, true)),
    ]
  }
}
