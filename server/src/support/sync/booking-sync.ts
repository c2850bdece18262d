import type { ItemError } from '@limber/contract/kit/batch.ts'
import { parseMoney, stringifyMoney } from '@limber/contract/kit/money.ts'
import { BookingItem, bookingCalls } from '@limber/contract/support/sync/booking-sync.ts'
import { HOUR } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { OutboxMessage, Work } from '#platform/db/work.ts'
import type { BatchItem, BatchWriter } from '#platform/sync/batch-writer.ts'
import { invalid, itemError, missing, required } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { timeOf, type WrittenRow, writeRows } from '#platform/sync/write-rows.ts'
import {
  type BookingRow,
  bookingColumns,
  findReferredStretchers,
  findTaken,
  lockReferredStretchers,
  lockZones,
  type ReferredStretcher,
  type SyncedBooking,
  updateBookings,
} from './booking-sync.queries.ts'
import { isScheduled, lockCertified, notCertified, takesTime, undoBookings } from './certified-bookings.ts'
import type { ReferredCustomer } from './referred.queries.ts'
import { checkCustomer, lockItemCustomers, referencesTo } from './referred.ts'

/** What payroll has for bookings. */
export interface BookingPay {
  /** Creates the pay of completed bookings once the transaction has committed. */
  message(bookings: readonly number[], now: Date): OutboxMessage
  /** Whether bookings have pay, or had some that was voided. No pay is added until the transaction ends. */
  lock(db: Db, bookings: readonly number[]): Promise<Map<number, 'valid' | 'void'>>
  /** Takes back the pay of bookings that turned out not to be completed. */
  void(work: Work, bookings: readonly number[], reason: string): Promise<void>
}

type Item = BatchItem<BookingItem>

interface Referred {
  customers: ReadonlyMap<number, ReferredCustomer>
  stretchers: ReadonlyMap<number, ReferredStretcher>
  isCertified: Awaited<ReturnType<typeof lockCertified>>
  zones: ReadonlySet<number>
}

const MAX_LENGTH = 8 * HOUR

/** The row that an item makes of the one before. */
function applyFields({ fields, references, updatedAt }: Item, before: SyncedBooking, now: Date): SyncedBooking {
  const after = { ...before }
  if (references.customer !== undefined) after.customer_id = references.customer
  if (fields.stretcher !== undefined) after.stretcher_id = references.stretcher ?? null
  if (fields.zone_id !== undefined) after.zone_id = fields.zone_id
  if (fields.status !== undefined) after.status = fields.status
  if (fields.price !== undefined) after.price = stringifyMoney(parseMoney(fields.price))
  if (fields.credits_used !== undefined) after.credits_used = fields.credits_used
  if (fields.rating !== undefined) after.rating = fields.rating
  if (fields.rating_attributes !== undefined) after.rating_attributes = fields.rating_attributes ?? []
  if (fields.feedback !== undefined) after.feedback = fields.feedback
  if (fields.cancel_reason !== undefined) after.cancel_reason = fields.cancel_reason
  for (const name of ['starts_at', 'ends_at', 'created_at', 'rated_at', 'feedback_at', 'cancelled_at'] as const) {
    const time = timeOf(fields[name])
    if (time !== undefined) Object.assign(after, { [name]: time })
  }
  // What follows from a field need not be sent with it.
  const at = updatedAt ?? now
  const later = new Date(Math.max(at.getTime(), after.ends_at.getTime()))
  if (fields.rated_at === undefined) after.rated_at = after.rating === null ? null : (before.rated_at ?? later)
  if (after.rating === null && fields.rating_attributes === undefined) after.rating_attributes = []
  if (fields.feedback_at === undefined)
    after.feedback_at = after.feedback === null ? null : (before.feedback_at ?? later)
  const isCancelled = after.status === 'cancelled'
  if (fields.cancelled_at === undefined) after.cancelled_at = isCancelled ? (before.cancelled_at ?? at) : null
  if (fields.cancel_reason === undefined && !isCancelled) after.cancel_reason = null
  return after
}

