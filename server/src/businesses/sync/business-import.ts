import { readAddress } from '@limber/contract/businesses/emails/allowed-email.ts'
import { AllowedEmailItem, BusinessItem } from '@limber/contract/businesses/sync/business-items.ts'
import type { ItemError } from '@limber/contract/kit/batch.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import type { BatchItem, BatchWriter, ItemOutcome } from '#platform/sync/batch-writer.ts'
import { invalid, itemError, missing, reject, required } from '#platform/sync/item-errors.ts'
import { type ReadAll, readRecords } from '#platform/sync/read-records.ts'
import type { MakeBatch } from '#platform/sync/resource-routes.ts'
import { undoColumns } from '#platform/sync/undo-columns.ts'
import { writeRows } from '#platform/sync/write-rows.ts'
import { PILOT_DAYS, pathProblem } from '../business/business.rules.ts'
import { lockList } from '../emails/allowed-email.queries.ts'
import {
  addAddresses,
  businessColumns,
  findAddressesAfter,
  findBusy,
  type ImportedBusiness,
  insertBusinesses,
  keepByPath,
  keepTimeZones,
  removeAddresses,
  removeBusinesses,
  updateBusinesses,
} from './business-import.queries.ts'

const pathTaken = itemError('custom_path', 'path_taken', 'Another business has this custom path.')
const isUsed = 'It is used by other records.'

/** The business with the fields of an item, or what it lacks. */
function applyFields({ fields }: BatchItem<BusinessItem>, before: ImportedBusiness | undefined, now: Date) {
  const { external_id: _, updated_at: __, archived_at, created_at, ...sent } = fields
  const lacking = (['name', 'custom_path', 'admin_email', 'zone_id'] as const).filter(
    (name) => before === undefined && fields[name] === undefined,
  )
  if (lacking.length > 0) return lacking.map(required)
  const start = before ?? {
    ...{ rep_name: null, location: null, kind: 'business', stage: 'pending', pilot_ends_on: null },
    ...{ renews_on: null, ended_reason: null, archived_at: null, created_at: now },
  }
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  return {
    ...start,
    ...Object.fromEntries(given),
    ...(archived_at !== undefined && { archived_at: archived_at === null ? null : new Date(archived_at) }),
    ...(created_at !== undefined && { created_at: new Date(created_at) }),
  } as ImportedBusiness
}

function stageErrors({ stage, ended_reason, created_at, archived_at }: ImportedBusiness, now: Date): ItemError[] {
  const errors: ItemError[] = []
  if (stage === 'ended' && ended_reason === null) errors.push(invalid('ended_reason', 'is required for stage ended'))
  if (stage !== 'ended' && ended_reason !== null) errors.push(invalid('ended_reason', 'is only for stage ended'))
  if (created_at > now) errors.push(invalid('created_at', 'must not be in the future'))
  if (archived_at && archived_at > now) errors.push(invalid('archived_at', 'must not be in the future'))
  return errors
}

function pathErrors({ custom_path }: ImportedBusiness): ItemError[] {
  const problem = pathProblem(custom_path)
  if (problem === 'reserved_path') return [invalid('custom_path', 'is reserved')]
  const shape = 'must be 2 to 60 lowercase letters, digits and single hyphens, such as mission-inn'
  return problem ? [invalid('custom_path', shape)] : []
}

