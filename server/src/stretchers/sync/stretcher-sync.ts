import { companyDay } from '@limber/contract/kit/company.ts'
import { StretcherItem, stretcherCalls } from '@limber/contract/stretchers/sync/stretcher-sync.ts'
import { contactFieldNames } from '@limber/contract/support/customers/account.ts'
import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { type BatchItem, type BatchWriter, type ItemOutcome, sentFields } from '#platform/sync/batch-writer.ts'
import { isSameValue } from '#platform/sync/columns.queries.ts'
import { itemError, type RejectedItem, reject, required } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import {
  type Account,
  applyContact,
  type Contact,
  createAccounts,
  lockAccounts,
  releaseBookings,
  saveContacts,
} from '#support/public.ts'
import { finishTrainingIf } from '../finish-training.ts'
import type { TrainingService } from '../training-service.ts'
import { applyToStretcher, faultsOf, type Moments, startOf } from './apply-stretcher.ts'
import {
  findAccountIds,
  findStretcherRecords,
  keepZones,
  type LockedStretcher,
  lockStretchers,
  type SyncedStretcher,
  stretcherColumns,
  updateStretchers,
} from './stretcher-sync.queries.ts'
import { stretcherUndo } from './stretcher-undo.ts'

type Item = BatchItem<StretcherItem>

const emailTaken = itemError('email', 'email_taken', 'Another customer has this email.')
const isStretcher = itemError('', 'is_stretcher', 'This customer is already a stretcher.')

interface Change {
  fields: StretcherItem
  before: LockedStretcher | undefined
  /** Of a new account, `customer_id` is filled in when it is created. */
  after: SyncedStretcher
  account: Account | undefined
  contact: Contact & Pick<Account, 'corrected_at'>
  kept: string[]
}

/** What a set of items needs to know, all of it locked. */
interface Known {
  accounts: ReadonlyMap<number, Account>
  accountsByEmail: ReadonlyMap<string, Account>
  stretchers: ReadonlyMap<number, LockedStretcher>
  stretchersByAccount: ReadonlyMap<number, LockedStretcher>
  zones: ReadonlySet<number>
}

/** Accounts are locked before stretchers, as batches of customers do. */
async function lockAll(items: readonly Item[], { db, now }: Work): Promise<Known> {
  const recordIds = items.flatMap(({ recordId }) => recordId ?? [])
  const ids = [
    ...(await findAccountIds(db, recordIds)),
    ...items.flatMap(({ references }) => references.customer ?? []),
  ]
  const accounts = await lockAccounts(
    db,
    ids,
    items.flatMap(({ fields }) => fields.email ?? []),
  )
  const stretchers = await lockStretchers(
    db,
    accounts.map(({ id }) => id),
    now,
  )
  return {
    accounts: new Map(accounts.map((account) => [account.id, account])),
    accountsByEmail: new Map(accounts.map((account) => [account.email, account])),
    stretchers: new Map(stretchers.map((stretcher) => [stretcher.id, stretcher])),
    stretchersByAccount: new Map(stretchers.map((stretcher) => [stretcher.customer_id, stretcher])),
    zones: await keepZones(
      db,
      items.flatMap(({ fields }) => fields.zone_id ?? []),
    ),
  }
}

/** A new stretcher: the account is promoted, or opened if there is none. */
function planNew({ fields, updatedAt, references }: Item, known: Known, now: Date): Change | RejectedItem {
  const named = references.customer
  const account =
    named !== undefined ? known.accounts.get(named) : fields.email && known.accountsByEmail.get(fields.email)
  const start = { ...startOf(fields, now), date_of_birth: fields.date_of_birth ?? null }
  const open = { ...start, deactivated_reason: null, deactivated_by: null }
  if (account) {
    if (account.erased_at) return reject(itemError('', 'erased', 'This customer was erased.'))
    if (account.blocked_at) return reject(itemError('', 'blocked', 'This account is blocked. Unblock it first.'))
    if (known.stretchersByAccount.has(account.id)) return reject(isStretcher)
    const { contact, kept } = applyContact(fields, updatedAt, account)
    const zone_id = fields.zone_id === undefined ? account.zone_id : fields.zone_id
    const { first_name, last_name, email } = contact
    const after = { ...open, zone_id, customer_id: account.id, first_name, last_name, email }
    return { fields, before: undefined, after, account, contact, kept }
  }
  const { first_name, last_name, email, phone = null } = fields
  if (!first_name || !last_name || !email)
    return reject(
      ...(['first_name', 'last_name', 'email'] as const).flatMap((name) => (fields[name] ? [] : [required(name)])),
    )
  const after = { ...open, zone_id: fields.zone_id ?? null, customer_id: 0, first_name, last_name, email }
  const contact = { first_name, last_name, email, phone, corrected_at: {} }
  return { fields, before: undefined, after, account: undefined, contact, kept: [] }
}

