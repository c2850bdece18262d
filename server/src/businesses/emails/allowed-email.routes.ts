import { setImmediate } from 'node:timers/promises'
import {
  checkEmails,
  deleteEmail,
  listEmails,
  readAddress,
  resetEmails,
  type UploadOutcome,
  updateEmail,
  uploadEmails,
} from '@limber/contract/businesses/emails/allowed-email.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { foldCase } from '@limber/contract/kit/values.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findBusiness, lockAgainstDeletion } from '../business/business.queries.ts'
import {
  findEmails,
  findKnown,
  insertEmails,
  type LockedEmail,
  lockEmail,
  lockList,
  removeAllEmails,
  removeEmail,
  saveEmail,
} from './allowed-email.queries.ts'
import { looksBinary, readSlices, UploadTally } from './allowed-email.rules.ts'

type ProcessAddresses = (addresses: readonly string[]) => Promise<{ added: number; known: number }>

/** Processes a list in slices, so that other requests can run in between. */
async function processList(list: string, take: ProcessAddresses): Promise<UploadOutcome> {
  const tally = new UploadTally()
  for (const slice of readSlices(list)) {
    const fresh = tally.addSlice(slice)
    if (fresh.length > 0) tally.count(await take(fresh))
    await setImmediate()
  }
  return tally.result()
}

const addTo =
  (db: Db, businessId: number, now: Date): ProcessAddresses =>
  async (addresses) => {
    const added = await insertEmails(db, businessId, addresses, now)
    return { added, known: addresses.length - added }
  }

export const allowedEmailRoutes = [
  serve(listEmails, async ({ body: { business_id, search, page, limit }, db }) => {
    if (!(await findBusiness(db, business_id))) throw refuse(listEmails, 'not_found')
    const part = foldCase(search.trim()) || undefined
    const { total, matches, rows } = await findEmails(db, business_id, { part, limit, offset: (page - 1) * limit })
    return {
      emails: rows.map(({ id, email, version }) => ({ id, email, version })),
      pagination: paginate(page, limit, matches),
      total,
    }
  }),

  serve(updateEmail, async ({ body, db, audit, publish }) => {
    const email = readAddress(body.new_email)
    if (email === undefined) throw refuse(updateEmail, 'invalid')
    const show = (row: LockedEmail) => ({ id: row.id, email: row.email, version: row.version })
    const before = await loadForUpdate(updateEmail, lockEmail(db, body.email_id), body.version, show)
    const { id, business_id } = before
    const saved = await saveEmail(db, before, email)
    if (!saved) throw refuse(updateEmail, 'taken')
    const change = { before: { business_id, email: before.email }, after: { business_id, email } }
    audit({ action: 'allowed_email_changed', subject: 'business_email', subjectId: id, ...change })
    publish('businesses', { business: business_id })
    return saved
  }),

  serve(deleteEmail, async ({ body, db, audit, publish }) => {
    const removed = await removeEmail(db, body.email_id)
    if (!removed) throw refuse(deleteEmail, 'not_found')
    const { id, business_id, email } = removed
    audit({ action: 'allowed_email_deleted', subject: 'business_email', subjectId: id, before: { business_id, email } })
    publish('businesses', { business: business_id })
    return { id }
  }),

  serve(resetEmails, async ({ body: { business_id }, db, audit, publish }) => {
    if (!(await lockAgainstDeletion(db, business_id))) throw refuse(resetEmails, 'not_found')
    await lockList(db, business_id)
    const deleted = await removeAllEmails(db, business_id)
    audit({ action: 'allowed_emails_reset', subject: 'business', subjectId: business_id, before: { emails: deleted } })
    publish('businesses', { business: business_id })
    return { deleted }
  }),

  serve(uploadEmails, async ({ body: { business_id, list }, db, now, audit, publish }) => {
    if (!(await lockAgainstDeletion(db, business_id))) throw refuse(uploadEmails, 'not_found')
    if (looksBinary(list)) throw refuse(uploadEmails, 'binary')
    await lockList(db, business_id)
    const outcome = await processList(list, addTo(db, business_id, now))
    const { added, skipped, invalid } = outcome
    audit({
      action: 'allowed_emails_uploaded',
      subject: 'business',
      subjectId: business_id,
      after: { added, skipped, invalid },
    })
    publish('businesses', { business: business_id })
    return outcome
  }),

  serve(checkEmails, async ({ body: { business_id, list }, db }) => {
    if (!(await findBusiness(db, business_id))) throw refuse(checkEmails, 'not_found')
    if (looksBinary(list)) throw refuse(checkEmails, 'binary')
    const known: string[] = []
    const outcome = await processList(list, async (addresses) => {
      const found = await findKnown(db, business_id, addresses)
      known.push(...found)
      return { added: addresses.length - found.length, known: found.length }
    })
    return { ...outcome, known }
  }),
]
