import { contactFieldNames } from '@limber/contract/support/customers/account.ts'
import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { Work } from '#platform/db/work.ts'
import { copySuppression } from '#platform/mail/suppressions.ts'
import { moveOpenTickets } from '../customers/account-action.queries.ts'
import { type Account, type Contact, type CorrectedContact, updateContacts } from './contact-sync.queries.ts'

/** A contact with the fields that another system sent; those that staff corrected after its version stay. */
export function applyContact(
  fields: { [Name in keyof Contact]?: Contact[Name] | undefined },
  updatedAt: Date | null,
  before: CorrectedContact,
): { contact: CorrectedContact; kept: string[] } {
  const { first_name, last_name, email, phone } = before
  const contact = { first_name, last_name, email, phone, corrected_at: { ...before.corrected_at } }
  const kept: string[] = []
  for (const name of contactFieldNames) {
    const value = fields[name]
    if (value === undefined || value === before[name]) continue
    const corrected = before.corrected_at[name]
    if (corrected !== undefined && (updatedAt === null || updatedAt < new Date(corrected))) {
      kept.push(name)
      continue
    }
    delete contact.corrected_at[name]
    Object.assign(contact, { [name]: value })
  }
  return { contact, kept }
}

/** What follows a new address: opt-outs, open tickets, and what other areas keep of it. */
export async function followEmail(
  { db, now, publish }: Work,
  before: { id: number; email: string },
  after: { email: string },
  hooks: readonly CustomerHooks[],
) {
  for (const { onNewEmail } of hooks) await onNewEmail?.(db, before.id, after.email)
  await copySuppression(db, 'mail', { from: before.email, to: after.email }, now)
  const tickets = await moveOpenTickets(db, before.id, before.email, after.email)
  for (const ticket of tickets) publish('tickets', { ticket })
}

/** Writes the contacts of locked accounts. An address that changed is not verified. */
export async function saveContacts(
  work: Work,
  changes: readonly { before: Account; after: CorrectedContact }[],
  hooks: readonly CustomerHooks[],
) {
  if (changes.length === 0) return
  await updateContacts(
    work.db,
    changes.map(({ before, after }) => ({ id: before.id, ...after })),
  )
  for (const { before, after } of changes)
    if (before.email !== after.email) await followEmail(work, before, after, hooks)
}