function planChange(item: Item, recordId: number, known: Known, moments: Moments): Change | RejectedItem {
  const { fields, updatedAt, references } = item
  const before = known.stretchers.get(recordId)
  const account = before && known.accounts.get(before.customer_id)
  if (!before || !account) return reject(itemError('', 'deleted', 'This stretcher no longer exists.'))
  if (account.erased_at) return reject(itemError('', 'erased', 'This stretcher was erased.'))
  if (references.customer !== undefined && references.customer !== account.id)
    return reject(itemError('customer', 'immutable', 'A stretcher keeps their account.'))
  const { contact, kept } = applyContact(fields, updatedAt, account)
  const { after, errors, kept: keptStatus } = applyToStretcher(item, before, moments)
  if (errors.length > 0) return reject(...errors)
  const { first_name, last_name, email } = contact
  return {
    fields,
    before,
    after: { ...after, first_name, last_name, email },
    account,
    contact,
    kept: [...kept, ...keptStatus],
  }
}

/** What each item changes, or why it is rejected. Items see what earlier ones of the set claim. */
function plan(items: readonly Item[], known: Known, moments: Moments): (Change | RejectedItem)[] {
  const accounts = new Set<number>()
  const emails = new Set<string>()
  return items.map((item) => {
    const { fields, recordId } = item
    const planned = recordId === null ? planNew(item, known, moments.now) : planChange(item, recordId, known, moments)
    if ('status' in planned) return planned
    const { after, account } = planned
    const errors = faultsOf(fields, after, moments)
    if (fields.zone_id != null && !known.zones.has(fields.zone_id))
      errors.push({
        ...itemError('zone_id', 'missing_reference', 'This zone does not exist.'),
        resource: 'zones',
        external_id: String(fields.zone_id),
      })
    const owner = known.accountsByEmail.get(after.email)
    if (account && accounts.has(account.id)) errors.push(isStretcher)
    else if ((owner && owner.id !== account?.id) || emails.has(after.email)) errors.push(emailTaken)
    if (errors.length > 0) return reject(...errors)
    emails.add(after.email)
    if (account) accounts.add(account.id)
    return planned
  })
}

/** The contact fields of an existing account that differ. */
const newContact = ({ account, contact }: Change) =>
  contactFieldNames.filter((name) => account !== undefined && account[name] !== contact[name])
const hasNewContact = (change: Change) => {
  const { account, contact } = change
  if (!account) return false
  const isKept = Object.keys(account.corrected_at).length === Object.keys(contact.corrected_at).length
  return newContact(change).length > 0 || !isKept
}
const hasChanged = (change: Change) =>
  hasNewContact(change) || !change.before || !stretcherColumns.isSame(change.before, change.after)

async function saveAccounts(changes: readonly Change[], work: Work, hooks: readonly CustomerHooks[]) {
  const homeless = changes.filter(({ account }) => !account)
  const ids = await createAccounts(
    work.db,
    // Somebody who was hired a year ago is not a new user today.
    homeless.map(({ contact, after }) => ({ ...contact, joined_at: after.hired_at })),
  )
  for (const [at, { after }] of homeless.entries()) after.customer_id = ids[at] as number
  await saveContacts(
    work,
    changes.flatMap((change) =>
      change.account && hasNewContact(change) ? { before: change.account, after: change.contact } : [],
    ),
    hooks,
  )
}

