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
import type { Person } from '#platform/audit/audit-person.ts'
import { MINUTE } from '#platform/clock.ts'
import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'
import { eraseReplies } from '#platform/http/idempotency.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { followSuppression } from '#platform/mail/suppressions.ts'
import { hashRecipient, sealMail } from '../email-log/email-log.seal.ts'
import { mailCustomer } from '../inbox/mail-customer.ts'
import {
  closeDuplicate,
  countBookingsAhead,
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
import { eraseRecords, findPerson } from './erase.queries.ts'
import { collectExport } from './export.queries.ts'
import { checkCredits } from './needs-passkey.ts'
import { hasUser } from './user.queries.ts'

type Action =
  | typeof blockUser
  | typeof unblockUser
  | typeof adjustCredits
  | typeof correctContact
  | typeof sendVerification
  | typeof mergeUsers
  | typeof eraseUser

/** Locks the account for an action; erased and merged accounts are refused. */
async function lockOpen(call: Action, db: Db, id: number): Promise<LockedCustomer> {
  const user = await lockCustomer(db, id)
  if (!user) throw refuse(call, 'not_found')
  if (user.erased_at || user.merged_into_id) throw refuse(call, 'gone')
  return user
}

const about = (user: Person & { id: number }, reason: string, ...others: Person[]) => ({
  ...{ subject: 'customer' as const, subjectId: user.id },
  ...{ reason, people: [user, ...others] },
})
const next = (user: LockedCustomer) => ({ id: user.id, version: user.version + 1 })
const RESEND_AFTER = 10 * MINUTE

/** Email to the customer's previous address. It does not name the new one: another person may read it. */
const addressLeft = ({ id, version, first_name }: LockedCustomer) => ({
  key: `address-left-${id}-${version}`,
  type: 'verification' as const,
  about: `customer ${id}: address changed`,
  subject: 'The email address of your account was changed',
  text: `Hello ${first_name},\n\nOur support team changed the email address of your account. Mail about your account no longer comes to this address.\n\nIf you did not ask for this, contact us right away.`,
})

export const accountRoutes = (hooks: readonly CustomerHooks[]) => [
  serve(blockUser, async ({ params: { id }, body: { reason }, db, now, audit, publish }) => {
    const user = await lockOpen(blockUser, db, id)
    if (user.blocked_at) throw refuse(blockUser, 'already')
    await setBlocked(db, id, now, reason)
    audit({ action: 'customer_blocked', ...about(user, reason) })
    publish('customers', { customer: id })
    return next(user)
  }),

  serve(unblockUser, async ({ params: { id }, body: { reason }, db, audit, publish }) => {
    const user = await lockOpen(unblockUser, db, id)
    if (!user.blocked_at) throw refuse(unblockUser, 'not_blocked')
    await setBlocked(db, id, null, null)
    audit({ action: 'customer_unblocked', ...about(user, reason) })
    publish('customers', { customer: id })
    return next(user)
  }),

  serve(adjustCredits, async ({ params: { id }, body: { delta, reason }, db, now, worker, audit, publish }) => {
    const user = await lockOpen(adjustCredits, db, id)
    if (user.credits + delta < 0) throw refuse(adjustCredits, 'too_few', { words: { credits: user.credits } })
    await checkCredits(db, worker, delta, now)
    await insertCredit(db, { customer_id: id, delta, worker_id: worker.workerId, reason, created_at: now })
    const credits = user.credits + delta
    audit({ action: 'credits_adjusted', ...about(user, reason), before: { credits: user.credits }, after: { credits } })
    publish('customers', { customer: id })
    return { id, version: user.version, credits }
  }),

  serve(readContact, async ({ params: { id }, db }) => {
    const contact = await findContact(db, id)
    if (!contact) throw refuse(readContact, 'not_found')
    return contact
  }),

  serve(correctContact, async (context) => {
    const { params, body, db, now, audit, publish, services } = context
    const { id } = params
    const { reason, version, ...contact } = body
    const user = await lockOpen(correctContact, db, id)
    await checkVersion(correctContact, user, version, (now) => ({
      ...pickFields(contactFields, now),
      version: now.version,
    }))
    // Payroll uses a stretcher's name: Stretcher Management changes it in both places at once.
    const isRenamed = contact.first_name !== user.first_name || contact.last_name !== user.last_name
    if (user.is_stretcher && isRenamed) throw refuse(correctContact, 'is_stretcher')
    if (await isEmailTaken(db, contact.email, id)) throw refuse(correctContact, 'email_taken')
    await saveContact(db, id, contact, contact.email === user.email)
    for (const { onNewEmail } of hooks) await onNewEmail?.(db, id, contact.email)
    if (contact.email !== user.email) {
      await followSuppression(db, 'mail', { from: user.email, to: contact.email }, now)
      await mailCustomer(context, services, { ...addressLeft(user), customerId: id, to: user.email })
    }
    if (user.phone && contact.phone && contact.phone !== user.phone)
      await followSuppression(db, 'text', { from: user.phone, to: contact.phone }, now)
    const tickets = contact.email === user.email ? [] : await moveOpenTickets(db, id, user.email, contact.email)
    for (const ticket of tickets) publish('tickets', { ticket })
    // Only the names of the changed fields: the audit log stores no addresses.
    const changed = contactFieldNames.filter((name) => contact[name] !== user[name])
    audit({ action: 'contact_corrected', ...about(user, reason, contact), after: { changed } })
    publish('customers', { customer: id })
    return next(user)
  }).expecting({ customers_email_key: 'email_taken', stretchers_email_key: 'email_taken' }),

  serve(sendVerification, async (context) => {
    const { params, body, db, now, audit, publish, services } = context
    const user = await lockOpen(sendVerification, db, params.id)
    if (user.email_verified_at) throw refuse(sendVerification, 'verified')
    const last = user.verification_sent_at
    if (last && now.getTime() - last.getTime() < RESEND_AFTER) throw refuse(sendVerification, 'too_soon')
    await setVerificationSent(db, user.id, now)
    await mailCustomer(context, services, {
      key: `verification-${user.id}-${now.getTime()}`,
      type: 'verification',
      customerId: user.id,
      about: `customer ${user.id}: verification`,
      to: user.email,
      subject: 'Please verify your e-mail address',
      text: `Hello ${user.first_name},\n\nplease open the app, choose Profile and then Verify e-mail: the code it asks for comes to this address.\n\nIf you have no account with us, you can ignore this mail.`,
    })
    audit({ action: 'verification_sent', ...about(user, body.reason) })
    publish('customers', { customer: user.id })
    return next(user)
  }),

  serve(listDuplicates, async ({ params: { id }, db }) => {
    const rows = await findDuplicates(db, id)
    if (rows.length === 0 && !(await hasUser(db, id))) throw refuse(listDuplicates, 'not_found')
    return rows.map(({ first_name, last_name, joined_at, is_same_phone, ...row }) => ({
      ...row,
      name: `${first_name} ${last_name}`,
      joinedAt: joined_at.toISOString(),
      why: is_same_phone ? ('same phone' as const) : ('same name' as const),
    }))
  }),

  serve(mergeUsers, async ({ params: { id }, body: { duplicateId, reason }, db, now, worker, audit, publish }) => {
    if (duplicateId === id) throw refuse(mergeUsers, 'itself')
    // Lock the lower id first, so that two opposite merges cannot deadlock.
    for (const each of [id, duplicateId].sort((a, b) => a - b)) await lockOpen(mergeUsers, db, each)
    const [user, duplicate] = [await lockOpen(mergeUsers, db, id), await lockOpen(mergeUsers, db, duplicateId)]
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
    audit({ action: 'customers_merged', ...about(user, reason, duplicate), after: { from: duplicateId, ...moved } })
    publish('customers', { customer: id })
    publish('customers', { customer: duplicateId })
    return { ...next(user), moved: { ...moved, tickets: maySeeTickets ? moved.tickets : null } }
  }).expecting({
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
      const person = await findPerson(db, id)
      const hashes = person.map(({ email }) => hashRecipient(services.keyring, email))
      const found = await collectExport(db, id, { texts: hasWords, mails: hasWords, tickets, leads }, hashes)
      if (!found) throw refuse(exportUser, 'not_found')
      audit({ action: 'customer_exported', ...about({ id }, reason, ...person) })
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

  serve(eraseUser, async ({ params: { id }, body: { reason, email }, worker, db, now, audit, publish, services }) => {
    const user = await lockOpen(eraseUser, db, id)
    if (email !== user.email) throw refuse(eraseUser, 'wrong_email')
    if (user.erase_bar) throw refuse(eraseUser, user.erase_bar)
    const bookings = await countBookingsAhead(db, id, now)
    if (bookings > 0) throw refuse(eraseUser, 'has_bookings', { words: { bookings } })
    const { keyring } = services
    const person = await findPerson(db, id)
    const emails = person.map((one) => one.email)
    const address = `erased-${id}@erased.invalid`
    const emptied = keyring.seal('outbox', '{}')
    const erased = { id, ids: person.map((one) => one.id), emails, address, emptied, workerId: worker.workerId, now }
    const { content_sealed: _none, ...sealed } = sealMail(keyring, address, null)
    const recipient = { hashes: emails.map((each) => hashRecipient(keyring, each)), sealed }
    const replies = eraseReplies(person.flatMap((one) => [one.email, one.first_name, one.last_name, one.phone]))
    await eraseRecords(db, erased, recipient, [...hooks.flatMap(({ onErase }) => onErase?.(erased) ?? []), replies])
    audit({ action: 'customer_erased', ...about(user, reason) })
    publish('customers', { customer: id })
    return next(user)
  }),
]
