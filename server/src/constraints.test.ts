import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { correctWorker, inviteWorker, resendLink } from '@limber/contract/access/workers/worker.ts'
import { createBusiness, updateBusiness } from '@limber/contract/businesses/business/business.ts'
import { activateBlock } from '@limber/contract/businesses/sessions/onsite.ts'
import { updateZone } from '@limber/contract/businesses/zones/zone.ts'
import { updateCertificationType } from '@limber/contract/certifications/type.ts'
import { convertLead } from '@limber/contract/marketing/leads/lead.ts'
import { correctContact } from '@limber/contract/support/customers/account.ts'
import { updateSavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { createTicket } from '@limber/contract/support/tickets/ticket.ts'
import { createCourse } from '@limber/contract/training/courses/course.ts'
import { enrollLearner } from '@limber/contract/training/learners/enrollment.ts'
import { recordProgress } from '@limber/contract/training/learners/portal.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeBlock, makeBusiness } from '#businesses/business/business.factory.ts'
import { draftZone, makeZone } from '#businesses/zones/zone.factory.ts'
import { makeCertificationType } from '#certifications/certification.factory.ts'
import { makeLead } from '#marketing/leads/lead.factory.ts'
import type { Db } from '#platform/db/db.ts'
import { root } from '#platform/paths.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { eventually, startTestServer, type TestReply, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeSavedReply } from '#support/saved-replies/saved-reply.factory.ts'
import { makeCourse, makeLesson } from '#training/training.factory.ts'
import { allRoutes } from './app.ts'

const PORTAL_KEY = 'portal-key-0123456789-abcdefghij'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { TRAINING_PORTAL_KEY: PORTAL_KEY } })
})
afterAll(() => server.stop())

/** Tables that the product deletes rows from. Only references to these can break. */
function findDeleted(): Set<string> {
  const sources = globSync('server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/*.testing.ts'] })
  const found = sources.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/(?:deleteFrom\('|delete from )([a-z_]+)/g),
  ])
  return new Set(found.map(([, table]) => table ?? ''))
}

interface Constraint {
  name: string
  refers_to: string | null
  table_name: string
  cascades: boolean
}