/** What the table refuses, in words. */
function errorsOf(after: SyncedBooking): ItemError[] {
  const errors: ItemError[] = []
  const check = (isWrong: boolean, path: string, text: string) => {
    if (isWrong) errors.push(invalid(path, text))
  }
  const isAfterStart = (time: Date | null) => time === null || time >= after.starts_at
  const length = after.ends_at.getTime() - after.starts_at.getTime()
  check(length <= 0, 'ends_at', 'must be after starts_at')
  check(length > MAX_LENGTH, 'ends_at', 'must be at most 8 hours after starts_at')
  check(after.created_at > after.starts_at, 'created_at', 'must not be after starts_at')
  const needsStretcher = after.status !== 'requested' && after.status !== 'cancelled'
  check(needsStretcher && after.stretcher_id === null, 'stretcher', `is required when the status is ${after.status}`)
  const isCancelled = after.status === 'cancelled'
  check(isCancelled && after.cancelled_at === null, 'cancelled_at', 'is required for a canceled booking')
  check(!isCancelled && after.cancelled_at !== null, 'cancelled_at', 'is only for a canceled booking')
  check(!isCancelled && after.cancel_reason !== null, 'cancel_reason', 'is only for a canceled booking')
  check(after.rating !== null && after.rated_at === null, 'rated_at', 'is required with a rating')
  check(after.rating === null && after.rated_at !== null, 'rated_at', 'needs a rating')
  check(after.rating === null && after.rating_attributes.length > 0, 'rating_attributes', 'needs a rating')
  check(after.feedback !== null && after.feedback_at === null, 'feedback_at', 'is required with feedback')
  check(after.feedback === null && after.feedback_at !== null, 'feedback_at', 'needs feedback')
  const isCompleted = after.status === 'completed'
  check(!isCompleted && after.rating !== null, 'rating', 'is only for a completed booking')
  check(!isCompleted && after.feedback !== null, 'feedback', 'is only for a completed booking')
  check(!isAfterStart(after.rated_at), 'rated_at', 'must not be before starts_at')
  check(!isAfterStart(after.feedback_at), 'feedback_at', 'must not be before starts_at')
  return errors
}

/** The row of a new booking before its fields are applied, or what it lacks. */
function newBooking({ fields, references }: Item, now: Date): SyncedBooking | ItemError[] {
  const { starts_at, ends_at, price } = fields
  const customer_id = references.customer
  if (customer_id === undefined || starts_at === undefined || ends_at === undefined || price === undefined)
    return (['customer', 'starts_at', 'ends_at', 'price'] as const)
      .filter((name) => fields[name] === undefined)
      .map(required)
  const start = new Date(starts_at)
  return {
    customer_id,
    stretcher_id: null,
    zone_id: 0,
    starts_at: start,
    ends_at: new Date(ends_at),
    status: 'requested',
    price,
    credits_used: 0,
    rating: null,
    rating_attributes: [],
    rated_at: null,
    feedback: null,
    feedback_at: null,
    cancelled_at: null,
    cancel_reason: null,
    created_at: start < now ? start : now,
    makes_wages: true,
  }
}

function planBooking(item: Item, before: BookingRow | undefined, referred: Referred, now: Date) {
  const start = before ?? newBooking(item, now)
  if (Array.isArray(start)) return start
  const after = applyFields(item, start, now)
  const customer = checkCustomer(referred.customers, after.customer_id)
  if ('code' in customer) return [customer]
  after.customer_id = customer.id
  const stretcher = after.stretcher_id === null ? undefined : referred.stretchers.get(after.stretcher_id)
  if (!before && item.fields.zone_id === undefined) after.zone_id = customer.zone_id ?? stretcher?.zone_id ?? 0
  const errors = errorsOf(after)
  if (item.fields.zone_id !== undefined && !referred.zones.has(item.fields.zone_id))
    errors.push(missing('zone_id', 'zones', item.fields.zone_id))
  else if (after.zone_id === 0)
    errors.push(itemError('zone_id', 'no_zone', 'Neither the customer nor the stretcher has a zone. Send a zone_id.'))
  // Staff released the sessions ahead of a stretcher who left.
  const isAhead = after.starts_at > now && (after.status === 'requested' || after.status === 'confirmed')
  const isTaken = after.stretcher_id !== null && after.stretcher_id !== before?.stretcher_id
  if (isTaken && isAhead && stretcher?.status === 'inactive')
    errors.push(itemError('stretcher', 'inactive', 'This stretcher is inactive.'))
  if (isScheduled(after, before, now) && !referred.isCertified(after)) errors.push(notCertified)
  return errors.length > 0 ? errors : after
}

