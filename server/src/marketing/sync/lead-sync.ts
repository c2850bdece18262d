import type { ItemError } from '@limber/contract/kit/batch.ts'
import { LeadFileItem, LeadItem, leadCalls } from '@limber/contract/marketing/sync/lead-sync.ts'
import type { Db } from '#platform/db/db.ts'
import type { BatchItem, BatchWriter, ItemOutcome } from '#platform/sync/batch-writer.ts'
import { itemError, missing, type RejectedItem, reject, required } from '#platform/sync/item-errors.ts'
import { type ReadAll, readRecords } from '#platform/sync/read-records.ts'
import { attachRoute, batchRoute, type MakeBatch, readRoutes } from '#platform/sync/resource-routes.ts'
import { undoColumns } from '#platform/sync/undo-columns.ts'
import { lockContact } from '../leads/lead-change.queries.ts'
import { pastOf } from './lead-past.ts'
import {
  findLeadRecords,
  findSameContacts,
  insertLeads,
  keepCampaigns,
  type LeadPast,
  type LockedLeadRow,
  leadColumns,
  lockLeads,
  removeLeads,
  type SyncedLead,
  setPasts,
  updateLeads,
} from './lead-sync.queries.ts'

type Item = BatchItem<LeadFileItem>

const NOTE = 'Note'
const contactNames = ['first_name', 'last_name', 'email', 'phone'] as const

const noteOf = ({ answers }: Pick<SyncedLead, 'answers'>) => answers.find(({ name }) => name === NOTE)?.value ?? null
const withNote = (answers: SyncedLead['answers'], note: string | null) => [
  ...answers.filter(({ name }) => name !== NOTE),
  ...(note === null ? [] : [{ name: NOTE, value: note }]),
]

interface Change {
  item: Item
  before: LockedLeadRow | undefined
  after: SyncedLead
  kept: string[]
  /** Of a new lead that came from elsewhere. */
  past?: LeadPast | undefined
}

const newLead: SyncedLead = {
  first_name: '',
  last_name: '',
  email: null,
  phone: null,
  source: 'manual',
  campaign_id: null,
  answers: [],
  corrected_at: {},
}

/** The lead with the fields of the item; contact fields that staff corrected after its version stay. */
function applyFields({ fields, updatedAt }: Item, before: SyncedLead): { after: SyncedLead; kept: string[] } {
  const { first_name, last_name, email, phone, source, campaign_id, answers, corrected_at } = before
  const after = { first_name, last_name, email, phone, source, campaign_id, answers, corrected_at: { ...corrected_at } }
  const kept: string[] = []
  for (const name of contactNames) {
    const value = fields[name]
    if (value === undefined || value === before[name]) continue
    const corrected = corrected_at[name]
    if (corrected !== undefined && (updatedAt === null || updatedAt < new Date(corrected))) {
      kept.push(name)
      continue
    }
    delete after.corrected_at[name]
    Object.assign(after, { [name]: value })
  }
  if (fields.source !== undefined) after.source = fields.source
  if (fields.campaign_id !== undefined) after.campaign_id = fields.campaign_id
  if (fields.note !== undefined && fields.note !== noteOf(before)) after.answers = withNote(answers, fields.note)
  return { after, kept }
}

function planItem(item: Item, before: LockedLeadRow | undefined, now: Date): Change | RejectedItem {
  if (item.recordId !== null && !before) return reject(itemError('', 'deleted', 'This lead no longer exists.'))
  if (before?.erased_at) return reject(itemError('', 'erased', 'This lead was erased.'))
  if (!before && !item.fields.first_name) return reject(required('first_name'))
  const { after, kept } = applyFields(item, before ?? newLead)
  if (after.email === null && after.phone === null)
    return reject(itemError('email', 'no_contact', 'Enter an email address or a phone number.'))
  const past = before ? undefined : pastOf(item.fields, item.references.customer, now)
  return Array.isArray(past) ? reject(...past) : { item, before, after, kept, past }
}

const hasChanged = ({ before, after }: Change) =>
  before === undefined ||
  [...contactNames, 'source' as const, 'campaign_id' as const].some((name) => before[name] !== after[name]) ||
  noteOf(before) !== noteOf(after) ||
  Object.keys(before.corrected_at).length !== Object.keys(after.corrected_at).length

/** The contacts of an item that are new for its lead: unchanged ones may be a known duplicate. */
const newContacts = ({ before, after }: Change) =>
  (['email', 'phone'] as const).flatMap((path) => {
    const contact = after[path]
    return contact === null || contact === before?.[path] ? [] : [{ path, contact }]
  })