/** Constraints that concurrent callers can violate: unique keys other than generated ids, exclusions, and foreign keys. */
async function findConstraints(): Promise<string[]> {
  const { rows } = await sql<Constraint>`
    select i.relname as name, t.relname as table_name, null as refers_to, false as cascades
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where (x.indisunique or x.indisexclusion) and t.relnamespace = 'public'::regnamespace and not t.relispartition
      and not (x.indnatts = 1 and exists (
        select from pg_attribute a where a.attrelid = t.oid and a.attnum = x.indkey[0] and a.attidentity <> ''))
    union all
    select c.conname, t.relname, p.relname, c.confdeltype = 'c'
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class p on p.oid = c.confrelid
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`.execute(server.db)
  const deleted = findDeleted()
  // Follow cascading deletes.
  for (let size = 0; size !== deleted.size; ) {
    size = deleted.size
    for (const row of rows) if (row.cascades && deleted.has(row.refers_to ?? '')) deleted.add(row.table_name)
  }
  return rows.filter(({ refers_to }) => refers_to === null || deleted.has(refers_to)).map(({ name }) => name)
}
/** Constraints that no call can violate, by the reason. All others must be expected by a route. */
const unreachable: Record<string, string[]> = {
  'the insert names it: on conflict': split(`
    backup_key_copies_pkey api_key_usage_pkey backup_files_pkey backups_file_key business_emails_once deprecated_key_usage_pkey campaign_marks_pkey campaign_members_pkey campaign_pushes_pkey city_task_marks_pkey
    earners_stretcher_id_key earners_worker_id_key error_counts_pkey error_groups_source_method_path_status_key error_people_pkey
    event_names_kind_name_key event_rollup_state_pkey event_rollups_pkey event_users_ref_key growth_state_pkey
    health_samples_pkey health_states_pkey import_maps_once inbound_events_kind_key_key installation_pkey image_senders_pkey mailbox_mails_pkey meta_leadgens_pkey
    external_refs_pkey record_changes_pkey notification_recipients_pkey outbox_key_key payroll_entries_booking_id_key payroll_entries_onsite_session rate_limits_pkey referrals_pkey schedules_pkey
    sign_in_failures_pkey signing_keys_one_signs stretchers_customer_id_key suppressions_pkey texts_sid_key
    paused_workers_pkey round_robin_members_pkey round_robins_once ticket_links_pkey ticket_watchers_pkey ticket_unread_pkey ticket_presence_pkey totp_replacements_pkey training_asset_uses_pkey training_courses_key training_enrolments_pkey
    training_extra_attempts_pkey training_lessons_key training_modules_key training_progress_pkey`),
  'a row lock or an advisory lock is held from the check to the write': split(`
    backups_one_at_a_time calendar_feeds_business_id_fkey block_entries_business_id_fkey business_emails_business_id_fkey business_notes_business_id_fkey
    campaign_media_campaign_id_position_key certification_courses_course_id_fkey certification_courses_pkey
    certification_courses_type_id_fkey certifications_type_id_fkey idempotency_keys_worker idempotency_keys_api_key
    api_key_secrets_current external_refs_record webhook_deliveries_endpoint_id_fkey webhook_secrets_current
    webhook_secrets_endpoint_id_fkey
    calendar_feeds_stretcher_id_fkey onsite_sessions_stretcher_id_fkey ticket_events_ticket_id_fkey ticket_files_ticket_id_fkey ticket_messages_origin_ticket_id_fkey
    ticket_messages_ticket_id_fkey ticket_notes_ticket_id_fkey tickets_merged_into_id_fkey
    ticket_mailboxes_mailbox_id_fkey
    ticket_tags_replaced_by_id_fkey ticket_views_tag_id_fkey round_robin_members_round_robin_id_fkey round_robins_view_id_fkey
    ticket_tasks_booking_id_fkey ticket_tasks_ticket_id_fkey ticket_links_from_id_fkey ticket_links_to_id_fkey ticket_watchers_ticket_id_fkey ticket_unread_ticket_id_fkey
    ticket_promises_start ticket_promises_open ticket_promises_ticket_id_fkey ticket_times_pkey ticket_times_ticket_id_fkey
    rating_settings_pkey ticket_ratings_pkey ticket_ratings_ticket_id_fkey
    kb_suggestion_reviews_suggestion_id_fkey lead_notes_lead_id_fkey lead_steps_lead_id_fkey lead_steps_present
    merged_leads_lead_id_fkey merged_leads_pkey onboarding_links_one_open onsite_sessions_block_id_fkey
    onsite_sessions_block_once onsite_sessions_business_id_fkey onsite_sessions_stretcher_in_one_place
    partner_outreach_business_id_fkey pay_periods_do_not_overlap payroll_adjustments_operation_id_payroll_id_side_key
    payroll_ledger_pkey payroll_totals_pkey payroll_transaction_totals_pkey payroll_undos_pkey payroll_voids_pkey
    company_pkey mail_server_pkey payroll_starts_pkey payroll_dues_of_operation payroll_dues_of_void payroll_settlements_transaction_id_due_id_key payroll_transaction_days_pkey
    certifications_customer_id_fkey credit_entries_customer_id_fkey customer_notes_customer_id_fkey
    customers_merged_into_id_fkey stretchers_customer_id_fkey
    prepaid_blocks_business_id_fkey schedule_runs_schedule_fkey stretchers_zone_id_fkey ticket_messages_inbound
    training_course_prerequisites_course_id_fkey training_course_prerequisites_pkey
    training_lesson_prerequisites_lesson_id_module_id_fkey training_lesson_prerequisites_pkey
    training_lesson_prerequisites_requires_id_module_id_fkey training_lesson_references_lesson_id_course_id_fkey
    training_lesson_references_pkey training_lesson_references_refers_to_course_id_fkey
    training_lessons_module_id_course_id_fkey training_module_prerequisites_module_id_course_id_fkey
    training_module_prerequisites_pkey training_module_prerequisites_requires_id_course_id_fkey
    training_modules_course_id_fkey training_asset_uses_lesson_id_fkey`),
  'the write requires another row of the same account, which prevents deleting the account': split(`
    email_logs_customer_id_fkey lead_steps_opened_customer_id_fkey referral_reviews_customer_id_fkey
    training_attempts_customer_id_fkey training_extra_attempts_customer_id_fkey training_progress_customer_id_fkey`),
  'its value is random or derived from a generated id': split(`
    api_keys_public_id_key calendar_feeds_token campaign_media_pkey campaign_places_pkey certifications_short_id_key devices_token_hash_key onboarding_links_token_hash_key
    passkey_challenges_pkey recovery_codes_worker_id_code_hash_key sample_keys_pkey sessions_token_hash_key
    sign_in_attempts_flow_hash_key signing_keys_key_id_key texts_outbox_key_key training_assets_name
    mailboxes_forward_hash mailbox_mails_message_id_fkey ticket_emails_message_id_fkey ticket_emails_pkey ticket_files_message_id_fkey ticket_files_name ticket_mailboxes_pkey
    ticket_mailboxes_ticket_id_fkey
    training_lessons_of_course training_lessons_of_module training_modules_of_course workers_handle_key`),
  'only a job, a schedule, a trigger, a command or the customers\u2019 app writes it': split(`
    audit_chain_audit_id_key audit_chain_pkey audit_values_pkey bookings_customer_id_fkey
    certification_warnings_certification_id_fkey certification_warnings_pkey city_task_marks_task_id_fkey customer_transactions_customer_id_fkey
    customers_referred_by_customer_id_fkey notification_recipients_customer_id_fkey onsite_participants_customer_id_fkey
    referrals_customer_id_fkey rewards_customer_id_fkey bookings_stretcher_in_one_place bookings_zone_id_fkey campaigns_meta_campaign
    customers_zone_id_fkey error_counts_group_id_fkey error_people_group_id_fkey
    event_failures_group_id_fkey event_rollup_version_pkey growth_days_pkey growth_outliers_pkey growth_partners_pkey
    growth_places_pkey import_rows_import_id_fkey import_rows_pkey leads_leadgen merged_leads_leadgen meta_leadgens_lead_id_fkey migrations_pkey
    onsite_participants_slot_once referral_figures_pkey schedule_runs_once schedule_runs_one_at_a_time
    kept_counts_pkey ticket_report_blocks_pkey ticket_report_changes_pkey sign_in_attempts_passkey_id_fkey ticket_words_pkey bookings_stretcher_id_fkey
    credit_entries_booking_id_fkey credit_entries_transaction_id_fkey customer_transactions_booking_id_fkey
    customers_referred_by_stretcher_id_fkey earners_stretcher_id_fkey payroll_entries_booking_id_fkey ticket_words_ticket_id_fkey`),
}
function split(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Raised by triggers under its own name. */
const RAISED = ['onsite_sessions_stretcher_works', 'onsite_sessions_stretcher_certified']

describe('a constraint that callers may violate', () => {
  it('is expected by a route or cannot be reached', async () => {
    const expected = allRoutes(server.db).routes.flatMap((route) => Object.keys(route.expected))
    const decided = [...expected, ...Object.values(unreachable).flat()]
    const known = await findConstraints()
    expect(known.filter((name) => !decided.includes(name))).toEqual([])
    // Names that no longer exist.
    expect(decided.filter((name) => !known.includes(name) && !RAISED.includes(name))).toEqual([])
    const twice = Object.values(unreachable).flat()
    expect(twice.filter((name, at) => expected.includes(name) || twice.indexOf(name) !== at)).toEqual([])
  })
  it('becomes a refusal of its call', () => {
    for (const { call, expected } of allRoutes(server.db).routes)
      for (const code of Object.values(expected))
        if (code !== 'conflict') expect(call.refusals?.[code ?? ''], `${call.path} ${code}`).toBeDefined()
  })
})

/** Runs a call against another open transaction, which commits once the call waits for it. */
async function race(other: (tx: Db) => Promise<unknown>, send: () => Promise<TestReply>): Promise<string> {
  const sent: Promise<TestReply>[] = []
  await server.db.transaction().execute(async (tx) => {
    await other(tx)
    const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    sent.push(send())
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where ${own.rows[0]?.pid} = any (pg_blocking_pids(pid))`.execute(server.db)
      return rows.length > 0
    })
  })
  const reply = await sent[0]
  return `${reply?.status} ${reply?.failure.code}`
}

describe('concurrent calls', () => {
  const boss = () => server.asOwner({ isSteppedUp: true })
  const remove = (table: 'customers' | 'zones' | 'training_courses' | 'training_lessons', id: number) => (tx: Db) =>
    tx.deleteFrom(table).where('id', '=', id).execute()

  it('cannot give two zones the same name', async () => {
    const zone = await makeZone(server.db)
    const body = {
      id: zone.id,
      name: 'raced',
      time_zone: 'America/Los_Angeles',
      geometry: JSON.parse(String(draftZone().geometry)),
    }
    const send = () => boss().send(updateZone, { body: body as never })
    expect(await race((tx) => makeZone(tx, { name: 'Raced' }), send)).toBe('409 name_taken')
  })
  it('cannot give two certification types the same name', async () => {
    const type = await makeCertificationType(server.db)
    const body = { certificationName: 'raced' }
    const send = () => boss().send(updateCertificationType, { params: { id: String(type.id) }, body: body as never })
    expect(await race((tx) => makeCertificationType(tx, { name: 'Raced' }), send)).toBe('409 name_taken')
  })
  it('cannot give two businesses the same path, or use a zone that is being deleted', async () => {
    const zone = await makeZone(server.db)
    const gone = await makeZone(server.db)
    const { id } = await makeBusiness(server.db, { zone_id: zone.id })
    const form = { name: 'Inn', custom_path: 'raced', admin_email: 'a@example.com', zone_id: zone.id }
    const update = (body: object) => boss().send(updateBusiness, { body: { ...form, id, ...body } as never })
    expect(
      await race(
        (tx) => makeBusiness(tx, { zone_id: zone.id, custom_path: 'raced' }),
        () => update({}),
      ),
    ).toBe('409 path_taken')
    const elsewhere = { custom_path: 'elsewhere', zone_id: gone.id }
    expect(await race(remove('zones', gone.id), () => update(elsewhere))).toBe('422 no_zone')
    const next = await makeZone(server.db)
    const create = () =>
      boss().send(createBusiness, { body: { ...form, custom_path: 'new', zone_id: next.id } as never })
    expect(await race(remove('zones', next.id), create)).toBe('422 no_zone')
  })
  it('cannot give two accounts, stretchers or workers the same email', async () => {
    const { id } = await makeCustomer(server.db, { first_name: 'A', last_name: 'B' })
    const correct = (email: string) => () =>
      boss().send(correctContact, {
        params: { id: String(id) },
        body: { first_name: 'A', last_name: 'B', email, phone: null, reason: 'asked' } as never,
      })
    expect(await race((tx) => makeCustomer(tx, { email: 'one@example.com' }), correct('one@example.com'))).toBe(
      '409 email_taken',
    )
    await makeStretcher(server.db, { customer_id: id })
    const taken = (tx: Db) => makeStretcher(tx, { email: 'two@example.com' })
    expect(await race(taken, correct('two@example.com'))).toBe('409 email_taken')
    const worker = await makeWorker(server.db)
    const rename = () =>
      boss().send(correctWorker, {
        params: { id: String(worker.id) },
        body: { name: 'Robin', email: 'raced@example.com', version: 1 } as never,
      })
    expect(await race((tx) => makeWorker(tx, { email: 'raced@example.com' }), rename)).toBe('409 taken')
  })
  it('cannot give two saved replies the same name', async () => {
    const by = await boss().worker()
    const draft = { changed_by: by.id }
    const reply = await makeSavedReply(server.db, { ...draft, name: 'mine' })
    const send = () =>
      boss().send(updateSavedReply, {
        params: { id: String(reply.id) },
        body: { name: 'raced', content: 'x', version: 1 } as never,
      })
    expect(await race((tx) => makeSavedReply(tx, { ...draft, name: 'Raced' }), send)).toBe('409 name_taken')
  })
  it('cannot enroll in or require a course that is being deleted', async () => {
    const course = await makeCourse(server.db, { is_active: false })
    await makeLesson(server.db, { course_id: course.id })
    await server.db.updateTable('training_courses').set({ is_active: true }).where('id', '=', course.id).execute()
    const { id: user_id } = await makeCustomer(server.db)
    const send = () => boss().send(enrollLearner, { body: { course_key: course.course_key, user_id } })
    expect(await race(remove('training_courses', course.id), send)).toBe('404 not_found')

    const required = await makeCourse(server.db)
    const create = () =>
      boss().send(createCourse, {
        body: { course_key: 'raced', title: 'Raced', prerequisites: [required.course_key] } as never,
      })
    expect(await race(remove('training_courses', required.id), create)).toBe('409 conflict')
  })
  it('cannot convert a lead, open a ticket or enroll for an account that is being deleted', async () => {
    const person = async () => {
      const { id, email } = await makeCustomer(server.db, { email: `gone-${randomToken(4)}@example.com`.toLowerCase() })
      return { id, email, gone: remove('customers', id) }
    }
    const first = await person()
    const lead = await makeLead(server.db, { email: first.email })
    const convert = () => boss().send(convertLead, { params: { id: String(lead.id) }, body: {} as never })
    expect(await race(first.gone, convert)).toBe('409 conflict')

    const second = await person()
    const open = () =>
      boss().send(createTicket, { body: { customer_email: second.email, subject: 'x', content: 'y' } as never })
    expect(await race(second.gone, open)).toBe('409 conflict')

    const third = await person()
    const course = await makeCourse(server.db)
    await makeLesson(server.db, { course_id: course.id })
    await server.db.updateTable('training_courses').set({ is_active: true }).where('id', '=', course.id).execute()
    const enroll = () => boss().send(enrollLearner, { body: { course_key: course.course_key, user_id: third.id } })
    expect(await race(third.gone, enroll)).toBe('422 no_user')
  })
  it('cannot record progress in a lesson that is being deleted', async () => {
    const course = await makeCourse(server.db)
    const lesson = await makeLesson(server.db, { course_id: course.id })
    await makeLesson(server.db, { module_id: lesson.module_id, position: 1 })
    await server.db.updateTable('training_courses').set({ is_active: true }).where('id', '=', course.id).execute()
    const { id: user_id } = await makeCustomer(server.db)
    await boss().send(enrollLearner, { body: { course_key: course.course_key, user_id } })
    const send = () =>
      server
        .anonymous()
        .send(
          recordProgress,
          { body: { user_id, lesson_id: lesson.id, state: 'started', seconds: 5 } },
          { headers: { 'x-portal-key': PORTAL_KEY, origin: undefined } },
        )
    expect(await race(remove('training_lessons', lesson.id), send)).toBe('404 not_found')
  })
  it('cannot schedule a stretcher who is being deactivated', async () => {
    const zone = await makeZone(server.db)
    const business = await makeBusiness(server.db, { zone_id: zone.id })
    const block = await makeBlock(server.db, { business_id: business.id })
    const { id } = await makeStretcher(server.db, { zone_id: zone.id })
    const send = () =>
      boss().send(activateBlock, {
        body: {
          prepaid_block_id: block.id,
          stretcher_id: id,
          starts_at: '2026-12-01T18:00:00Z',
        },
      })
    const deactivate = (tx: Db) =>
      tx
        .updateTable('stretchers')
        .set({ status: 'inactive', deactivated_at: server.clock.now() })
        .where('id', '=', id)
        .execute()
    expect(await race(deactivate, send)).toBe('409 conflict')
  })
  it('can both create a link for a worker, and the later link works', async () => {
    const { body } = await boss().send(inviteWorker, {
      body: { name: 'Lee', email: 'lee@example.com', role: null, permissions: [] } as never,
    })
    const params = { id: String(body.worker.id) }
    const replies = await Promise.all(Array.from({ length: 6 }, () => boss().send(resendLink, { params, body: {} })))
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
  })
})