const hasPay = itemError(
  'status',
  'has_pay',
  'Payroll already has an entry for this session, so its stretcher cannot change.',
)

/** Bookings that payroll looks at: those that stop being completed, are completed again, or change hands. */
const touchesPay = (before: BookingRow, { status, stretcher_id }: SyncedBooking) =>
  (before.status === 'completed') !== (status === 'completed') ||
  (status === 'completed' && before.stretcher_id !== stretcher_id)

/** The stretchers who may get or keep a booking ahead. Only for these it matters whether they are certified. */
function stretchersAhead(items: readonly Item[], found: ReadonlyMap<number, BookingRow>, now: Date): Set<number> {
  return new Set(
    items.flatMap(({ recordId, fields, references }) => {
      const before = recordId === null ? undefined : found.get(recordId)
      const start = timeOf(fields.starts_at) ?? before?.starts_at
      if (!start || start <= now || (fields.status ?? before?.status) === 'cancelled') return []
      return (fields.stretcher === undefined ? before?.stretcher_id : references.stretcher) ?? []
    }),
  )
}

/** Locks what items name, then the bookings that they change. */
async function lockAll(items: readonly Item[], { db, now }: Work) {
  const customers = await lockItemCustomers(db, items, bookingColumns.find)
  const named = await lockReferredStretchers(
    db,
    items.flatMap(({ references }) => references.stretcher ?? []),
  )
  const zones = await lockZones(
    db,
    items.flatMap(({ fields }) => fields.zone_id ?? []),
  )
  const found = await bookingColumns.lock(
    db,
    items.flatMap(({ recordId }) => recordId ?? []),
  )
  // A booking that moves keeps its stretcher, who may not be certified on the new day.
  const present = [...found.values()].flatMap(({ stretcher_id }) => stretcher_id ?? [])
  const stretchers = new Map([
    ...(await findReferredStretchers(
      db,
      present.filter((id) => !named.has(id)),
    )),
    ...named,
  ])
  const ahead = stretchersAhead(items, found, now)
  const isCertified = await lockCertified(
    db,
    [...stretchers.values()].filter(({ id }) => ahead.has(id)),
  )
  const referred: Referred = { customers, stretchers, isCertified, zones }
  return { referred, found }
}

const isBooked = itemError('stretcher', 'overlap', 'The stretcher has another booking at that time.')
const isOnsite = itemError('stretcher', 'overlap', 'The stretcher has an on-site session at that time.')

/** The items whose time is taken when their turn comes: by a booking, an item before, or an on-site session. */
async function findBroken(items: readonly Item[], work: Work): Promise<Map<number, ItemError>> {
  const { referred, found } = await lockAll(items, work)
  const changes = items.flatMap((item, at) => {
    const before = item.recordId === null ? undefined : found.get(item.recordId)
    const after = planBooking(item, before, referred, work.now)
    return Array.isArray(after) || (before && bookingColumns.isSame(before, after)) ? [] : [{ at, before, after }]
  })
  const times = changes
    .filter(({ after }) => takesTime(after))
    .map(({ at, after: { stretcher_id, starts_at, ends_at, status } }) => {
      const is_ahead = status === 'confirmed' || status === 'in_progress'
      return { at, stretcher_id: stretcher_id as number, starts_at, ends_at, is_ahead }
    })
  const taken = await findTaken(work.db, times, [...found.keys()])
  const broken = new Map(taken.map(({ at, is_booked }) => [at, is_booked ? isBooked : isOnsite]))
  const held = new Set<SyncedBooking>([...found.values()].filter(takesTime))
  for (const { at, before, after } of changes) {
    if (broken.has(at)) continue
    const isTaken = ({ stretcher_id, starts_at, ends_at }: SyncedBooking) =>
      stretcher_id === after.stretcher_id && starts_at < after.ends_at && after.starts_at < ends_at
    if (takesTime(after) && [...held].some((other) => other !== before && isTaken(other))) {
      broken.set(at, isBooked)
      continue
    }
    if (before) held.delete(before)
    if (takesTime(after)) held.add(after)
  }
  return broken
}

