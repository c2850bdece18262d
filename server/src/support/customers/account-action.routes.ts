import { codeOf, type PermissionName } from '@limber/contract/access/permissions.ts'
import { pickFields } from '@limber/contract/kit/fields.ts'
import {
  adjustCredits,
  blockUser,
  contactFieldNames,
  contactFields,
  correctContact,
  eraseUser,
  exportUser,
  listDuplicates,
  mergeUsers,
  readContact,
  sendVerification,
  unblockUser,
} from '@limber/contract/support/customers/account.ts'
import { MINUTE } from '#platform/clock.ts'
import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'
import { eraseReplies } from '#platform/http/idempotency.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { copySuppression } from '#platform/mail/suppressions.ts'
import { hashRecipient, sealEmail } from '../email-log/email-log.seal.ts'
import { deleteFilesAfterCommit } from '../files/files.jobs.ts'
import { removeFilesOf } from '../files/ticket-file.queries.ts'
import { sendCustomerEmail } from '../inbox/send-customer-email.ts'
import {
  closeDuplicate,
  countUpcomingBookings,
  findContact,
  findDuplicates,
  insertCredit,
  isEmailTaken,
  type LockedCustomer,
  lockCustomer,
  moveOpenTickets,
  moveRecords,
  saveContact,
  setBlocked,
  setVerificationSent,
} from './account-action.queries.ts'
import { auditFacts, changeCredits } from './change-credits.ts'
import { customerExists } from './customer-detail.queries.ts'
import { eraseRecords, findWithDuplicates } from './erase.queries.ts'
import { collectExport } from './export.queries.ts'

type Action =
  | typeof blockUser
  | typeof unblockUser
  | typeof adjustCredits
  | typeof correctContact
  | typeof sendVerification
  | typeof mergeUsers
  | typeof eraseUser

/** Locks the account for an action; erased and merged accounts are refused. */
async function lockOpenCustomer(call: Action, db: Db, id: number): Promise<LockedCustomer> {
  const customer = await lockCustomer(db, id)
  if (!customer) throw refuse(call, 'not_found')
  if (customer.erased_at || customer.merged_into_id) throw refuse(call, 'gone')
  return customer
}

const nextVersion = (customer: LockedCustomer) => ({ id: customer.id, version: customer.version + 1 })
const RESEND_AFTER = 10 * MINUTE

/** Email to the customer's previous address. It does not name the new one: another person may read it. */
const addressChangedEmail = ({ id, version, first_name }: LockedCustomer) => ({
  key: `address-left-${id}-${version}`,
  type: 'verification' as const,
  about: `customer ${id}: address changed`,
  subject: 'The email address of your account was changed',
  text: `Hi ${first_name},\n\nOur support team changed the email address of your account. We will no longer email you at this address.\n\nIf you didn't ask for this, contact us right away.`,
})