/** Refuses a second lead for the same person, also inside the set. */
async function findDuplicates(db: Db, changes: readonly Change[]): Promise<Map<Change, ItemError>> {
  const wanted = changes.flatMap(newContacts)
  const pick = (of: 'email' | 'phone') => wanted.flatMap(({ path, contact }) => (path === of ? contact : []))
  await lockContact(db, ...wanted.map(({ path, contact }) => ({ [path]: contact })))
  const owners = new Map<string, { id: number | undefined; name: string }[]>()
  const claim = (contact: string, owner: { id: number | undefined; name: string }) =>
    owners.set(contact, [...(owners.get(contact) ?? []), owner])
  for (const { contact, id, name } of await findSameContacts(db, pick('email'), pick('phone')))
    claim(contact, { id, name })
  const found = new Map<Change, ItemError>()
  for (const change of changes) {
    const own = change.before?.id
    const [clash] = newContacts(change).flatMap(({ path, contact }) => {
      const other = owners.get(contact)?.find(({ id }) => own === undefined || id !== own)
      return other ? [{ path, other }] : []
    })
    if (clash) {
      const what = clash.path === 'email' ? 'email' : 'phone number'
      const { id, name } = clash.other
      const who = id === undefined ? name : `${name} (id ${id})`
      found.set(change, itemError(clash.path, 'duplicate', `A lead with this ${what} already exists: ${who}.`))
    } else
      for (const { contact } of newContacts(change))
        claim(contact, { id: own, name: `${change.after.first_name} ${change.after.last_name}`.trim() })
  }
  return found
}

const undoLeads = (now: Date) =>
  undoColumns({ ...leadColumns, update: (db, changes) => updateLeads(db, changes, now) }, removeLeads)

/** Leads from other systems, by the rules of New Lead and of editing one. */
const leadWriter: BatchWriter<typeof LeadFileItem> = {
  resource: 'leads',
  item: LeadFileItem,
  references: ({ customer }) =>
    customer == null ? [] : [{ path: 'customer', resource: 'customers', reference: customer }],
  undo: {
    find: leadColumns.find,
    remove: (work, ids) => undoLeads(work.now).remove(work, ids),
    restore: async (work, rows) => (await undoLeads(work.now).restore?.(work, rows)) ?? new Map(),
  },
  async write(items, { db, now }) {
    const rows = await lockLeads(
      db,
      items.flatMap(({ recordId }) => recordId ?? []),
    )
    const campaigns = await keepCampaigns(
      db,
      items.flatMap(({ fields }) => fields.campaign_id ?? []),
    )
    const seen = new Set<number>()
    const plans = items.map((item): Change | RejectedItem => {
      const id = item.fields.campaign_id
      if (id != null && !campaigns.has(id)) return reject(missing('campaign_id', 'campaigns', id))
      const before = item.recordId === null ? undefined : rows.get(item.recordId)
      // Two leads of the sender that staff merged: the second one comes with the next batch.
      if (before && seen.has(before.id))
        return reject(itemError('', 'merged', `This lead was merged into lead ${before.id}, which is in this batch.`))
      if (before) seen.add(before.id)
      return planItem(item, before, now)
    })
    const changes = plans.filter((planned): planned is Change => 'after' in planned)
    const duplicates = await findDuplicates(db, changes)
    const written = changes.filter((change) => !duplicates.has(change))
    const created = written.filter(({ before }) => !before)
    const ids = await insertLeads(
      db,
      created.map(({ after }) => after),
      now,
    )
    const newIds = new Map(created.map((change, at) => [change, ids[at] as number]))
    await setPasts(
      db,
      created.flatMap((change) => (change.past ? { ...change.past, id: newIds.get(change) as number } : [])),
    )
    await updateLeads(
      db,
      written.flatMap((change) =>
        change.before && hasChanged(change) ? { before: change.before, after: change.after } : [],
      ),
      now,
    )
    return plans.map((planned): ItemOutcome => {
      if (!('after' in planned)) return planned
      const duplicate = duplicates.get(planned)
      if (duplicate) return reject(duplicate)
      const { item, before, kept } = planned
      if (!before) return { status: 'created', id: newIds.get(planned) as number }
      return {
        status: hasChanged(planned) ? 'updated' : 'unchanged',
        id: before.id,
        ...(kept.length > 0 && { kept }),
        ...(before.id !== item.recordId && { merged_into: before.id }),
      }
    })
  },
}

async function loadWithReasons(db: Db, ids: readonly number[]) {
  const rows = await findLeadRecords(db, ids)
  return rows.map(({ answers, customer_id, ...row }) => ({
    ...row,
    note: noteOf({ answers }),
    created_at: row.created_at.toISOString(),
    status_since: row.status_since.toISOString(),
    first_response_at: row.first_response_at?.toISOString() ?? null,
    converted_at: row.converted_at?.toISOString() ?? null,
    customer: customer_id,
  }))
}

const loadLeads = async (db: Db, ids: readonly number[]) =>
  (await loadWithReasons(db, ids)).map(({ lost_reason: _, ...lead }) => lead)

export const leadFileBatch: MakeBatch = () => ({ writer: leadWriter, topics: ['leads'] })
export const readLeadsForFile: ReadAll = (db) => readRecords(db, 'leads', loadWithReasons)

export const leadSyncRoutes = [
  batchRoute(leadCalls.batch, { ...leadWriter, item: LeadItem }, ['leads']),
  attachRoute(leadCalls.attach, 'leads'),
  ...readRoutes(leadCalls, 'leads', loadLeads),
]
