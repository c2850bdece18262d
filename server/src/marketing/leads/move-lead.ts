import type { LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { createCustomer, deleteUnusedCustomer, findCustomerByEmail } from '#support/public.ts'
import type { LockedLead } from './lead.queries.ts'
import { canBeUndone } from './lead.rules.ts'
import { findConversion, moveLead, setLostReason, undoMove, unlinkAccount } from './lead-change.queries.ts'
import { findMergedEmails } from './lead-merge.queries.ts'

/** No account has the lead's email, and the lead lacks data to create one. */
export class IncompleteLeadError extends Error {}

interface Account {
  id: number
  isNew: boolean
}

/** The customer account for a lead: its own, the one with an email of the person, or a new one. */
async function accountFor(db: Db, lead: LockedLead, now: Date): Promise<Account> {
  if (lead.customer_id !== null) return { id: lead.customer_id, isNew: false }
  const { email, first_name, last_name, phone } = lead
  if (!email) throw new IncompleteLeadError()
  for (const address of new Set([email, ...(await findMergedEmails(db, lead.id))])) {
    const known = await findCustomerByEmail(db, address)
    if (known) return { id: known.id, isNew: false }
  }
  if (!first_name || !last_name) throw new IncompleteLeadError()
  const opened = await createCustomer(db, { first_name, last_name, email, phone }, now)
  if (opened) return { id: opened.id, isNew: true }
  const theirs = await findCustomerByEmail(db, email)
  if (!theirs) throw new IncompleteLeadError()
  return { id: theirs.id, isNew: false }
}

interface Move {
  status: LeadStatus
  workerId: number
  reason: string | undefined
  /** With this permission, leaving Converted also deletes the unused account. */
  mayConvert: boolean
}

/** Deletes the account that the last conversion created, if it is unused. Returns its id if deleted. */
async function deleteUnusedAccount({ db, now }: Work, lead: LockedLead): Promise<number | undefined> {
  const conversion = await findConversion(db, lead.id)
  const id = conversion?.opened_customer_id
  if (!conversion || !id || !canBeUndone(conversion.entered_at, now)) return undefined
  const use = await deleteUnusedCustomer(db, id, () => unlinkAccount(db, lead.id, id))
  return use === undefined ? id : undefined
}

/** Sets the status of a locked lead. Converting finds or creates the account; leaving Converted deletes it if unused. */
export async function moveLockedLead(work: Work, lead: LockedLead, move: Move): Promise<void> {
  const { db, now, audit, publish, emit } = work
  const { status, workerId, reason, mayConvert } = move
  const about = { subject: 'lead' as const, subjectId: lead.id, people: [lead] }
  if (lead.status === status) {
    if (reason === undefined || reason === lead.lost_reason) return
    await setLostReason(db, lead.id, reason, now)
    audit({ action: 'lead_lost_reason', ...about, before: { reason: lead.lost_reason }, after: { reason } })
    return publish('leads', { lead: lead.id })
  }
  const removed = lead.status === 'converted' && mayConvert ? await deleteUnusedAccount(work, lead) : undefined
  const account = status === 'converted' ? await accountFor(db, lead, now) : undefined
  const openedCustomerId = account?.isNew ? account.id : null
  const step = { leadId: lead.id, status, workerId, reason: reason ?? null, openedCustomerId }
  await moveLead(db, step, account?.id ?? null, now)
  audit({
    action: status === 'converted' ? 'lead_converted' : 'lead_status',
    ...about,
    before: { status: lead.status },
    after: { status, ...(account && { customer: account.id, opened: account.isNew }), ...(removed && { removed }) },
    ...(reason && { reason }),
  })
  if (account)
    emit({
      type: 'lead.converted',
      of: 'lead',
      ids: { lead: lead.id, customer: account.id },
      facts: { is_new_customer: account.isNew },
    })
  publish('leads', { lead: lead.id })
  const moved = account?.isNew ? account.id : removed
  if (moved) publish('customers', { customer: moved })
}

/** Why a conversion cannot be undone. */
export class CannotUndoError extends Error {
  readonly code: 'not_converted' | 'too_late' | 'merged_since' | 'account_used'
  readonly what: string
  constructor(code: CannotUndoError['code'], what = '') {
    super(code)
    this.code = code
    this.what = what
  }
}

/** Undoes the conversion of a locked lead, and deletes the account that it created. */
export async function undoLockedConversion(work: Work, lead: LockedLead): Promise<void> {
  const { db, now, audit, publish } = work
  const conversion = await findConversion(db, lead.id)
  if (!conversion) throw new CannotUndoError('not_converted')
  if (!canBeUndone(conversion.entered_at, now)) throw new CannotUndoError('too_late')
  if (conversion.is_merged_since) throw new CannotUndoError('merged_since')
  const opened = conversion.opened_customer_id
  const status = await undoMove(db, lead.id, now)
  const use =
    opened === null ? undefined : await deleteUnusedCustomer(db, opened, () => unlinkAccount(db, lead.id, opened))
  if (use) throw new CannotUndoError('account_used', use)
  audit({
    action: 'lead_conversion_undone',
    subject: 'lead',
    subjectId: lead.id,
    before: { status: 'converted', customer: lead.customer_id },
    after: { status, ...(opened !== null && { removed: opened }) },
  })
  publish('leads', { lead: lead.id })
  if (opened !== null) publish('customers', { customer: opened })
}
