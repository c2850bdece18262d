import type { ItemError } from '@limber/contract/kit/batch.ts'
import { contactFieldNames } from '@limber/contract/support/customers/account.ts'
import { CustomerItem, customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { removeSuppressions, suppressMany } from '#platform/mail/suppressions.ts'
import { type BatchItem, type BatchWriter, type ItemOutcome, sentFields } from '#platform/sync/batch-writer.ts'
import { isSameValue, type RowChange } from '#platform/sync/columns.queries.ts'
import { invalid, itemError, missingWorker, reject, required } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { applyContact, followEmail } from './contact-sync.ts'
import {
  customerColumns,
  findCustomerRecords,
  findWorkersByEmail,
  type LockedCustomerRow,
  lockCustomers,
  type SyncedCustomer,
  updateCustomers,
} from './customer-sync.queries.ts'
import { customerUndo } from './customer-undo.ts'

export interface Located {
  latitude: number
  longitude: number
}

/** What businesses know of places: the zone of each point, and the middle of a postal code. */
export interface ZoneLookup {
  findZoneIds(db: Db, points: readonly Located[]): Promise<(number | null)[]>
  locatePostalCode(postalCode: string): Promise<Located | undefined>
}

type Item = BatchItem<CustomerItem>

const newCustomer = (now: Date): Omit<SyncedCustomer, 'first_name' | 'last_name' | 'email'> => ({
  phone: null,
  joined_at: now,
  last_login_at: null,
  email_verified_at: null,
  waiver_signed_at: null,
  customer_type: 'individual',
  value_tier: 'low',
  lifecycle_stage: 'new',
  engagement_score: 0,
  points: 0,
  total_points_earned: 0,
  rank: 'Bronze',
  address_line: null,
  city: null,
  state: null,
  postal_code: null,
  latitude: null,
  longitude: null,
  zone_id: null,
  zone_precision: null,
  referred_by_customer_id: null,
  referred_by_stretcher_id: null,
  referred_by_worker_id: null,
  corrected_at: {},
})

const plainFields = [
  'customer_type',
  'value_tier',
  'lifecycle_stage',
  'engagement_score',
  'points',
  'total_points_earned',
  'rank',
] as const
const timeFields = ['joined_at', 'last_login_at', 'email_verified_at', 'waiver_signed_at'] as const

/** The row with the fields of the item; its zone is found later, for all items at once. */
function applyFields(item: Item, before: SyncedCustomer, workers: ReadonlyMap<string, number>) {
  const { fields, references } = item
  const { contact, kept } = applyContact(fields, item.updatedAt, before)
  const after = { ...before, ...contact }
  for (const name of plainFields) if (fields[name] !== undefined) Object.assign(after, { [name]: fields[name] })
  for (const name of timeFields) {
    const value = fields[name]
    if (value !== undefined) Object.assign(after, { [name]: value === null ? null : new Date(value) })
  }
  // An address that changed is not verified, unless the sender says that it is.
  if (after.email !== before.email && fields.email_verified_at === undefined) after.email_verified_at = null
  if (fields.points !== undefined && fields.total_points_earned === undefined)
    after.total_points_earned = Math.max(after.total_points_earned, after.points)
  applyAddress(fields.address, after)
  if (fields.referred_by !== undefined) {
    const by = fields.referred_by
    after.referred_by_customer_id = references['referred_by.customer'] ?? null
    after.referred_by_stretcher_id = references['referred_by.stretcher'] ?? null
    after.referred_by_worker_id = by && 'worker_email' in by ? (workers.get(by.worker_email) ?? null) : null
  }
  return { after, kept }
}

function applyAddress(address: CustomerItem['address'], after: SyncedCustomer) {
  if (address === undefined) return
  const { line, city, state, postal_code, latitude, longitude } = address ?? {
    line: null,
    city: null,
    state: null,
    postal_code: null,
    latitude: null,
    longitude: null,
  }
  if (line !== undefined) after.address_line = line
  if (city !== undefined) after.city = city
  if (state !== undefined) after.state = state
  const isOtherPlace = postal_code !== undefined && postal_code !== after.postal_code
  if (postal_code !== undefined) after.postal_code = postal_code
  if (latitude !== undefined && longitude !== undefined)
    Object.assign(after, { latitude, longitude, zone_precision: latitude === null ? null : 'address' })
  // Coordinates of the address before would put the customer where they no longer are.
  else if (isOtherPlace) Object.assign(after, { latitude: null, longitude: null, zone_precision: null })
}

function errorsOf(item: Item, before: LockedCustomerRow | undefined, after: SyncedCustomer, now: Date): ItemError[] {
  const errors: ItemError[] = []
  for (const name of ['last_login_at', 'email_verified_at', 'waiver_signed_at'] as const) {
    const at = after[name]
    if (at && at < after.joined_at) errors.push(invalid(name, 'must not be before joined_at'))
  }
  if (after.joined_at > now) errors.push(invalid('joined_at', 'must not be in the future'))
  if (after.total_points_earned < after.points) errors.push(invalid('total_points_earned', 'must be at least points'))
  if (before && after.referred_by_customer_id === before.id)
    errors.push(invalid('referred_by', 'A customer cannot refer themselves.'))
  const by = item.fields.referred_by
  if (by && 'worker_email' in by && after.referred_by_worker_id === null)
    errors.push(missingWorker('referred_by.worker_email', by.worker_email))
  const isRenamed = before && (after.first_name !== before.first_name || after.last_name !== before.last_name)
  if (isRenamed && before.is_stretcher)
    errors.push(itemError('first_name', 'is_stretcher', 'This customer is a stretcher. Send the name with stretchers.'))
  return errors
}

const ownFields = [...contactFieldNames, ...timeFields, ...plainFields]
const addressColumns = ['address_line', 'city', 'state', 'postal_code', 'latitude', 'longitude'] as const
const referrerColumns = ['referred_by_customer_id', 'referred_by_stretcher_id', 'referred_by_worker_id'] as const

/** The names of the fields that differ, as programs know them. */
function changedFields(before: SyncedCustomer, after: SyncedCustomer, hasNewChoice: boolean): string[] {
  const differs = (name: keyof SyncedCustomer) => !isSameValue(before[name], after[name])
  return [
    ...ownFields.filter(differs),
    ...(addressColumns.some(differs) ? ['address'] : []),
    ...(referrerColumns.some(differs) ? ['referred_by'] : []),
    ...(hasNewChoice ? ['marketing_opt_out'] : []),
  ]
}

interface Change {
  item: Item
  before: LockedCustomerRow | undefined
  after: SyncedCustomer
  kept: string[]
  mergedInto: number | undefined
}

/** The account that an item changes: of a merged one, the one that was kept. */
function currentRow(rows: ReadonlyMap<number, LockedCustomerRow>, id: number): LockedCustomerRow | undefined {
  let row = rows.get(id)
  while (row?.merged_into_id) row = rows.get(row.merged_into_id)
  return row
}

/** Customers from other systems, by the rules of the screens: blocked, merged and erased accounts stay so. */
const customerWriter = (
  zones: ZoneLookup,
  hooks: () => readonly CustomerHooks[],
): BatchWriter<typeof CustomerItem> => ({
  resource: 'customers',
  item: CustomerItem,
  references: ({ referred_by: by }) => {
    if (by && 'customer' in by) return [{ path: 'referred_by.customer', resource: 'customers', reference: by.customer }]
    return by && 'stretcher' in by
      ? [{ path: 'referred_by.stretcher', resource: 'stretchers', reference: by.stretcher }]
      : []
  },
  naturalKey: { table: 'customers', column: 'email', of: ({ email }) => email },
  isPlannable: true,
  undo: customerUndo(hooks),
  expected: { customers_email_key: itemError('email', 'email_taken', 'Another customer has this email.') },
  async write(items, work) {
    const { db, now } = work
    const rows = await lockCustomers(
      db,
      items.flatMap(({ recordId }) => recordId ?? []),
    )
    const workers = await findWorkersByEmail(
      db,
      items.flatMap(({ fields: { referred_by: by } }) => (by && 'worker_email' in by ? by.worker_email : [])),
    )
    const outcomes: (ItemOutcome | undefined)[] = []
    const changes = new Map<number, Change>()
    const seen = new Set<number>()
    const later: number[] = []
    for (const [at, item] of items.entries()) {
      const row = item.recordId === null ? undefined : currentRow(rows, item.recordId)
      // Of accounts that staff merged, each item changes what the one before it left.
      if (row && seen.has(row.id)) {
        later.push(at)
        continue
      }
      if (row) seen.add(row.id)
      if (row?.erased_at) {
        outcomes[at] = reject(itemError('', 'erased', 'This customer was erased.'))
        continue
      }
      const { first_name, last_name, email } = item.fields
      const missing = row ? [] : [!first_name && 'first_name', !last_name && 'last_name', !email && 'email']
      const absent = missing.flatMap((path) => (path ? [required(path)] : []))
      if (absent.length > 0 || (!row && (!first_name || !last_name || !email))) {
        outcomes[at] = reject(...absent)
        continue
      }
      const start: SyncedCustomer = row ?? {
        ...newCustomer(now),
        first_name: first_name ?? '',
        last_name: last_name ?? '',
        email: email ?? '',
      }
      const { after, kept } = applyFields(item, start, workers)
      const errors = errorsOf(item, row, after, now)
      if (after.email === email && item.keyOwner !== undefined && item.keyOwner !== row?.id)
        errors.push(itemError('email', 'email_taken', 'Another customer has this email.'))
      if (errors.length > 0) {
        outcomes[at] = reject(...errors)
        continue
      }
      changes.set(at, {
        item,
        before: row,
        after,
        kept,
        mergedInto: row && row.id !== item.recordId ? row.id : undefined,
      })
    }
    await locate(db, zones, [...changes.values()])
    await save(changes, outcomes, work, hooks())
    if (later.length > 0) {
      const rest = await this.write(
        later.map((at) => items[at] as Item),
        work,
      )
      for (const [place, at] of later.entries()) outcomes[at] = rest[place]
    }
    return outcomes.map((outcome) => outcome ?? reject(invalid('', 'This item was not written.')))
  },
})

/** Fills in coordinates from postal codes, and the zone of every place that changed. */
async function locate(db: Db, zones: ZoneLookup, changes: readonly Change[]) {
  const moved: SyncedCustomer[] = []
  for (const { before, after } of changes) {
    if (after.latitude === null && after.postal_code) {
      const middle = await zones.locatePostalCode(after.postal_code)
      if (middle) Object.assign(after, { ...middle, zone_precision: 'postal_code' })
    }
    if (after.latitude === null) after.zone_id = null
    else if (after.latitude !== before?.latitude || after.longitude !== before.longitude) moved.push(after)
  }
  const places = moved.map(({ latitude, longitude }) => ({ latitude: latitude ?? 0, longitude: longitude ?? 0 }))
  const ids = places.length > 0 ? await zones.findZoneIds(db, places) : []
  for (const [at, after] of moved.entries()) after.zone_id = ids[at] ?? null
}

async function save(
  changes: ReadonlyMap<number, Change>,
  outcomes: (ItemOutcome | undefined)[],
  work: Work,
  hooks: readonly CustomerHooks[],
) {
  const { db } = work
  const created = [...changes].filter(([, { before }]) => !before)
  const ids = await customerColumns.insert(
    db,
    created.map(([, { after }]) => after),
  )
  for (const [at, [place, { item }]] of created.entries()) {
    const id = ids[at] as number
    outcomes[place] = { status: 'created', id }
    work.emit({ type: 'customer.updated', of: 'customer', ids: { customer: id }, changed: sentFields(item.fields) })
  }
  const updates = [...changes.values()].flatMap(({ before, after }): RowChange<SyncedCustomer>[] =>
    before && !customerColumns.isSame(before, after) ? [{ before, after }] : [],
  )
  await updateCustomers(db, updates)
  for (const { before, after } of updates)
    if (before.email !== after.email) await followEmail(work, before, after, hooks)
  // A new address has taken over the choice of the one before: what the program says now comes after it.
  const reachable = await setOptOuts(work, [...changes.values()])
  const changed = new Set(updates.map(({ after }) => after))
  for (const [place, { before, after, kept, mergedInto }] of changes) {
    if (!before) continue
    outcomes[place] = {
      status: changed.has(after) || reachable.has(after.email) ? 'updated' : 'unchanged',
      id: before.id,
      ...(kept.length > 0 && { kept }),
      ...(mergedInto !== undefined && { merged_into: mergedInto }),
    }
    const names = changedFields(before, after, reachable.has(after.email))
    if (names.length > 0)
      work.emit({ type: 'customer.updated', of: 'customer', ids: { customer: before.id }, changed: names })
    const contact = contactFieldNames.filter((name) => names.includes(name))
    if (before.is_stretcher && contact.length > 0)
      for (const { onNewContact } of hooks) await onNewContact?.(work, before.id, contact)
  }
}

/** Opts customers out of bulk mail, or in again if a program had opted them out; says whose choice changed. */
async function setOptOuts({ db, now }: Work, changes: readonly Change[]): Promise<Set<string>> {
  const emails = (isOut: boolean) =>
    changes.flatMap(({ item, after }) => (item.fields.marketing_opt_out === isOut ? after.email : []))
  const suppression = { channel: 'mail', reason: 'unsubscribed', source: 'api' } as const
  const out = await suppressMany(db, emails(true), suppression, now)
  return new Set([...out, ...(await removeSuppressions(db, emails(false), suppression))])
}

async function loadCustomers(db: Db, ids: readonly number[]) {
  const rows = await findCustomerRecords(db, ids)
  return rows.map((row) => ({
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone: row.phone,
    joined_at: row.joined_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    waiver_signed_at: row.waiver_signed_at?.toISOString() ?? null,
    customer_type: row.customer_type,
    value_tier: row.value_tier,
    lifecycle_stage: row.lifecycle_stage,
    engagement_score: row.engagement_score,
    points: row.points,
    total_points_earned: row.total_points_earned,
    rank: row.rank,
    credits: row.credits,
    blocked: row.blocked_at !== null,
    address: {
      line: row.address_line,
      city: row.city,
      state: row.state,
      postal_code: row.postal_code,
      latitude: row.latitude,
      longitude: row.longitude,
    },
    zone_id: row.zone_id,
    zone_precision: row.zone_precision,
    referred_by: referrerOf(row),
    marketing_opt_out: row.is_opted_out,
  }))
}

function referrerOf(row: Awaited<ReturnType<typeof findCustomerRecords>>[number]) {
  if (row.referred_by_customer_id !== null) return { customer: row.referred_by_customer_id }
  if (row.referred_by_stretcher_id !== null) return { stretcher: row.referred_by_stretcher_id }
  return row.referred_by_worker_email === null ? null : { worker_email: row.referred_by_worker_email }
}

export const customerSyncRoutes = (zones: ZoneLookup, hooks: () => readonly CustomerHooks[]) => [
  batchRoute(customerCalls.batch, customerWriter(zones, hooks), ['customers']),
  attachRoute(customerCalls.attach, 'customers'),
  ...readRoutes(customerCalls, 'customers', loadCustomers),
]