/** A booking that a quiet import completes makes no wages, also not when payroll looks for unpaid sessions. */
const withWages = (after: SyncedBooking | ItemError[], before: BookingRow | undefined, { isQuiet = false }: Work) =>
  !Array.isArray(after) && after.status === 'completed' && before?.status !== 'completed'
    ? { ...after, makes_wages: !isQuiet }
    : after

/** Bookings from other systems. Completed ones are paid at once. */
const bookingWriter = (pay: BookingPay): BatchWriter<typeof BookingItem> => ({
  resource: 'bookings',
  item: BookingItem,
  references: ({ customer, stretcher }) => referencesTo({ customer, stretcher }),
  expected: {
    bookings_stretcher_in_one_place: isBooked,
    bookings_clear_of_onsite: isOnsite,
    bookings_zone_id_fkey: itemError('zone_id', 'no_zone', 'The zone was deleted.'),
  },
  findBroken,
  isPlannable: true,
  undo: undoBookings,
  async write(items, work) {
    const { db, now } = work
    const { referred, found } = await lockAll(items, work)
    const paid = await findPay(db, pay, items, found, (item, before) => planBooking(item, before, referred, now))
    const plan = (item: Item, before: BookingRow | undefined) => {
      const after = withWages(planBooking(item, before, referred, now), before, work)
      if (!before || Array.isArray(after) || !touchesPay(before, after)) return after
      // A session has one entry, so it is not paid twice, nor to somebody else.
      return after.status === 'completed' && paid.has(before.id) ? [hasPay] : after
    }
    const { outcomes, written } = await writeRows(db, items, found, plan, {
      ...bookingColumns,
      update: updateBookings,
    })
    await followPay(work, pay, written, paid)
    return outcomes
  },
})

/** The pay of the known bookings for which a change matters to payroll. */
async function findPay(
  db: Db,
  pay: BookingPay,
  items: readonly Item[],
  found: ReadonlyMap<number, BookingRow>,
  plan: (item: Item, before: BookingRow) => SyncedBooking | ItemError[],
) {
  const ids = items.flatMap((item) => {
    const before = item.recordId === null ? undefined : found.get(item.recordId)
    if (!before) return []
    const after = plan(item, before)
    return !Array.isArray(after) && touchesPay(before, after) ? before.id : []
  })
  return ids.length > 0 ? pay.lock(db, ids) : new Map<number, 'valid' | 'void'>()
}

async function followPay(
  work: Work,
  pay: BookingPay,
  written: readonly WrittenRow<SyncedBooking>[],
  paid: ReadonlyMap<number, 'valid' | 'void'>,
) {
  const isDone = (row: SyncedBooking | undefined) => row?.status === 'completed'
  const completed = written.filter(({ before, after }) => isDone(after) && !isDone(before)).map(({ id }) => id)
  if (completed.length > 0) work.enqueue(pay.message(completed, work.now))
  const undone = written.filter(({ id, after }) => !isDone(after) && paid.get(id) === 'valid').map(({ id }) => id)
  if (undone.length > 0) await pay.void(work, undone, 'The session was not completed.')
}

async function loadBookings(db: Db, ids: readonly number[]) {
  const rows = await bookingColumns.find(db, ids)
  return rows.map((row) => ({
    id: row.id,
    customer: row.customer_id,
    stretcher: row.stretcher_id,
    zone_id: row.zone_id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    status: row.status,
    price: row.price,
    credits_used: row.credits_used,
    rating: row.rating,
    rating_attributes: row.rating_attributes,
    rated_at: row.rated_at?.toISOString() ?? null,
    feedback: row.feedback,
    feedback_at: row.feedback_at?.toISOString() ?? null,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    cancel_reason: row.cancel_reason,
    created_at: row.created_at.toISOString(),
  }))
}

export const bookingSyncRoutes = (pay: BookingPay) => [
  batchRoute(bookingCalls.batch, bookingWriter(pay), ['customers', 'stretchers']),
  attachRoute(bookingCalls.attach, 'bookings'),
  ...readRoutes(bookingCalls, 'bookings', loadBookings),
]
