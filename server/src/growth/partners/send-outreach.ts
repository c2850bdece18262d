import type { SendOutreach } from '@limber/contract/growth/partners/partner.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { countContact, insertNote } from '#businesses/public.ts'
import type { Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { sendBulkEmail } from '#support/public.ts'
import { composeOutreach } from './outreach.mails.ts'
import { findReachable, insertOutreach } from './outreach.queries.ts'

const people = (count: number) => pluralize(count, 'person', 'people')

/** A partner that the email is about, or whose representative gets it. */
interface AddressedPartner {
  id: number
  admin_email: string
}

/**
 * Sends one email to each reachable recipient. Counts a contact with the partner the email is about, and with each partner
 * whose representative gets it. Records nothing when no recipient is left.
 */
export async function sendOutreachEmails(
  work: Work,
  services: Pick<Services, 'company' | 'config' | 'keyring'>,
  { recipients, businessId, ...content }: SendOutreach,
  partners: readonly AddressedPartner[],
  workerId: number,
): Promise<{ sent: number; skipped: number; skippedAddresses: string[] }> {
  const { db, now } = work
  const addresses = [...new Set(recipients)]
  const reachable = await findReachable(db, addresses)
  const reached = new Set(reachable)
  const skippedAddresses = addresses.filter((address) => !reached.has(address))
  const counts = { sent: reachable.length, skipped: skippedAddresses.length }
  const outcome = { ...counts, skippedAddresses }
  if (counts.sent === 0) return outcome
  const outreach = { ...content, ...counts, business_id: businessId, worker_id: workerId, created_at: now }
  const id = await insertOutreach(db, outreach)
  await sendBulkEmail(work, services, {
    type: 'outreach',
    about: `partner outreach ${id}`,
    people: reachable.map((to, place) => ({ key: `outreach:${id}:${place}`, to, customerId: null })),
    compose: (_, foot) => composeOutreach(content, foot),
  })
  const isReached = ({ id: partner, admin_email }: AddressedPartner) =>
    partner === businessId || reached.has(admin_email)
  const contacted = partners.filter(isReached).map((partner) => partner.id)
  if (contacted.length === 0) return outcome
  await countContact(db, contacted, now)
  const note = `Outreach email to ${people(counts.sent)}: ${content.subject}`
  for (const partner of contacted)
    await insertNote(db, { business_id: partner, worker_id: workerId, stage: null, note, created_at: now })
  return outcome
}
