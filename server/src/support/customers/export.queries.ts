import { MAX_EXPORTED_EVENTS } from '@limber/contract/support/customers/account.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

type Rows = Record<string, unknown>[]
export interface CustomerExport {
  customer: Record<string, unknown>
  merged_accounts: Rows
  bookings: Rows
  transactions: Rows
  credit_entries: Rows
  rewards: Rows
  notes: Rows
  participations: Rows
  certifications: Rows
  training: { courses: Rows; lessons: Rows; attempts: Rows }
  notifications: Rows
  usage: Rows
  texts: Rows | null
  mails: Rows | null
  tickets: Rows | null
  leads: Rows | null
}

/** The parts of an export that the caller may read. */
export interface ExportRights {
  texts: boolean
  mails: boolean
  tickets: boolean
  leads: boolean
}

const jsonList = (rows: RawBuilder<unknown>) =>
  sql`(select coalesce(jsonb_agg(x.one order by x.id), '[]') from (${rows}) x)`
const contentJson = sql`jsonb_build_object('content', n.content, 'createdAt', n.created_at)`

// The account and its merged duplicates: some records cannot move in a merge and still belong to those.
const person = sql`
  select id, email, phone from customers where id = c.id
  union select d.id, d.email, d.phone from person p join customers d on d.merged_into_id = p.id`
const theirs = sql`in (select id from person)`

const rowsOf = (table: string) =>
  jsonList(sql`select t.id, to_jsonb(t) as one from ${sql.table(table)} t where t.customer_id ${theirs}`)

const mergedAccounts = sql`select d.id, to_jsonb(d) - 'search_text' as one from customers d where d.id ${theirs} and d.id <> c.id`

const notes = sql`select n.id, jsonb_build_object('note', n.note, 'createdAt', n.created_at) as one
  from customer_notes n where n.customer_id ${theirs}`

const participations = sql`select a.id, jsonb_build_object('business', b.name, 'startsAt', s.starts_at, 'slot', a.slot,
    'name', a.name, 'email', a.email, 'rating', a.rating, 'bookedAt', a.booked_at) as one
  from onsite_participants a join onsite_sessions s on s.id = a.session_id join businesses b on b.id = s.business_id
  where a.id in (
    select id from onsite_participants where customer_id ${theirs}
    union select id from onsite_participants where lower(email) in (select email from person))`

const certifications = sql`select t.id, jsonb_build_object('name', t.name, 'instructor', t.instructor, 'issuedOn', t.issued_on,
    'validUntil', t.valid_until, 'revokedAt', t.revoked_at, 'revokeReason', t.revoke_reason, 'shortId', t.short_id) as one
  from certifications t where t.customer_id ${theirs}`

const courses = sql`select e.course_id as id, jsonb_build_object('course', k.title, 'enrolledAt', e.enrolled_at,
    'startedAt', e.started_at, 'completedAt', e.completed_at, 'lastSeenAt', e.last_seen_at) as one
  from training_enrolments e join training_courses k on k.id = e.course_id where e.customer_id ${theirs}`
const lessons = sql`select g.lesson_id as id, jsonb_build_object('lesson', l.title, 'startedAt', g.started_at,
    'completedAt', g.completed_at, 'seconds', g.seconds) as one
  from training_progress g join training_lessons l on l.id = g.lesson_id where g.customer_id ${theirs}`
const attempts = sql`select a.id, jsonb_build_object('lesson', l.title, 'number', a.number, 'startedAt', a.started_at,
    'submittedAt', a.submitted_at, 'answers', a.answers, 'score', a.score, 'isPassed', a.is_passed) as one
  from training_attempts a join training_lessons l on l.id = a.lesson_id where a.customer_id ${theirs}`

const notifications = sql`select n.id, jsonb_build_object('title', n.title, 'body', n.body, 'channel', n.channel,
    'sentAt', n.started_at) as one
  from notification_recipients r join notifications n on n.id = r.notification_id
  where r.customer_id ${theirs} and r.state = 'posted'`

const usage = sql`select e.created_at as id, jsonb_build_object('at', e.created_at, 'action', e.action_type,
    'outcome', e.event_outcome, 'path', e.path, 'address', e.ip_address) as one
  from events e where e.user_id ${theirs} order by e.created_at desc limit ${sql.lit(MAX_EXPORTED_EVENTS)}`

