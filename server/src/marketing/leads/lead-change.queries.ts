import type { EditLead, Lead, LeadField, LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { funnelPosition } from './funnel.rules.ts'

/** The furthest step in the history of a lead. Conversions are left out: they count only while they last. */
const farthestStep = (leadId: number) => sql`(
  select max(array_position(array['new', 'onboarding_started', 'onboarding_completed', 'contacted'], status))
  from lead_steps where lead_id = ${leadId})`

const ALL_CONTACTS = 7_214_080
const MAX_CONTACT_LOCKS = 100

interface Contact {
  email?: string | null | undefined
  phone?: string | null | undefined
}

/** Serializes concurrent entries of the same person: the second one waits here, then finds the first one's lead. */
export async function lockContact(db: Db, ...contacts: Contact[]): Promise<void> {
  const keys = new Set(contacts.flatMap(({ email, phone }) => [email ?? '', phone ?? '']).filter(Boolean))
  if (keys.size === 0) return
  // A large batch locks all contacts at once: one lock for each could exceed what the server can hold.
  if (keys.size > MAX_CONTACT_LOCKS) {
    await sql`select pg_advisory_xact_lock(${ALL_CONTACTS})`.execute(db)
    return
  }
  await sql`select pg_advisory_xact_lock_shared(${ALL_CONTACTS})`.execute(db)
  await sql`
    select pg_advisory_xact_lock(hashtextextended(key, 80)) from unnest(${[...keys].sort()}::text[]) as k(key)`.execute(
    db,
  )
}

/** The newest lead with the same email or phone, including contacts of leads merged into it. */
export async function findSameContact(
  db: Db,
  { email = null, phone = null }: Contact,
  except = 0,
): Promise<{ id: number; is_same_email: boolean } | undefined> {
  const { rows } = await sql<{ id: number; is_same_email: boolean }>`
    select l.id, bool_or(same.by_email) as is_same_email from (
      select id, true as by_email from leads where email = ${email}::text
      union all select lead_id, true from merged_leads where email = ${email}::text
      union all select id, false from leads where phone = ${phone}::text
      union all select lead_id, false from merged_leads where phone = ${phone}::text) same
    join leads l on l.id = same.id
    where l.id <> ${except} group by l.id order by l.created_at desc, l.id desc limit 1`.execute(db)
  return rows[0]
}

/** Inserts a lead with its first step. `at` can lie in the past for imported leads. */
export async function insertLead(
  db: Db,
  draft: Partial<Pick<Lead, LeadField>> & Pick<Lead, 'source'>,
  { workerId = null, assigneeId = null }: { workerId?: number | null; assigneeId?: number | null },
  at: Date,
): Promise<number> {
  const row = await db
    .insertInto('leads')
    .values({
      ...draft,
      assignee_id: assigneeId,
      customer_id: null,
      lost_reason: null,
      created_by: workerId,
      created_at: at,
      updated_at: at,
      status_since: at,
      first_response_at: null,
      converted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertStep(db, { leadId: row.id, status: 'new', workerId, reason: null }, at, at)
  return row.id
}

interface Step {
  leadId: number
  status: LeadStatus
  workerId: number | null
  reason: string | null
  /** The account that a conversion created. */
  openedCustomerId?: number | null
}

const insertStep = (
  db: Db,
  { leadId, status, workerId, reason, openedCustomerId = null }: Step,
  at: Date,
  leadCreatedAt: Date,
) =>
  db
    .insertInto('lead_steps')
    .values({
      lead_id: leadId,
      lead_created_at: leadCreatedAt,
      status,
      entered_at: at,
      left_at: null,
      worker_id: workerId,
      reason,
      opened_customer_id: openedCustomerId,
    })
    .execute()

/** Moves a lead to another status. The previous step ends when the new one starts. */
export async function moveLead(db: Db, step: Step, customerId: number | null, now: Date): Promise<void> {
  const { leadId, status, reason } = step
  // Server clocks can differ slightly; a step must not end before it starts.
  const { rows } = await sql<{ at: Date; created_at: Date }>`
    with moved as (
      update leads set status = ${status},
        farthest = greatest(case when status = 'converted' then ${farthestStep(leadId)} else farthest end, ${funnelPosition(status)}),
        status_since = greatest(status_since, ${now}),
        updated_at = ${now}, version = version + 1, lost_reason = ${reason},
        first_response_at = coalesce(first_response_at, case when status = 'new' then greatest(created_at, ${now}) end),
        converted_at = ${status === 'converted' ? sql`greatest(created_at, ${now})` : sql`null`},
        customer_id = coalesce(${customerId}::bigint, customer_id)
      where id = ${leadId} returning status_since as at, created_at)
    update lead_steps s set left_at = moved.at from moved where s.lead_id = ${leadId} and s.left_at is null
    returning moved.at, moved.created_at`.execute(db)
  const [moved] = rows
  if (!moved) throw new Error(`Lead ${leadId} has no open step`)
  await insertStep(db, step, moved.at, moved.created_at)
}

/** The current conversion of a lead, and whether a merge happened since. */
export async function findConversion(db: Db, leadId: number) {
  const { rows } = await sql<{ entered_at: Date; opened_customer_id: number | null; is_merged_since: boolean }>`
    select entered_at, opened_customer_id, exists (
      select from lead_steps m where m.lead_id = s.lead_id and m.ended_by_merge and m.left_at >= s.entered_at) as is_merged_since
    from lead_steps s where lead_id = ${leadId} and left_at is null and status = 'converted'`.execute(db)
  return rows[0]
}

/** Restores the status before the conversion and removes the conversion from the history. Returns that status. */
export async function undoMove(db: Db, leadId: number, now: Date): Promise<LeadStatus> {
  await sql`delete from lead_steps where lead_id = ${leadId} and left_at is null`.execute(db)
  const { rows } = await sql<{ status: LeadStatus }>`
    with before as (
      update lead_steps set left_at = null where id = (
        select id from lead_steps where lead_id = ${leadId} and not ended_by_merge order by left_at desc, id desc limit 1)
      returning status, entered_at, reason),
    others as (
      select ${farthestStep(leadId)} as farthest, bool_or(status <> 'new') as is_answered, bool_or(status = 'converted') as was_converted
      from lead_steps where lead_id = ${leadId})
    update leads l set status = b.status, farthest = o.farthest, status_since = b.entered_at, converted_at = null,
      lost_reason = case when b.status = 'not_interested' then b.reason end,
      first_response_at = case when o.is_answered then l.first_response_at end,
      -- Keeps the link if an earlier conversion created it.
      customer_id = case when o.was_converted then l.customer_id end,
      updated_at = ${now}, version = l.version + 1
    from before b, others o where l.id = ${leadId} returning l.status`.execute(db)
  const [lead] = rows
  if (!lead) throw new Error(`Lead ${leadId} has no step before its conversion`)
  return lead.status
}

/** Unlinks an account that a conversion created. */
export async function unlinkAccount(db: Db, leadId: number, customerId: number): Promise<void> {
  await sql`
    with s as (update lead_steps set opened_customer_id = null where lead_id = ${leadId} and opened_customer_id = ${customerId})
    update leads set customer_id = null where id = ${leadId} and customer_id = ${customerId}`.execute(db)
}

/** Replaces the reason why a lead is not interested. */
export async function setLostReason(db: Db, leadId: number, reason: string, now: Date): Promise<void> {
  await sql`
    with step as (update lead_steps set reason = ${reason} where lead_id = ${leadId} and left_at is null)
    update leads set lost_reason = ${reason}, updated_at = ${now}, version = version + 1 where id = ${leadId}`.execute(
    db,
  )
}

type LeadChange = Omit<EditLead, 'version'> & { assignee_id?: number | null }

const contactFields = ['first_name', 'last_name', 'email', 'phone'] as const

/** Changes a lead for staff. Other systems do not overwrite the contact fields with older values. */
export const changeLead = (db: Db, id: number, change: LeadChange, now: Date) => {
  const corrected = contactFields.filter((name) => change[name] !== undefined)
  const times = JSON.stringify(Object.fromEntries(corrected.map((name) => [name, now.toISOString()])))
  return db
    .updateTable('leads')
    .set({
      ...(change as Required<LeadChange>),
      corrected_at: sql<string>`corrected_at || ${times}::jsonb`,
      updated_at: now,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes a lead that nobody changed or noted something about; returns whether it was so. */
export async function removeNewLead(db: Db, id: number): Promise<boolean> {
  const lead = await db
    .selectFrom('leads')
    .select('created_at')
    .where('id', '=', id)
    .where('version', '=', 1)
    .forUpdate()
    .executeTakeFirst()
  if (!lead) return false
  // A later note stays, so the lead does too: the database refuses to delete it.
  await db.deleteFrom('lead_notes').where('lead_id', '=', id).where('created_at', '=', lead.created_at).execute()
  await db.deleteFrom('lead_steps').where('lead_id', '=', id).execute()
  await db.deleteFrom('leads').where('id', '=', id).execute()
  return true
}

export const insertLeadNote = (db: Db, leadId: number, workerId: number, content: string, now: Date) =>
  db.insertInto('lead_notes').values({ lead_id: leadId, worker_id: workerId, content, created_at: now }).execute()