/** Tells other systems of a stretcher who was hired or changed, and of their account. */
function tell({ emit }: Work, id: number, change: Change) {
  const { fields, before, after } = change
  const contact = newContact(change)
  const own = (['date_of_birth', 'hired_at', 'status', 'zone_id'] as const).filter(
    (name) => !isSameValue(before?.[name], after[name]),
  )
  const changed = before ? [...contact, ...own] : sentFields(fields)
  const customer = after.customer_id
  if (changed.length > 0)
    emit({ type: 'stretcher.updated', of: 'stretcher', ids: { stretcher: id, customer }, changed })
  if (contact.length > 0) emit({ type: 'customer.updated', of: 'customer', ids: { customer }, changed: contact })
}

/** What follows a new status: courses for those in training, free bookings of those who left. */
async function followStatus(changes: readonly Change[], training: TrainingService, work: Work) {
  const { db, now } = work
  const trainees = changes.flatMap(({ before, after }) =>
    !before && after.status === 'in_training' ? after.customer_id : [],
  )
  if (trainees.length > 0) {
    await training.enroll(db, trainees, now)
    const progress = await training.findProgress(db, trainees)
    // A promoted customer may already have completed every required course.
    for (const [id, { completed, required }] of progress)
      if (completed === required) await finishTrainingIf(work, id, async () => true)
  }
  const left = changes.flatMap(({ before, after }) =>
    before && before.status !== 'inactive' && after.status === 'inactive' ? before.id : [],
  )
  if (left.length > 0) await releaseBookings(db, left, now)
}

/** Stretchers from other systems, by the rules of hiring, promoting and Stretcher Management. */
const stretcherWriter = (
  training: TrainingService,
  hooks: () => readonly CustomerHooks[],
): BatchWriter<typeof StretcherItem> => ({
  resource: 'stretchers',
  item: StretcherItem,
  references: ({ customer }) =>
    customer === undefined ? [] : [{ path: 'customer', resource: 'customers', reference: customer }],
  naturalKey: { table: 'stretchers', column: 'email', of: ({ email }) => email },
  undo: stretcherUndo(hooks),
  // Screens may create the same person at the same moment.
  expected: {
    customers_email_key: emailTaken,
    stretchers_email_key: emailTaken,
    stretchers_customer_id_key: isStretcher,
  },
  async write(items, work) {
    const { db, now } = work
    const known = await lockAll(items, work)
    const plans = plan(items, known, { now, today: companyDay(now) })
    const changes = plans.filter((planned): planned is Change => !('status' in planned))
    await saveAccounts(changes, work, hooks())
    const created = changes.filter(({ before }) => !before)
    const ids = await stretcherColumns.insert(
      db,
      created.map(({ after }) => after),
    )
    const newIds = new Map(created.map((change, at) => [change, ids[at] as number]))
    await updateStretchers(
      db,
      changes.flatMap((change) =>
        change.before && hasChanged(change) ? { before: change.before, after: change.after } : [],
      ),
    )
    for (const change of changes) tell(work, change.before?.id ?? (newIds.get(change) as number), change)
    await followStatus(changes, training, work)
    return plans.map((planned): ItemOutcome => {
      if ('status' in planned) return planned
      const kept = planned.kept.length > 0 && { kept: planned.kept }
      if (planned.before)
        return { status: hasChanged(planned) ? 'updated' : 'unchanged', id: planned.before.id, ...kept }
      return { status: 'created', id: newIds.get(planned) as number, ...kept }
    })
  },
})

async function loadStretchers(db: Db, ids: readonly number[]) {
  const rows = await findStretcherRecords(db, ids)
  return rows.map(({ customer_id, ...row }) => ({
    ...row,
    customer: customer_id,
    hired_at: row.hired_at.toISOString(),
    trained_at: row.trained_at?.toISOString() ?? null,
    deactivated_at: row.deactivated_at?.toISOString() ?? null,
  }))
}

export const stretcherSyncRoutes = (training: TrainingService, hooks: () => readonly CustomerHooks[]) => [
  batchRoute(stretcherCalls.batch, stretcherWriter(training, hooks), ['stretchers', 'customers']),
  attachRoute(stretcherCalls.attach, 'stretchers'),
  ...readRoutes(stretcherCalls, 'stretchers', loadStretchers),
]
