import type { LeadStatus } from '@limber/contract/marketing/lead.ts'
import type { Db } from '#platform/db.ts'
import type { Work } from '#platform/work.ts'
import { CUSTOMERS_TOPIC, findLivingAccount, openAccount } from '#support/public.ts'
import type { HeldLead } from './lead.queries.ts'
import { moveLead, setLostReason } from './lead-change.queries.ts'
import { findMergedEmails } from './lead-merge.queries.ts'
import { LEADS_TOPIC } from './topic.ts'

/** The lead lacks what an account needs, and there is none behind its e-mail. */
export class Incomplete extends Error {}

interface Account {
  id: number
  isNew: boolean
}

/** The account that a lead becomes: its own already, the one behind an e-mail of the person, or a new one. */
async function accountFor(db: Db, lead: HeldLead, now: Date): Promise<Account> {
  if (lead.customer_id !== null) return { id: lead.customer_id, isNew: false }
  const { email, first_name, last_name, phone } = lead
  if (!email) throw new Incomplete()
  for (const address of new Set([email, ...(await findMergedEmails(db, lead.id))])) {
    const known = await findLivingAccount(db, address)
    if (known) return { id: known.id, isNew: false }
  }
  if (!first_name || !last_name) throw new Incomplete()
  const opened = await openAccount(db, { first_name, last_name, email, phone }, now)
  if (opened) return { id: opened.id, isNew: true }
  const theirs = await findLivingAccount(db, email)
  if (!theirs) throw new Incomplete()
  return { id: theirs.id, isNew: false }
}

interface Move {
  status: LeadStatus
  workerId: number
  reason: string | undefined
}

/** Sets the status of a lead that is held; a conversion finds or opens the customer's account. */
export async function moveHeldLead(work: Work, lead: HeldLead, { status, workerId, reason }: Move): Promise<void> {
  const { db, now, audit, live } = work
  const about = { subject: 'lead', subjectId: lead.id }
  if (lead.status === status) {
    if (reason === undefined || reason === lead.lost_reason) return
    await setLostReason(db, lead.id, reason, now)
    audit({ action: 'lead_lost_reason', ...about, before: { reason: lead.lost_reason }, after: { reason } })
    return live(LEADS_TOPIC, { lead: lead.id })
  }
  const account = status === 'converted' ? await accountFor(db, lead, now) : undefined
  const step = { leadId: lead.id, status, workerId, reason: reason ?? null }
  await moveLead(db, step, account?.id ?? null, now)
  audit({
    action: status === 'converted' ? 'lead_converted' : 'lead_status',
    ...about,
    before: { status: lead.status },
    after: { status, ...(account && { customer: account.id, opened: account.isNew }) },
    ...(reason && { reason }),
  })
  live(LEADS_TOPIC, { lead: lead.id })
  if (account?.isNew) live(CUSTOMERS_TOPIC, { customer: account.id })
}