export const accountActionRoutes = (hooks: readonly CustomerHooks[]) => [
  serve(blockUser, async ({ params: { id }, body: { reason }, db, now, audit, publish, emit }) => {
    const customer = await lockOpenCustomer(blockUser, db, id)
    if (customer.blocked_at) throw refuse(blockUser, 'already')
    await setBlocked(db, id, now, reason)
    audit({ action: 'customer_blocked', ...auditFacts(customer, reason) })
    emit({ type: 'customer.blocked', of: 'customer', ids: { customer: id } })
    publish('customers', { customer: id })
    return nextVersion(customer)
  }),

  serve(unblockUser, async ({ params: { id }, body: { reason }, db, audit, publish, emit }) => {
    const customer = await lockOpenCustomer(unblockUser, db, id)
    if (!customer.blocked_at) throw refuse(unblockUser, 'not_blocked')
    await setBlocked(db, id, null, null)
    audit({ action: 'customer_unblocked', ...auditFacts(customer, reason) })
    emit({ type: 'customer.unblocked', of: 'customer', ids: { customer: id } })
    publish('customers', { customer: id })
    return nextVersion(customer)
  }),

  serve(adjustCredits, async (context) => {
    const { params, body, db } = context
    const customer = await lockOpenCustomer(adjustCredits, db, params.id)
    const credits = await changeCredits(context, customer, body.delta, body.reason)
    if (credits === undefined) throw refuse(adjustCredits, 'too_few', { values: { credits: customer.credits } })
    return { id: customer.id, version: customer.version, credits }
  }),

  serve(readContact, async ({ params: { id }, db }) => {
    const contact = await findContact(db, id)
    if (!contact) throw refuse(readContact, 'not_found')
    return contact
  }),

  serve(correctContact, async (context) => {
    const { params, body, db, now, audit, publish, emit, services } = context
    const { id } = params
    const { reason, version, ...contact } = body
    const customer = await lockOpenCustomer(correctContact, db, id)
    await checkVersion(correctContact, customer, version, (now) => ({
      ...pickFields(contactFields, now),
      version: now.version,
    }))
    // Payroll uses a stretcher's name: Stretcher Management changes it in both places at once.
    const isRenamed = contact.first_name !== customer.first_name || contact.last_name !== customer.last_name
    if (customer.is_stretcher && isRenamed) throw refuse(correctContact, 'is_stretcher')
    if (await isEmailTaken(db, contact.email, id)) throw refuse(correctContact, 'email_taken')
    await saveContact(db, customer, contact, now)
    for (const { onNewEmail } of hooks) await onNewEmail?.(db, id, contact.email)
    if (contact.email !== customer.email) {
      await copySuppression(db, 'mail', { from: customer.email, to: contact.email }, now)
      await sendCustomerEmail(context, services, {
        ...addressChangedEmail(customer),
        customerId: id,
        to: customer.email,
      })
    }
    if (customer.phone && contact.phone && contact.phone !== customer.phone)
      await copySuppression(db, 'text', { from: customer.phone, to: contact.phone }, now)
    const tickets = contact.email === customer.email ? [] : await moveOpenTickets(db, id, customer.email, contact.email)
    for (const ticket of tickets) publish('tickets', { ticket })
    const changed = contactFieldNames.filter((name) => contact[name] !== customer[name])
    const change = { before: pickFields(contactFields, customer), after: pickFields(contactFields, contact) }
    audit({ action: 'contact_corrected', ...auditFacts(customer, reason, contact), ...change })
    if (changed.length > 0) {
      emit({ type: 'customer.updated', of: 'customer', ids: { customer: id }, changed })
      for (const { onNewContact } of hooks) await onNewContact?.(context, id, changed)
    }
    publish('customers', { customer: id })
    return nextVersion(customer)
  }).expecting({ customers_email_key: 'email_taken', stretchers_email_key: 'email_taken' }),

  serve(sendVerification, async (context) => {
    const { params, body, db, now, audit, publish, services } = context
    const customer = await lockOpenCustomer(sendVerification, db, params.id)
    if (customer.email_verified_at) throw refuse(sendVerification, 'verified')
    const last = customer.verification_sent_at
    if (last && now.getTime() - last.getTime() < RESEND_AFTER) throw refuse(sendVerification, 'too_soon')
    await setVerificationSent(db, customer.id, now)
    await sendCustomerEmail(context, services, {
      key: `verification-${customer.id}-${now.getTime()}`,
      type: 'verification',
      customerId: customer.id,
      about: `customer ${customer.id}: verification`,
      to: customer.email,
      subject: 'Please verify your email address',
      text: `Hi ${customer.first_name},\n\nPlease verify your email address. In the app, go to Profile and tap Verify email. We will send a code to this address.\n\nIf you don't have an account with us, you can ignore this email.`,
    })
    audit({ action: 'verification_sent', ...auditFacts(customer, body.reason) })
    publish('customers', { customer: customer.id })
    return nextVersion(customer)
  }),

  serve(listDuplicates, async ({ params: { id }, db }) => {
    const rows = await findDuplicates(db, id)
    if (rows.length === 0 && !(await customerExists(db, id))) throw refuse(listDuplicates, 'not_found')
    return rows.map(({ first_name, last_name, joined_at, is_same_phone, ...row }) => ({
      ...row,
      name: `${first_name} ${last_name}`,
      joinedAt: joined_at.toISOString(),
      why: is_same_phone ? ('same phone' as const) : ('same name' as const),
    }))
  }),

  serve(
    mergeUsers,
    async ({ params: { id }, body: { duplicateId, reason }, db, now, worker, audit, publish, emit }) => {
      if (duplicateId === id) throw refuse(mergeUsers, 'itself')
      // Lock the lower id first, so that two opposite merges cannot deadlock.
      for (const each of [id, duplicateId].sort((a, b) => a - b)) await lockOpenCustomer(mergeUsers, db, each)
      const [customer, duplicate] = [
        await lockOpenCustomer(mergeUsers, db, id),
        await lockOpenCustomer(mergeUsers, db, duplicateId),
      ]
      if (duplicate.is_stretcher) throw refuse(mergeUsers, 'is_stretcher')
      const { credits } = duplicate
      if (credits > 0) {
        const entry = { worker_id: worker.workerId, created_at: now }
        const words = `Merged into customer ${id}: ${reason}`
        await insertCredit(db, { ...entry, customer_id: duplicateId, delta: -credits, reason: words })
        await insertCredit(db, {
          ...entry,
          customer_id: id,
          delta: credits,
          reason: `From customer ${duplicateId}: ${reason}`,
        })
      }
      const moved = { ...(await moveRecords(db, duplicateId, id)), credits }
      for (const { onMerge } of hooks) await onMerge?.(db, duplicateId, id)
      const maySeeTickets = worker.permissions.has(codeOf('users.tickets'))
      await closeDuplicate(db, duplicateId, id, now)
      audit({
        action: 'customers_merged',
        ...auditFacts(customer, reason, duplicate),
        after: { from: duplicateId, ...moved },
      })
      emit({ type: 'customer.merged', of: 'customer', ids: { customer: duplicateId, merged_into: id } })
      if (credits > 0)
        emit({
          type: 'credits.changed',
          of: 'customer',
          ids: { customer: id },
          facts: { delta: credits, balance: customer.credits + credits },
        })
      publish('customers', { customer: id })
      publish('customers', { customer: duplicateId })
      return { ...nextVersion(customer), moved: { ...moved, tickets: maySeeTickets ? moved.tickets : null } }
    },
  ).expecting({
    // A learner with either account may progress, or a course may be deleted, at the same moment.
    training_attempts_number: 'conflict',
    training_enrolments_course_id_fkey: 'conflict',
    training_progress_lesson_id_fkey: 'conflict',
    training_extra_attempts_lesson_id_fkey: 'conflict',
  }),

  serve(
    exportUser,
    async ({ params: { id }, body: { reason }, db, now, worker, audit, services }) => {
      const has = (name: PermissionName) => worker.permissions.has(codeOf(name))
      const [hasWords, tickets, leads] = [has('support.tab'), has('users.tickets'), has('growth.tab')]
      const person = await findWithDuplicates(db, id)
      const hashes = person.map(({ email }) => hashRecipient(services.keyring, email))
      const found = await collectExport(db, id, { texts: hasWords, mails: hasWords, tickets, leads }, hashes)
      if (!found) throw refuse(exportUser, 'not_found')
      audit({ action: 'customer_exported', ...auditFacts({ id }, reason, ...person) })
      const { credit_entries, merged_accounts, ...rest } = found
      return {
        exportedAt: now.toISOString(),
        ...rest,
        creditEntries: credit_entries,
        mergedAccounts: merged_accounts,
      }
    },
    { isSecret: true },
  ),

  serve(
    eraseUser,
    async ({ params: { id }, body: { reason, email }, worker, db, now, audit, publish, emit, enqueue, services }) => {
      const customer = await lockOpenCustomer(eraseUser, db, id)
      if (email !== customer.email) throw refuse(eraseUser, 'wrong_email')
      if (customer.erase_conflict) throw refuse(eraseUser, customer.erase_conflict)
      const bookings = await countUpcomingBookings(db, id, now)
      if (bookings > 0) throw refuse(eraseUser, 'has_bookings', { values: { bookings } })
      const { keyring } = services
      const person = await findWithDuplicates(db, id)
      const emails = person.map((one) => one.email)
      const address = `erased-${id}@erased.invalid`
      const emptied = keyring.seal('outbox', '{}')
      const erased = { id, ids: person.map((one) => one.id), emails, address, emptied, workerId: worker.workerId, now }
      const { content_sealed: _none, ...sealed } = sealEmail(keyring, address, null)
      const recipient = { hashes: emails.map((each) => hashRecipient(keyring, each)), sealed }
      const replies = eraseReplies(person.flatMap((one) => [one.email, one.first_name, one.last_name, one.phone]))
      deleteFilesAfterCommit({ enqueue }, await removeFilesOf(db, erased.ids, emails))
      await eraseRecords(db, erased, recipient, [...hooks.flatMap(({ onErase }) => onErase?.(erased) ?? []), replies])
      audit({ action: 'customer_erased', ...auditFacts(customer, reason) })
      emit({ type: 'customer.erased', of: 'customer', ids: { customer: id } })
      publish('customers', { customer: id })
      return nextVersion(customer)
    },
  ),
]
