import { ingestEvents } from '@limber/contract/analytics/events/event.ts'
import { deleteEmail, updateEmail, uploadEmails } from '@limber/contract/businesses/emails/allowed-email.ts'
import { createCertification } from '@limber/contract/certifications/certification.ts'
import { createLead, editLead, setLeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { deactivateStretcher, promoteToStretcher, updateStretcher } from '@limber/contract/stretchers/stretcher.ts'
import {
  adjustCredits,
  blockUser,
  correctContact,
  eraseUser,
  exportUser,
  sendVerification,
  unblockUser,
} from '@limber/contract/support/customers/account.ts'
import { addNote } from '@limber/contract/support/customers/note.ts'
import { listEmailLogs, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { createTicket, noteTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draftInput } from '#analytics/events/event.factory.ts'
import { all as areas } from '#app.ts'
import { makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeCertificationType } from '#certifications/certification.factory.ts'
import { makeLead } from '#marketing/leads/lead.factory.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { groupFailures } from '#tech/public.ts'
import { makeLesson } from '#training/training.factory.ts'
import { makeFile } from '../files/ticket-file.factory.ts'
import { insertMessageFiles } from '../files/ticket-file.queries.ts'
import { insertTicketEmail } from '../inbox/inbound.queries.ts'
import { makeText } from '../texts/text.factory.ts'
import { moveRecords } from './account-action.queries.ts'
import { of } from './account-action.testing.ts'
import { makeBooking } from './booking.factory.ts'
import { makeCustomer } from './customer.factory.ts'
import { makeTransaction } from './transaction.factory.ts'

const person = { first_name: 'Canarino', last_name: 'Pipistrelle', phone: '+19515550777' }
const email = 'canarino.p@canary-mail.example'
const older = 'pipistrelle@older-mail.example'
const name = `${person.first_name} ${person.last_name}`
const said = `${name}, ${email}, ${person.phone} or (951) 555-0777, wrote from ${older}`
const words = ['canarino', 'pipistrelle', 'canary-mail', 'older-mail', '9515550777', '555-0777', '203.0.113.9']

/** Columns that contain nothing about a customer or may keep it, with the reason. New tables and columns are not listed. */
const exceptions: Record<string, RegExp> = {
  'workers and their sign-in':
    /^(workers|sessions|devices|passkeys|passkey_challenges|onboarding_links|recovery_\w+|sign_in_\w+|totp_replacements|sample_keys|signing_keys|ticket_presence)\./,
  'payroll, kept by law; people who were paid cannot be erased': /^(payroll_\w+|pay_periods|earner_tax_profiles)\./,
  'company data: its profile, its mail server, zones, partners, blocks, courses, campaigns and notes about them':
    /^(company|mail_server|mailboxes|zones|businesses|business_notes|prepaid_blocks|block_entries|onsite_sessions|city_task\w*|growth_\w+|campaign\w*|partner_outreach|kb_suggestion\w*|saved_replies|promise_settings|ticket_tags|ticket_views|ticket_links|ticket_tasks|certification_types|training_(assets|courses|lessons|modules)|notifications)\./,
  'programs of the company, their keys and links': /^(api_keys|api_key_secrets|deprecated_key_usage|calendar_feeds)\./,
  'the installation: operations and counters':
    /^(pgboss\.\w+|installation|migrations|backups|backup_files|backup_key_copies|schedules|schedule_runs|health_\w+|rate_limits|event_rollup\w*|kept_counts|audit_chain)\./,
  'ids in other systems: a tombstone tells them what to delete': /^(external_refs|record_changes)\./,
  'webhooks carry ids and names of fields; endpoints and their replies are of other systems': /^webhook_\w+\./,
  'deleted within seconds: the deltas of a batch': /^event_deltas\./,
  'a hash of the address, to keep an opt-out; a hash of an email, to take it once': /^(suppressions|mailbox_mails)\./,
  'ids of an ad service, which identify no one': /^(meta_leadgens\.\w+|(leads|merged_leads)\.leadgen_id)$/,
  'route patterns without record ids': /^((events|event_failures|error_groups)\.path|event_names\.\w+)$/,
  'call, outcome and caller': new RegExp(
    `^(${[
      'events.(source|action_type|event_outcome|method)',
      'event_failures.(source|method|request_id|code|cause)',
      'error_groups.(source|method|newest_code|newest_cause|handled_note)',
      'inbound_events.(kind|about|status|withheld|error|request_id)',
      'idempotency_keys.(key|call|request_hash)',
      'audit_log.(worker_name|call|action|outcome|subject|subject_id|request_id)',
      'audit_values.(subject|subject_id)',
      'email_logs.(type|key_id|from_address)',
      'ticket_emails.(kind|spf|dkim|dmarc)',
      'ticket_events.(kind|text)',
      'ticket_files.(name|role|mime_type|state|virus)',
      'ticket_messages.source',
      'ticket_promises.(kind|outcome|priority|rank)',
      'ticket_ratings.rating',
      'ticket_times.(channel|opened_priority)',
      'referrals.(kind|reasons)',
      'training_attempts.(questions|results)',
      'texts.(state|error)',
    ].join('|')})$`,
  ),
  'keys between tables':
    /\.(outbox_key|sid|short_id)$|^outbox\.(key|channel|about|outside_id|state|discard_reason|last_error|traceparent)$/,
  'the audit log is written without customer names; its addresses belong to workers, programs and strangers':
    /^(audit_log\.(before|after|reason|address)|inbound_events\.address)$/,
  'facts about a file: its name, its columns, and counts': /^(imports|import_maps)\.\w+$/,
  'packed times and properties of tickets, without their texts': /^ticket_report_blocks\.facts$/,
  'the instructor': /^certifications\.instructor$/,
  'types defined by the customer product': /^(rewards\.reward_type|bookings\.rating_attributes)$/,
}

let server: TestServer
let customer: { id: number; email: string }
let planted: Set<string>

interface Column {
  table: string
  column: string
  type: string
}

/** Every text column of every table. */
async function listColumns(): Promise<Column[]> {
  const { rows } = await server.running.services.pool.query<Column>(`
    select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname as table, a.attname as column,
      format_type(a.atttypid, null) as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'
      and format_type(a.atttypid, null) ~ '^(text|character|json|bytea|name|citext)'
    order by 1, 2`)
  return rows
}

const nameOf = ({ table, column }: Column) => `${table}.${column}`
const quoted = (table: string) =>
  table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

/** Opens sealed values with the key. */
function readable(bytes: Buffer): string {
  const { keyring } = server.running.services
  for (const purpose of ['outbox', 'email log recipient', 'email log content'])
    try {
      return keyring.open(purpose, bytes)
    } catch {
      // Sealed for something else, or not at all.
    }
  return bytes.toString('latin1')
}

const holdsThem = (text: string) => words.some((word) => text.toLowerCase().includes(word))

/** The columns that contain something about the person. */
async function findThem(): Promise<string[]> {
  const found: string[] = []
  for (const each of await listColumns()) {
    const { rows } = await server.running.services.pool.query<{ value: unknown }>(
      `select "${each.column}" as value from ${quoted(each.table)} where "${each.column}" is not null`,
    )
    const texts = rows.map(({ value }) => (Buffer.isBuffer(value) ? readable(value) : JSON.stringify(value)))
    if (texts.some(holdsThem)) found.push(nameOf(each))
  }
  return found
}

const excepted = (place: string) => Object.values(exceptions).some((pattern) => pattern.test(place))

/** Columns that reject any text about the person because of a check or because they are generated. */
const takesNone = new Set<string>()

/** Runs a statement with the first value that the database accepts, with triggers disabled if necessary. */
async function writeOneOf(values: readonly unknown[], statement: string): Promise<boolean> {
  const client = await server.running.services.pool.connect()
  try {
    for (const role of ['origin', 'replica'])
      for (const value of values) {
        await client.query(`begin; set local session_replication_role = ${role}`)
        const isTaken = await client.query(statement, [value]).then(
          () => true,
          () => false,
        )
        await client.query(isTaken ? 'commit' : 'rollback')
        if (isTaken) return true
      }
    return false
  } finally {
    client.release()
  }
}

/** Writes the person's data into every column of these rows that accepts it, with triggers disabled if necessary. */
async function plantInto(table: string, where: string) {
  const { pool } = server.running.services
  const own = (await listColumns()).filter(
    (each) => each.table === table && each.type !== 'bytea' && !excepted(nameOf(each)),
  )
  if (own.length === 0) return
  const found = await pool.query(`select from ${table} where ${where}`)
  if (found.rowCount === 0) throw new Error(`${table} has no row of the person: make one, so that it can be tried`)
  for (const { column, type } of own) {
    const values = type.startsWith('json')
      ? [JSON.stringify([{ said }]), JSON.stringify({ said })]
      : type.endsWith('[]')
        ? [[said]]
        : [said, name, email, person.phone]
    const taken = await writeOneOf(values, `update ${table} set "${column}" = $1 where ${where}`)
    if (!taken) takesNone.add(`${table}.${column}`)
  }
}

/** Every column that references customers. */
async function listReferences(): Promise<{ table: string; column: string }[]> {
  const { rows } = await server.running.services.pool.query<{ table: string; column: string }>(`
    select conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'customers'::regclass and c.conrelid <> 'customers'::regclass
    order by 1`)
  return rows
}

/** The person's rows: every table that references customers, and the children of their tickets and leads. */
async function listOwned(): Promise<{ table: string; where: string }[]> {
  const rows = await listReferences()
  const ofTickets = `ticket_id in (select id from tickets where customer_id = ${customer.id})`
  const ofLeads = `lead_id in (select id from leads where customer_id = ${customer.id})`
  return [
    ...rows.map(({ table, column }) => ({ table, where: `${column} = ${customer.id}` })),
    { table: 'customers', where: `id = ${customer.id}` },
    { table: 'import_rows', where: `customer_id = ${customer.id}` },
    ...['ticket_messages', 'ticket_notes', 'ticket_events', 'ticket_ratings'].map((table) => ({
      table,
      where: ofTickets,
    })),
    ...['ticket_emails', 'ticket_files'].map((table) => ({
      table,
      where: `message_id in (select id from ticket_messages where ${ofTickets})`,
    })),
    ...['merged_leads', 'lead_notes', 'lead_steps'].map((table) => ({ table, where: ofLeads })),
  ]
}

const past = (days: number) => shift(server.clock.now(), -days * DAY)

beforeAll(async () => {
  server = await startTestServer({
    env: {
      EVENT_INGEST_KEY: 'ingest-key-0123456789-0123456789',
      SUPPORT_INBOUND_KEY: 'support-key-0123456789-0123456789',
    },
  })
  const { db } = server
  const made = await makeCustomer(db, { ...person, email: older, joined_at: past(90) })
  customer = { ...made, email }
  const all = server.asOwner({ isSteppedUp: true, name: 'Robin Vale' })
  const ok = async (sent: Promise<{ status: number; text: string }>) => {
    const { status, text } = await sent
    if (status !== 200) throw new Error(text)
  }
  // Support actions, with all personal data in every reason.
  const contact = { ...person, email, reason: said }
  await ok(all.send(correctContact, { ...of(customer), body: contact }))
  await ok(all.send(adjustCredits, { ...of(customer), body: { delta: 5, reason: said } }))
  await ok(all.send(blockUser, { ...of(customer), body: { reason: said } }))
  await ok(all.send(unblockUser, { ...of(customer), body: { reason: said } }))
  await ok(all.send(sendVerification, { ...of(customer), body: { reason: said } }))
  await ok(all.send(exportUser, { ...of(customer), body: { reason: said } }))
  const key = (value: string) => ({ headers: { 'idempotency-key': `kept-reply-${value}` } })
  await ok(all.send(addNote, { ...of(customer), body: { note: said } }, key('note')))
  const ticket = await all.send(
    createTicket,
    { body: { customer_email: email, subject: name, content: said } },
    key('ticket'),
  )
  await ok(all.send(noteTicket, { ...of(ticket.body), body: { content: said } }))
  await ok(
    all.send(respondToTicket, { ...of(ticket.body), body: { message: said, workerId: (await all.worker()).id } }),
  )
  const rated = { ticket_id: ticket.body.id, created_at: past(1), asked_at: past(1), outbox_key: 'ticket-rating-1' }
  await db
    .insertInto('ticket_ratings')
    .values({ ...rated, rating: 'bad', comment: said, rated_at: past(1) })
    .execute()
  const brought = { messageId: `<7@${email}>`, from: email, subject: name, content: said, references: [] }
  const bearer = { headers: { 'x-support-key': 'support-key-0123456789-0123456789' } }
  await ok(server.anonymous().send(receiveTicketMessage, { body: brought }, bearer))
  const { rows: emails } = await sql<{
    id: number
  }>`select id from ticket_messages where inbound_key is not null`.execute(db)
  const checks = { spf: null, dkim: null, dmarc: null }
  for (const { id } of emails) {
    const html = { html: said, hasRemote: false }
    await insertTicketEmail(db, id, { kind: 'message', isSpam: false, checks, quoted: said, html, hasText: true })
    await insertMessageFiles(db, id, [makeFile({ filename: `${name}.pdf` })], past(1))
  }
  const allowed = { address: email, worker_id: (await all.worker()).id, created_at: past(1) }
  await db.insertInto('image_senders').values(allowed).execute()
  const [mail] = (await all.send(listEmailLogs, { query: { recipient: email } })).body.data
  await ok(all.send(revealEmail, { ...of({ id: mail?.id ?? 0 }), body: { reason: said } }))
  // Reports from the customer product.
  const events = [
    draftInput({ user_id: customer.id, url: `/api/people/${email}/bookings?name=${name}`, ip_address: '203.0.113.9' }),
    draftInput({
      user_id: customer.id,
      url: `https://app.example/u/${older}`,
      event_outcome: 'failure',
      error_text: said,
    }),
  ]
  const ingest = { headers: { 'x-ingest-key': 'ingest-key-0123456789-0123456789' } }
  await ok(server.anonymous().send(ingestEvents, { body: { events } }, ingest))
  // Leads, businesses, certifications, stretchers.
  const draft = { ...person, email, source: 'website' as const, note: said }
  const { lead } = (await all.send(createLead, { body: draft })).body
  await ok(all.send(editLead, { ...of(lead), body: { last_name: 'Pipistrelle-Vale' } }))
  const lost = { leadId: lead.id, status: 'not_interested' as const, reason: said }
  await ok(all.send(setLeadStatus, { body: lost }))
  await db.updateTable('leads').set({ customer_id: customer.id }).where('id', '=', lead.id).execute()
  const { id: duplicateId } = await makeLead(db, { ...person, phone: null, email: older, created_at: past(3) })
  await ok(all.send(mergeLeads, { ...of(lead), body: { duplicateId } }))
  await ok(all.send(setLeadStatus, { body: lost }))
  await db
    .insertInto('lead_steps')
    .values({
      lead_id: lead.id,
      status: 'converted',
      lead_created_at: past(1),
      entered_at: past(1),
      left_at: past(1),
      worker_id: null,
      opened_customer_id: customer.id,
      reason: said,
    })
    .execute()
  const { id: business_id } = await makeBusiness(db)
  await ok(
    all.send(uploadEmails, { body: { business_id, list: `gone@canary-mail.example\nfirst@canary-mail.example\n` } }),
  )
  const [gone, kept] = await db.selectFrom('business_emails').select('id').orderBy('id').execute()
  await ok(all.send(deleteEmail, { body: { email_id: gone?.id ?? 0 } }))
  await ok(all.send(updateEmail, { body: { email_id: kept?.id ?? 0, new_email: email } }))
  const { id: typeId } = await makeCertificationType(db)
  const draftOf = { userId: customer.id, certificationTypeId: typeId, name, instructor: 'Ines Park' }
  await ok(all.send(createCertification, { body: draftOf }))
  const hired = (await all.send(promoteToStretcher, { body: { email, needsTraining: true } })).body.stretcher
  const change = { firstName: person.first_name, lastName: 'Pipistrelle', dateOfBirth: '1990-04-01', zoneId: null }
  await ok(all.send(updateStretcher, { ...of(hired), body: change }))
  await ok(all.send(deactivateStretcher, { ...of(hired), body: { reason: said } }))
  // Records from the customer product and other areas.
  const owner = { customer_id: customer.id }
  await makeBooking(db, {
    ...owner,
    starts_at: past(3),
    created_at: past(5),
    status: 'completed',
    rating: 4,
    feedback: said,
  })
  await makeBooking(db, { ...owner, starts_at: past(4), created_at: past(5), status: 'cancelled', cancel_reason: said })
  await makeTransaction(db, owner)
  await db
    .insertInto('referrals')
    .values({ ...owner, kind: 'worker', referrer_id: 1, joined_at: past(9), earnings: '0' } as never)
    .execute()
  await server.running.services.pool.query(
    `with n as (insert into notifications (title, body, channel, audience, audience_text, created_at, send_at, people, status, created_by, is_for_later)
       values ('News', 'News', 'mail', '{}', 'All customers', now(), now(), 1, 'scheduled', $2, true) returning id)
     insert into notification_recipients (notification_id, customer_id) select id, $1 from n`,
    [customer.id, (await all.worker()).id],
  )
  await makeText(db, { from_number: person.phone, body: said, sid: 'SM1' })
  await makeText(db, {
    is_outgoing: true,
    state: 'sent',
    from_number: '+19515550100',
    to_number: person.phone,
    body: said,
  })
  const inbound = {
    kind: 'text_message',
    key: 'SM1',
    about: 'A text message',
    is_signed: true,
    status: 'done' as const,
  }
  const shown = JSON.stringify([{ name: 'From', value: person.phone }])
  await db
    .insertInto('inbound_events')
    .values({ ...inbound, fields: shown, withheld: [], received_at: past(1), last_received_at: past(1) } as never)
    .execute()
  const { id: session_id } = await makeSession(db, { starts_at: past(2) })
  const slot = { session_id, slot: 0, name, email, ...owner, rating: null, booked_at: past(4) }
  await db.insertInto('onsite_participants').values(slot).execute()
  const moved = { to: email, subject: name, text: said }
  const posted = server.running.services.keyring.seal('outbox', JSON.stringify(moved))
  const message = { channel: 'mail', key: `onsite:${session_id}:1:slot-0`, payload: posted, about: 'on-site session' }
  await db
    .insertInto('outbox')
    .values({ ...message, next_try_at: past(1), created_at: past(1) })
    .execute()
  await db
    .insertInto('mailbox')
    .values({ to_address: email, subject: name, text: said, html: null, created_at: past(1) })
    .execute()
  const reward = { ...owner, reward_type: 'Guest pass', details: said, earned_at: past(3) }
  await db
    .insertInto('rewards')
    .values(reward as never)
    .execute()
  const review = { ...owner, decision: 'approved' as const, reason: said, worker_id: null, created_at: past(1) }
  await db.insertInto('referral_reviews').values(review).execute()
  const { id: lesson_id, course_id } = await makeLesson(db)
  const learning = { lesson_id, customer_id: customer.id }
  const seen = { started_at: past(1), completed_at: null, reported_at: past(1), seconds: 60 }
  await db
    .insertInto('training_progress')
    .values({ ...learning, ...seen })
    .execute()
  await db
    .insertInto('training_extra_attempts')
    .values({ ...learning, component: 4, extra: 1 })
    .execute()
  const enrolled = {
    course_id,
    ...owner,
    enrolled_at: past(2),
    started_at: null,
    completed_at: null,
    last_seen_at: null,
  }
  await db.insertInto('training_enrolments').values(enrolled).execute()
  const attempt = {
    lesson_id,
    ...owner,
    number: 1,
    questions: '[]',
    answers: JSON.stringify({ q: said }),
    passing_score: 70,
  }
  await db
    .insertInto('training_attempts')
    .values({ ...attempt, started_at: past(1) } as never)
    .execute()
  await runWork(server.running.services, { call: 'test' }, groupFailures)
  await server.running.courier.run()
  // Earlier versions stored whole addresses.
  for (const table of ['events', 'event_failures'])
    await server.running.services.pool.query(`update ${table} set url = $1 where user_id = $2`, [
      `/api/people/${email}/bookings`,
      customer.id,
    ])
  await sql`with i as (
      insert into imports (resource, source, state, file_name, file_bytes, file_digest, encoding, delimiter, row_count, profile, created_at)
      values ('customers', 'import', 'applied', 'people.csv', 1, 'x', 'utf-8', ',', 2, '[]', now()) returning id)
    insert into import_rows (import_id, line, state, customer_id, contact)
    select id, 2, 'update', ${customer.id}::bigint, null from i union all select id, 3, 'rejected', null, ${email} from i`.execute(
    db,
  )
  for (const { table, where } of await listOwned()) await plantInto(table, where)
  planted = new Set(await findThem())
}, 120_000)
afterAll(() => server.stop())

/** References that stay with a merged account, with the reason. */
const staying: Record<string, string> = {
  'credit_entries.customer_id': 'the ledger is never changed; its balance is carried over',
  'lead_steps.opened_customer_id': 'which account a conversion opened',
  'notification_recipients.customer_id': 'who was written to',
  'referral_reviews.customer_id': 'what was decided about the referral of this account',
  'referrals.customer_id': 'figures, counted anew from the accounts',
  'stretchers.customer_id': 'an account of a stretcher cannot be merged into another',
}

describe('merging a customer', () => {
  it('moves every reference to the account except the listed ones', async () => {
    const into = await makeCustomer(server.db)
    const references = await listReferences()
    const findReferring = async (tx: Db) => {
      const found: string[] = []
      for (const { table, column } of references) {
        const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${customer.id}`.execute(
          tx,
        )
        if (rows.length > 0) found.push(`${table}.${column}`)
      }
      return found
    }
    const moved = server.db.transaction().execute(async (tx) => {
      expect(await findReferring(tx)).toEqual(references.map(({ table, column }) => `${table}.${column}`))
      await moveRecords(tx, customer.id, into.id)
      for (const { onMerge } of areas) await onMerge?.(tx, customer.id, into.id)
      expect(await findReferring(tx)).toEqual(Object.keys(staying))
      throw new Error('moved')
    })
    // Undone, so that the next test has its customer.
    await expect(moved).rejects.toThrow('moved')
  })
})

describe('erasing a customer', () => {
  it('covers every text column: seeded with personal data, or a listed exception', async () => {
    const all = (await listColumns()).map(nameOf)
    expect(all.length).toBeGreaterThan(250)
    expect(all.filter((place) => !planted.has(place) && !excepted(place) && !takesNone.has(place))).toEqual([])
    // An exception that no column needs any more must be removed.
    for (const [why, pattern] of Object.entries(exceptions))
      expect([why, all.some((place) => pattern.test(place))]).toEqual([why, true])
    expect([...planted].filter(excepted)).toEqual([])
  })

  it('leaves no personal data in any column', async () => {
    const { status, text } = await server
      .asSteppedUp('users.overview')
      .send(eraseUser, { ...of(customer), body: { reason: said, email } })
    expect(status, text).toBe(200)
    expect(await findThem()).toEqual([])
  })

  it('does not repeat a request whose stored reply was erased', async () => {
    const { rows } = await server.running.services.pool.query<{ status: number; body: string }>(
      `select status, body from idempotency_keys where key like 'kept-reply-%'`,
    )
    expect(rows).toHaveLength(2)
    for (const row of rows) expect([row.status, JSON.parse(row.body).code]).toEqual([410, 'gone'])
  })

  it('detaches events and failures from the account', async () => {
    const { rows } = await server.running.services.pool.query(
      `select user_id, ip_address from events where source = 'customer'
       union all select user_id, address from event_failures where source = 'customer'`,
    )
    expect(rows).toEqual([1, 2, 3].map(() => ({ user_id: null, ip_address: null })))
  })
})