// When another account shares the number, the author is unknown, so these texts are excluded.
const texts = sql`select t.id, jsonb_build_object('from', t.from_number, 'to', t.to_number, 'body', t.body, 'media', t.media,
    'state', t.state, 'sentAt', t.sent_at) as one
  from texts t where t.number in (select phone from person) and not exists (
    select from customers o where o.phone = t.number and not o.id ${theirs} and o.erased_at is null and o.merged_into_id is null)`

// A union, so that each part uses its own index: one condition with `or` scans the whole table. An email without an
// outbox row was sent long ago.
const mails = (hashes: readonly string[]) => sql`select m.id, jsonb_build_object('subject', m.subject, 'type', m.type,
    'createdAt', m.created_at, 'state', case when o.state = 'waiting' then 'waiting' when coalesce(o.state, 'sent') = 'sent' then 'sent'
      else 'failed' end) as one
  from email_logs m left join outbox o on o.key = m.outbox_key
  where m.id in (
    select id from email_logs where customer_id ${theirs} union select id from email_logs where to_hash = any(${hashes}::text[]))`

// The files themselves are in the ticket.
const fileList = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('filename', f.filename, 'type', f.mime_type, 'bytes', f.bytes,
    'url', case when f.name is not null then '/api/support/files/' || f.id end) order by f.id), '[]')
  from ticket_files f where f.message_id = n.id)`

const tickets = sql`select t.id, to_jsonb(t) - 'search_text' || jsonb_build_object('messages', (
    select coalesce(jsonb_agg(jsonb_build_object('from_customer', n.from_customer, 'files', ${fileList}) || ${contentJson} order by n.id), '[]')
    from ticket_messages n where n.ticket_id = t.id), 'tasks', (
    select coalesce(jsonb_agg(jsonb_build_object('kind', s.kind, 'dueOn', s.due_on, 'doneAt', s.done_at) order by s.id), '[]')
    from ticket_tasks s where s.ticket_id = t.id), 'rating', (
    select jsonb_build_object('rating', r.rating, 'comment', r.comment, 'ratedAt', r.rated_at)
    from ticket_ratings r where r.ticket_id = t.id and r.rating is not null)) as one
  from tickets t where t.customer_id ${theirs}`

// Includes the data of leads that were merged since.
const leads = sql`select l.id, to_jsonb(l) - 'search_text' || jsonb_build_object('notes', (
    select coalesce(jsonb_agg(${contentJson} order by n.id), '[]') from lead_notes n where n.lead_id = l.id), 'merged', (
    select coalesce(jsonb_agg(to_jsonb(m) - 'lead_id' order by m.id), '[]') from merged_leads m where m.lead_id = l.id)) as one
  from leads l where l.id in (
    select id from leads where customer_id ${theirs} union select id from leads where email in (select email from person)
    union select m.lead_id from merged_leads m where m.email in (select email from person))`

/** Builds the export as JSON in the database. The hashes find the emails to the customer's addresses. */
export async function collectExport(
  db: Db,
  id: number,
  rights: ExportRights,
  recipientHashes: readonly string[],
): Promise<CustomerExport | undefined> {
  const ifAllowed = (isAllowed: boolean, rows: RawBuilder<unknown>) => (isAllowed ? jsonList(rows) : sql`null`)
  const { rows } = await sql<CustomerExport>`
    select found.* from customers c cross join lateral (
      with recursive person as (${person})
      select to_jsonb(c) - 'search_text' as customer, ${jsonList(mergedAccounts)} as merged_accounts,
        ${rowsOf('bookings')} as bookings, ${rowsOf('customer_transactions')} as transactions,
        ${rowsOf('credit_entries')} as credit_entries, ${rowsOf('rewards')} as rewards, ${jsonList(notes)} as notes,
        ${jsonList(participations)} as participations, ${jsonList(certifications)} as certifications,
        jsonb_build_object('courses', ${jsonList(courses)}, 'lessons', ${jsonList(lessons)}, 'attempts', ${jsonList(attempts)}) as training,
        ${jsonList(notifications)} as notifications, ${jsonList(usage)} as usage,
        ${ifAllowed(rights.texts, texts)} as texts, ${ifAllowed(rights.mails, mails(recipientHashes))} as mails,
        ${ifAllowed(rights.tickets, tickets)} as tickets, ${ifAllowed(rights.leads, leads)} as leads
    ) found where c.id = ${id}`.execute(db)
  return rows[0]
}
