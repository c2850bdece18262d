import type { SendOutreach } from '@limber/contract/growth/partner.ts'
import { countContact, insertNote } from '#businesses/public.ts'
import type { Services } from '#platform/services.ts'
import type { Work } from '#platform/work.ts'
import { mailMany } from '#support/public.ts'
import { composeOutreach } from './outreach.mails.ts'
import { findReachable, insertOutreach } from './outreach.queries.ts'

const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`)

/**
 * Posts one mail to everybody who may be written to, and counts the contact with the partner. Nobody left to write to:
 * nothing is written down.
 */
export async function postOutreach(
  work: Work,
  services: Pick<Services, 'config' | 'keyring'>,
  { recipients, businessId, ...words }: SendOutreach,
  workerId: number,
): Promise<{ sent: number; skipped: number }> {
  const { db, now } = work
  const addresses = [...new Set(recipients)]
  const reachable = await findReachable(db, addresses)
  const counts = { sent: reachable.length, skipped: addresses.length - reachable.length }
  if (counts.sent === 0) return counts
  const outreach = { ...words, ...counts, business_id: businessId, worker_id: workerId, created_at: now }
  const id = await insertOutreach(db, outreach)
  await mailMany(work, services, {
    type: 'outreach',
    about: `partner outreach ${id}`,
    people: reachable.map((to, place) => ({ key: `outreach:${id}:${place}`, to, customerId: null })),
    compose: (_, foot) => composeOutreach(words, foot),
  })
  if (businessId !== null) {
    await countContact(db, businessId, now)
    const note = `Outreach e-mail to ${people(counts.sent)}: ${words.subject}`
    await insertNote(db, { business_id: businessId, worker_id: workerId, stage: null, note, created_at: now })
  }
  return counts
}