/** Businesses from files, by the rules of Business Management. */
const businessWriter: BatchWriter<typeof BusinessItem> = {
  resource: 'businesses',
  item: BusinessItem,
  naturalKey: { table: 'businesses', column: 'custom_path', of: ({ custom_path }) => custom_path },
  expected: { businesses_custom_path_key: pathTaken },
  isPlannable: true,
  undo: {
    ...undoColumns({ ...businessColumns, update: updateBusinesses }, removeBusinesses),
    async remove({ db }, ids) {
      const removed = await removeBusinesses(db, ids)
      return new Map(ids.flatMap((id) => (removed.has(id) ? [] : [[id, isUsed] as const])))
    },
  },
  async write(items, { db, now }) {
    const found = await businessColumns.lock(
      db,
      items.flatMap(({ recordId }) => recordId ?? []),
    )
    const zones = await keepTimeZones(
      db,
      items.flatMap(({ fields }) => fields.zone_id ?? []),
    )
    const busy = await findBusy(db, [...found.keys()], now)
    const plan = (item: BatchItem<BusinessItem>, before: (ImportedBusiness & { id: number }) | undefined) => {
      const after = applyFields(item, before, now)
      if (Array.isArray(after)) return after
      const errors = [...pathErrors(after), ...stageErrors(after, now)]
      const { zone_id } = after
      const zone = zones.get(zone_id)
      if (item.fields.zone_id !== undefined && zone === undefined) errors.push(missing('zone_id', 'zones', zone_id))
      if (before && before.zone_id !== zone_id && busy.has(before.id))
        errors.push(itemError('zone_id', 'has_upcoming', 'The business has sessions that are not over.'))
      if (item.keyOwner !== undefined && item.keyOwner !== before?.id) errors.push(pathTaken)
      if (after.stage === 'pending' && after.pilot_ends_on === null)
        after.pilot_ends_on =
          zone === undefined ? (before?.pilot_ends_on ?? null) : dayIn(zone, shift(now, PILOT_DAYS * DAY))
      return errors.length > 0 ? errors : after
    }
    const { outcomes } = await writeRows(db, items, found, plan, {
      isSame: businessColumns.isSame,
      insert: (tx, rows) => insertBusinesses(tx, rows, `${PILOT_DAYS}-day pilot started.`, now),
      update: updateBusinesses,
    })
    return outcomes
  },
}

/** Addresses that may book, from files. Each is on the list of its business once. */
const allowedEmailWriter: BatchWriter<typeof AllowedEmailItem> = {
  resource: 'allowed-emails',
  item: AllowedEmailItem,
  isUnlinked: true,
  undo: {
    find: async () => [],
    async remove({ db }, ids) {
      const removed = await removeAddresses(db, ids)
      return new Map(ids.flatMap((id) => (removed.has(id) ? [] : [[id, 'It changed after the import.'] as const])))
    },
  },
  async write(items, work: Work) {
    const { db, now } = work
    const businesses = await keepByPath(
      db,
      items.map(({ fields }) => fields.business),
    )
    // As an upload on the screen does: a reset of a list runs before or after it.
    for (const id of [...new Set(businesses.values())].toSorted((a, b) => a - b)) await lockList(db, id)
    const outcomes: ItemOutcome[] = []
    const good: { at: number; business_id: number; email: string }[] = []
    for (const [at, { fields }] of items.entries()) {
      const business_id = businesses.get(fields.business)
      const email = readAddress(fields.email)
      if (business_id === undefined) outcomes[at] = reject(missing('business', 'businesses', fields.business))
      else if (email === undefined) outcomes[at] = reject(invalid('email', 'is not valid'))
      else good.push({ at, business_id, email })
    }
    const known = await addAddresses(
      db,
      good.map(({ business_id, email }) => ({ business_id, email })),
      now,
    )
    for (const [place, { at }] of good.entries()) {
      const row = known.get(place)
      if (!row) throw new Error('An added address was not returned.')
      outcomes[at] = { status: row.isNew ? 'created' : 'unchanged', id: row.id }
    }
    return outcomes
  },
}

async function* readAllowedEmails(db: Db) {
  for (let last = 0; ; ) {
    const rows = await findAddressesAfter(db, last, FILE_BATCH)
    yield rows
    if (rows.length < FILE_BATCH) return
    last = rows.at(-1)?.id ?? last
  }
}

const FILE_BATCH = 1000

export const businessFileReaders: ReadonlyMap<string, ReadAll> = new Map<string, ReadAll>([
  ['businesses', (db) => readRecords(db, 'businesses', businessColumns.find)],
  ['allowed-emails', readAllowedEmails],
])

/** What only files bring in. */
export const businessFileBatches: ReadonlyMap<string, MakeBatch> = new Map<string, MakeBatch>([
  ['businesses', () => ({ writer: businessWriter, topics: ['businesses'] })],
  ['allowed-emails', () => ({ writer: allowedEmailWriter, topics: ['businesses'] })],
])
