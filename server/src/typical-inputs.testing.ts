import { randomUUID } from 'node:crypto'
import { codeOf } from '@limber/contract/access/permissions.ts'
import { calls } from '@limber/contract/calls.ts'
import { type RawBuilder, sql } from 'kysely'
import { makeSchedule } from '#automation/schedule.factory.ts'
import type { Db } from '#platform/db/db.ts'
import { draftMailbox } from '#support/mailboxes/mailbox.testing.ts'
import { makeTag, makeView } from '#support/queues/queue.factory.ts'

export interface Input {
  params?: object
  query?: object
  body?: object
}

/** Adds records that the sample company gets only after it has run for a while. Idempotent. */
export async function addLaterRecords(db: Db, at: Date) {
  if (await db.selectFrom('schedules').select('name').where('name', '=', 'nightly').executeTakeFirst()) return
  await makeSchedule(db, { name: 'nightly', nextRunAt: at })
  await db
    .insertInto('backups')
    .values({
      kind: 'nightly',
      state: 'verified',
      worker_id: null,
      created_at: at,
      beat_at: at,
      taken_at: at,
      file: 'f',
    })
    .execute()
  await sql`insert into training_assets (name, type, filename, mime_type, quality, original_size, final_size, created_at)
    values (repeat('q', 26) || '.mp4', 'video', 'x', 'video/mp4', 'high', 1, 1, now()),
      (repeat('r', 26) || '.mp4', 'video', 'y', 'video/mp4', 'high', 1, 1, now())`.execute(db)
  await sql`with e as (insert into webhook_endpoints (url, events, source, created_at)
    select 'https://hooks.example.com/', '{customer.updated}', 'app', now() from generate_series(1, 3) returning id)
    insert into webhook_deliveries (endpoint_id, event_id, event_type, record, body, state, next_attempt_at, created_at)
    select e.id, 'evt_' || e.id || n, 'customer.updated', 'customers ' || n, '{}', 'failed', now(), now()
    from e, generate_series(1, 3) n`.execute(db)
  await sql`insert into mailboxes (address, name, incoming, created_by, created_at, starts_at)
    select 'desk' || n || '@example.com', 'Desk', 'forward', (select min(id) from workers), ${at}, ${at}
    from generate_series(1, 3) n`.execute(db)
  await makeImportIn(db, 'checked', 30)
  await sql`insert into import_maps (resource, name, columns, created_at) values ('customers', 'Ours', '{}', ${at})`.execute(
    db,
  )
  await sql`insert into payroll_transactions (transaction_type, amount, status, created_at)
    values ('tax_deposit', 12, 'pending', ${at}), ('tax_deposit', 13, 'pending', ${at})`.execute(db)
  await sql`insert into referrals (customer_id, kind, referrer_id, joined_at, earnings)
    select id, 'user', referred_by_customer_id, joined_at, 0 from customers
    where referred_by_customer_id is not null and erased_at is null and merged_into_id is null order by id limit 1
    on conflict do nothing`.execute(db)
}

/** An import with rows that can be created. */
async function makeImportIn(db: Db, state: string, rows = 1): Promise<number> {
  const profile = [{ header: 'Email', filled: rows, dates: null }]
  const { rows: made } = await sql<{ id: number }>`
    insert into imports (resource, source, state, file_name, file_key, file_bytes, file_digest, encoding, delimiter,
      row_count, profile, counts, created_at, checked_at, undo_until)
    select 'customers', 'import', ${state}::text, 'people.csv', 'imports/' || gen_random_uuid() || '.csv', 100,
      gen_random_uuid(), 'utf-8', ',', ${rows}, ${JSON.stringify(profile)}::jsonb, '{"created": 1}', now(), now(),
      case when ${state}::text = 'applied' then '2099-01-01'::timestamptz end
    returning id`.execute(db)
  const id = made[0]?.id ?? 0
  await sql`insert into import_rows (import_id, line, state)
    select ${id}, n + 1, 'create' from generate_series(1, ${rows}::int) n`.execute(db)
  return id
}

const square = (x: number, y: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + 0.1, y],
      [x + 0.1, y + 0.1],
      [x, y + 0.1],
      [x, y],
    ],
  ],
})

/**
 * Typical inputs by call name, taken from the sample company. A call that is not listed needs none. Each can be requested
 * again after a write.
 */
export function typicalInputs(db: Db, workerId: () => Promise<number>): Record<string, () => Promise<Input>> {
  /** The most frequent value of a column, for example the business with the most blocks. */
  async function mostFrequent(table: string, column: string): Promise<number> {
    const { rows } = await sql<{ value: number }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null
      group by 1 order by count(*) desc, 1 limit 1`.execute(db)
    if (!rows[0]) throw new Error(`The sample company has no ${table}`)
    return rows[0].value
  }
  async function first<T extends object = { id: number }>(query: RawBuilder<unknown>): Promise<T> {
    const { rows } = await sql<T>`${query} limit 1`.execute(db)
    if (!rows[0]) throw new Error(`The sample company has no rows for ${query.compile(db).sql}`)
    return rows[0]
  }
  const byId =
    (table: string, column = 'id') =>
    async (): Promise<Input> => ({
      params: { id: String(await mostFrequent(table, column)) },
    })
  /** The id of the record that a query finds, and a body. */
  const to =
    (query: RawBuilder<unknown>, body?: object): (() => Promise<Input>) =>
    async () => ({ params: { id: String((await first(query)).id) }, ...(body && { body }) })
  /** A delivery of a webhook, whose id has the name given. */
  const delivery = (name: string) => async (): Promise<Input> => {
    const found = await first<{ id: number; endpoint_id: number }>(
      sql`select id, endpoint_id from webhook_deliveries
        where endpoint_id in (select id from webhook_endpoints where source = 'app') order by id`,
    )
    return { params: { id: String(found.endpoint_id), [name]: String(found.id) } }
  }
  const withBody =
    (name: string, table: string, column: string, more: object = {}) =>
    async (): Promise<Input> => ({
      body: { [name]: await mostFrequent(table, column), ...more },
    })
  /** A body with the id of the record that a query finds. */
  const naming =
    (name: string, query: RawBuilder<unknown>, more: object = {}) =>
    async (): Promise<Input> => ({ body: { [name]: (await first(query)).id, ...more } })
  const sending =
    (body: object = {}) =>
    async (): Promise<Input> => ({ body })
  const courseKey = async () => {
    const id = await mostFrequent('training_lessons', 'course_id')
    return (await first<{ key: string }>(sql`select course_key as key from training_courses where id = ${id}`)).key
  }
  const ofCourse =
    (more: object = {}) =>
    async (): Promise<Input> => ({ body: { course_key: await courseKey(), ...more } })
  const moduleOf = (course: string) =>
    first<{ key: string; id: number }>(sql`
      select m.module_key as key, m.id from training_modules m join training_courses c on c.id = m.course_id
      where c.course_key = ${course} order by (select count(*) from training_lessons l where l.module_id = m.id) desc`)
  const ofUser = byId('tickets', 'customer_id')
  const importIn = (state: string, body?: object) => async (): Promise<Input> => ({
    params: { id: String(await makeImportIn(db, state)) },
    ...(body && { body }),
  })
  let serial = 0
  const start = randomUUID().slice(0, 8)
  const fresh = (name: string) => `${name}${start}${++serial}`

  const lone = sql`select id from customers c where merged_into_id is null and erased_at is null and blocked_at is null
    and not exists (select from stretchers s where s.customer_id = c.id)`
  const customerEvent = sql`select id from events where source = 'customer'`
  const viewDraft = {
    isShared: true,
    queue: 'high',
    status: null,
    priority: null,
    kind: null,
    assignee: null,
    tag: null,
  }
  const openTicket = sql`select id from tickets where status = 'open' and merged_into_id is null order by updated_at desc`
  const ahead = sql`select s.id from onsite_sessions s where cancelled_at is null and starts_at > '2026-11-18' order by starts_at desc`
  const emptyBusiness = sql`select id from businesses b where not exists (select from onsite_sessions s where s.business_id = b.id)
    and not exists (select from prepaid_blocks p where p.business_id = b.id) order by id desc`

  /** The record that a statement creates. */
  const made = async (statement: RawBuilder<unknown>): Promise<Input> => {
    const { rows } = await sql<{ id: number }>`${statement}`.execute(db)
    return { params: { id: String(rows[0]?.id) } }
  }
  /** One of two new passkeys of the caller. */
  const passkey = async () =>
    made(sql`insert into passkeys (worker_id, credential_id, public_key, counter, is_backup_eligible, is_backed_up, aaguid, name, created_at, confirmed_at)
      select worker_id, sha256(gen_random_uuid()::text::bytea), '\\x01', 0, false, false, gen_random_uuid(), 'Phone', created_at, created_at
      from sessions, generate_series(1, 2) where worker_id = ${await workerId()} limit 2 returning id`)
  const recovery = async () => ({
    ...(await made(sql`insert into recovery_requests (worker_id, created_at, expires_at)
      select w.id, s.created_at, s.created_at + interval '1 day' from workers w, sessions s
      where w.status = 'active' and w.role is distinct from 'Owner' and s.worker_id = ${await workerId()}
        and not exists (select from recovery_requests r where r.worker_id = w.id and r.state = 'open')
      order by w.id desc limit 1 returning id`)),
    body: {},
  })
  const deadDelivery = () =>
    made(sql`update outbox set state = 'dead' where id = (
      select id from outbox where state = 'sent' order by id limit 1) returning id`)
  /** A learner who may take a quiz once more. */
  const quizTaker = async () => {
    const learner = await first<{ user_id: number; lesson_id: number; component: number | null }>(sql`
      select customer_id as user_id, lesson_id, nullif(component, -1) as component from training_attempts a where not exists (
        select from training_attempts p where p.lesson_id = a.lesson_id and p.customer_id = a.customer_id and p.is_passed)
      order by id desc`)
    await sql`insert into training_extra_attempts (lesson_id, customer_id, component, extra)
      values (${learner.lesson_id}, ${learner.user_id}, ${learner.component ?? -1}, 1)
      on conflict (lesson_id, customer_id, component) do update set extra = training_extra_attempts.extra + 1`.execute(
      db,
    )
    return learner
  }

  /** Reads of a record that are not listed below use any row of the table named in their path. */
  const reads = calls.flatMap(({ method, path }) => {
    const table = method === 'GET' && /([\w-]+)\/:id/.exec(path)?.[1]
    return table ? [[`GET ${path}`, byId(table.replaceAll('-', '_'))] as const] : []
  })

  return {
    ...Object.fromEntries(reads),
    ...syncInputs(db),
    'GET /api/access/audit/entries/:id': byId('audit_log'),
    'GET /api/access/workers/:id': byId('sessions', 'worker_id'),
    'GET /api/v1/events/:id': async () => ({ params: { id: (await first<{ id: string }>(customerEvent)).id } }),
    'GET /api/v1/events/by-external-id/:source/:external_id': async () => ({
      params: { source: 'app', external_id: (await first<{ id: string }>(customerEvent)).id },
    }),
    'GET /api/analytics/events/:id': async () => ({
      params: { id: (await first<{ id: string }>(sql`select id from events`)).id },
    }),
    'GET /api/maintenance/schedules/:name': async () => ({ params: { name: await mostFrequent('schedules', 'name') } }),
    'GET /api/payroll/details/:id': byId('payroll_entries'),
    'GET /api/payroll/entries/:id/explanation': byId('payroll_entries'),
    'GET /api/payroll/earners/:id': byId('payroll_entries', 'earner_id'),
    'GET /api/payroll/wage-statements': async () => ({ query: { year: '2026' } }),
    'GET /api/payroll/wage-statements/:earner': async () => ({
      params: { earner: String(await mostFrequent('payroll_entries', 'earner_id')) },
      query: { year: '2026' },
    }),
    'GET /api/payroll/earners/:id/unpaid-sessions': byId('payroll_entries', 'earner_id'),
    'GET /api/businesses/:id': byId('prepaid_blocks', 'business_id'),
    'POST /api/businesses/blocks/list': withBody('business_id', 'prepaid_blocks', 'business_id'),
    'GET /api/businesses/:id/ledger': byId('block_entries', 'business_id'),
    'POST /api/businesses/emails/list': withBody('business_id', 'business_emails', 'business_id'),
    'POST /api/businesses/emails/check': withBody('business_id', 'business_emails', 'business_id', {
      list: 'a@b.example',
    }),
    'POST /api/onsite/candidates': withBody('prepaid_block_id', 'onsite_sessions', 'block_id', {
      starts_at: '2026-12-01T17:00:00Z',
    }),
    'GET /api/onsite/sessions': async () => ({ query: { from: '2026-11-02', to: '2026-12-13' } }),
    'GET /api/onsite/sessions/:id': byId('onsite_participants', 'session_id'),
    'GET /api/zones/:id': byId('customers', 'zone_id'),
    'GET /certifications/types/:id': byId('certifications', 'type_id'),
    'GET /api/certifications/holders': async () => ({ query: { search: 'a' } }),
    'GET /api/stretchers/:id': byId('onsite_sessions', 'stretcher_id'),
    'POST /api/stretchers/by-zone': withBody('zone_id', 'stretchers', 'zone_id'),
    'POST /api/training/courses/get': ofCourse(),
    'POST /api/training/courses/readiness': ofCourse(),
    'POST /api/training/courses/analytics': ofCourse(),
    'POST /api/training/modules/list': ofCourse(),
    'POST /api/training/lessons/list': ofCourse(),
    'POST /api/training/enrolments/list': ofCourse(),
    'POST /api/training/enrolments/candidates': ofCourse({ search: 'a' }),
    'POST /api/training/lessons/get': withBody('lesson_id', 'training_lessons', 'id'),
    'POST /api/training/assets/usage': withBody('asset_id', 'training_assets', 'id'),
    'GET /api/support/users/:id': ofUser,
    'GET /api/support/users/:id/tickets': ofUser,
    'GET /api/support/users/:id/rewards': byId('credit_entries', 'customer_id'),
    'GET /api/support/users/:id/transactions': byId('customer_transactions', 'customer_id'),
    'GET /api/support/users/:id/bookings': byId('bookings', 'customer_id'),
    'GET /api/support/users/:id/analytics': byId('bookings', 'customer_id'),
    'GET /api/support/users/:id/notes': byId('customer_notes', 'customer_id'),
    'GET /api/support/users/:id/contact': ofUser,
    'GET /api/support/users/:id/duplicates': ofUser,
    'GET /api/support/users/:id/messages': ofUser,
    'GET /api/support/tickets/:id': byId('ticket_messages', 'ticket_id'),
    'GET /api/support/kb-suggestion/:id': byId('kb_suggestion_reviews', 'suggestion_id'),
    'POST /api/support/notifications/preview': sending({
      title: 'Hello',
      body: 'A word',
      audience: { kind: 'all' },
      channel: 'mail',
    }),
    'POST /api/support/mailboxes/check': async () => ({ body: draftMailbox() }),
    'POST /api/marketing/lead': withBody('leadId', 'lead_steps', 'lead_id'),
    'GET /api/campaigns/:id': byId('leads', 'campaign_id'),
    'GET /api/marketing/figures/:figure': async () => ({ params: { figure: 'users' } }),
    'GET /api/marketing/city-summary': async () => ({
      query: { zoneId: String(await mostFrequent('customers', 'zone_id')) },
    }),
    'GET /api/marketing/referrals/people/:id': to(
      sql`select id from customers where referred_by_customer_id is not null order by id`,
    ),
    'GET /api/marketing/partner/businesses/:id': byId('onsite_sessions', 'business_id'),
    'GET /api/tech/errors/:id': byId('event_failures', 'group_id'),
    'GET /api/tech/errors/:id/occurrences': byId('event_failures', 'group_id'),
    'GET /api/tech/deliveries/:id': byId('outbox'),
    'GET /api/tech/inbound/:id': byId('inbound_events'),

    'GET /api/verify/:shortId': async () => ({
      params: { shortId: (await first<{ id: string }>(sql`select short_id as id from certifications order by id`)).id },
    }),
    'POST /api/access/audit/verify': sending(),
    'POST /api/payroll/audit': sending({ startDate: '2026-10-01', endDate: '2026-10-31' }),

    // Writes.
    'POST /api/access/workers/invite': async () => ({
      body: { email: `${fresh('new')}@example.com`, name: 'Noor Vale', permissions: [codeOf('tickets.handle')] },
    }),
    'PATCH /api/access/workers/:id': async () => {
      const { id, ...row } = await first<{ id: number; name: string; email: string; version: number }>(
        sql`select id, name, email, version from workers where role is distinct from 'Owner' and email not like 'worker-%' order by id desc`,
      )
      return { params: { id: String(id) }, body: { ...row, name: fresh('Noor ') } }
    },
    'PATCH /api/access/workers/:id/permissions': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from workers where status = 'active' and role is distinct from 'Owner' and email not like 'worker-%' order by id`,
      )
      return {
        params: { id: String(id) },
        body: { role: null, permissions: [codeOf('tickets.handle'), codeOf('users.overview')], version },
      }
    },
    'POST /api/access/workers/:id/disable': to(
      sql`select id from workers where status = 'active' and role is distinct from 'Owner' and email not like 'worker-%' order by id`,
      { reason: 'left' },
    ),
    'POST /api/access/workers/:id/enable': to(sql`select id from workers where status = 'disabled' order by id`, {}),
    'POST /api/access/workers/:id/end-sessions': to(
      sql`select id from workers where status = 'active' and email not like 'worker-%' order by id`,
      {},
    ),
    'POST /api/access/workers/:id/resend-link': to(sql`select id from workers where status = 'invited'`, {}),
    'POST /api/access/workers/:id/revoke-link': to(sql`select id from workers where status = 'invited'`, {}),
    'POST /api/access/workers/:id/show-link': to(sql`select id from workers where status = 'invited'`, {}),
    'POST /api/access/limits': async () => ({ body: { creditsPerDay: 200 + ++serial } }),
    'POST /api/access/recoveries/:id/approve': recovery,
    'POST /api/access/recoveries/:id/deny': recovery,
    'POST /api/access/webhooks': async () => ({
      body: { url: 'https://hooks.example.com/', events: ['customer.updated'] },
    }),
    'PATCH /api/access/webhooks/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from webhook_endpoints order by id`,
      )
      return { params: { id: String(id) }, body: { description: fresh('Endpoint '), version } }
    },
    'DELETE /api/access/webhooks/:id': to(sql`select id from webhook_endpoints order by id desc`),
    'POST /api/access/webhooks/:id/rotate': to(sql`select id from webhook_endpoints order by id`, { overlapHours: 24 }),
    'POST /api/access/webhooks/:id/test': to(sql`select id from webhook_endpoints order by id`),
    'POST /api/access/webhooks/:id/redeliver': to(sql`select id from webhook_endpoints order by id`, {
      since: '2020-01-01T00:00:00Z',
    }),
    'GET /api/access/webhooks/:id/deliveries': to(sql`select id from webhook_endpoints order by id`),
    'GET /api/access/webhooks/:id/deliveries/:deliveryId': delivery('deliveryId'),
    'POST /api/access/webhooks/:id/deliveries/:deliveryId/redeliver': delivery('deliveryId'),
    'GET /api/v1/webhooks/:id': to(sql`select id from webhook_endpoints where source = 'app' order by id`),
    'POST /api/v1/webhooks': async () => ({
      body: { url: 'https://hooks.example.com/', events: ['customer.updated'] },
    }),
    'PATCH /api/v1/webhooks/:id': to(sql`select id from webhook_endpoints where source = 'app' order by id`, {
      description: 'App',
    }),
    'DELETE /api/v1/webhooks/:id': to(sql`select id from webhook_endpoints where source = 'app' order by id desc`),
    'POST /api/v1/webhooks/:id/rotate': to(sql`select id from webhook_endpoints where source = 'app' order by id`, {
      overlap_hours: 24,
    }),
    'POST /api/v1/webhooks/:id/test': to(sql`select id from webhook_endpoints where source = 'app' order by id`),
    'POST /api/v1/webhooks/:id/redeliver': to(sql`select id from webhook_endpoints where source = 'app' order by id`, {
      since: '2020-01-01T00:00:00Z',
    }),
    'GET /api/v1/webhooks/:id/deliveries': to(sql`select id from webhook_endpoints where source = 'app' order by id`),
    'POST /api/v1/webhooks/:id/deliveries/:delivery_id/redeliver': delivery('delivery_id'),
    'POST /api/access/api-keys': async () => ({
      body: { name: fresh('Key '), source: 'app', scopes: ['customers:read', 'events:write'] },
    }),
    'PATCH /api/access/api-keys/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from api_keys where revoked_at is null order by id`,
      )
      return { params: { id: String(id) }, body: { name: fresh('Key '), version } }
    },
    'POST /api/access/api-keys/:id/rotate': to(sql`select id from api_keys where revoked_at is null order by id`, {
      overlapHours: 24,
    }),
    'POST /api/access/api-keys/:id/revoke': to(sql`select id from api_keys where revoked_at is null order by id`, {}),
    'POST /api/recovery/request': sending({ email: 'nobody@example.com' }),
    'POST /api/recovery/redeem': sending({ email: 'nobody@example.com', code: 'abcd-efgh-jkmn' }),
    'POST /api/auth/verify-credentials': sending({ email: 'nobody@example.com' }),
    'POST /api/auth/step-up/start': async () => {
      await passkey()
      return { body: {} }
    },
    'PATCH /api/profile': async () => {
      const { rows } = await sql<{ email: string; version: number }>`
        update workers set role = 'Owner' where id = ${await workerId()} returning email, version`.execute(db)
      return { body: { name: fresh('Noor '), ...rows[0] } }
    },
    'PATCH /api/profile/passkeys/:id': async () => ({ ...(await passkey()), body: { name: 'Laptop' } }),
    'DELETE /api/profile/passkeys/:id': passkey,
    'DELETE /api/profile/sessions/:id': async () =>
      made(sql`insert into sessions (token_hash, worker_id, created_at, last_seen_at)
        select sha256(gen_random_uuid()::text::bytea), worker_id, created_at, last_seen_at from sessions
        where worker_id = ${await workerId()} limit 1 returning id`),
    'DELETE /api/profile/devices/:id': async () =>
      made(sql`insert into devices (worker_id, token_hash, label, created_at, last_used_at, expires_at)
        select worker_id, sha256(gen_random_uuid()::text::bytea), 'Firefox', created_at, created_at, created_at + interval '30 days'
        from sessions where worker_id = ${await workerId()} limit 1 returning id`),
    'POST /api/profile/passkeys/start': sending(),
    'POST /api/profile/recovery-codes': sending(),
    'POST /api/profile/authenticator/start': sending(),
    'POST /api/analytics/events': async () => ({
      body: {
        events: [
          {
            id: randomUUID(),
            action_type: 'booking_viewed',
            event_outcome: 'success',
            method: 'GET',
            url: '/book',
            response_status: 200,
            response_time: 12,
            createdAt: '2026-11-16T16:59:00Z',
          },
        ],
      },
    }),
    'POST /api/maintenance/schedules/:name/run': async () => ({ params: { name: 'nightly' }, body: {} }),
    'POST /api/maintenance/schedules/:name/pause': async () => ({ params: { name: 'nightly' }, body: { reason: 'x' } }),
    'POST /api/maintenance/schedules/:name/resume': async () => ({
      params: { name: 'nightly' },
      body: { reason: 'x' },
    }),

    'POST /api/payroll/details': naming(
      'earner_id',
      sql`select earner_id as id from payroll_entries order by id desc`,
      { type: 'bonus', amount: 25, work_date: '2026-11-16' },
    ),
    'POST /api/payroll/details/:id/cancel': to(
      sql`select id from payroll_entries where status = 'pending' and type <> 'session' order by id desc`,
      { reason: 'twice' },
    ),
    'POST /api/payroll/transactions/:id/settle': to(
      sql`select id from payroll_transactions where transaction_type = 'tax_deposit' and status = 'pending' order by id desc`,
      { status: 'completed' },
    ),
    'PATCH /api/payroll/settings': async () => ({ body: { basePay: 45 + ++serial, effectiveFrom: '2027-02-01' } }),
    'POST /api/payroll/earners': naming(
      'stretcher_id',
      sql`select id from stretchers s where not exists (select from earners e where e.stretcher_id = s.id) order by id desc`,
    ),
    'POST /api/payroll/periods/close': naming(
      'period_id',
      sql`select id from pay_periods p where closed_at is null and pay_date <= '2026-11-16' and not exists (
        select from payroll_entries e where e.pay_period_id = p.id and e.status = 'pending') order by id`,
    ),
    'POST /api/payroll/earners/:id/profiles': to(sql`select id from earners order by id desc`, {
      filing_status: 'single',
      effective_from: '2026-12-01',
    }),

    'POST /api/businesses/create': async () => ({
      body: {
        name: fresh('Harbor '),
        custom_path: fresh('harbor-'),
        admin_email: 'desk@example.com',
        zone_id: (await first(sql`select id from zones order by id`)).id,
      },
    }),
    'POST /api/businesses/update': async () => {
      const row = await first<Record<string, unknown>>(
        sql`select id, name, custom_path, admin_email, zone_id, rep_name from businesses where archived_at is null order by id`,
      )
      return { body: { ...row, name: fresh('Harbor ') } }
    },
    'POST /api/businesses/archive': naming(
      'id',
      sql`select id from businesses b where archived_at is null and not exists (
        select from onsite_sessions s where s.business_id = b.id and s.cancelled_at is null and s.ends_at > '2026-11-01') order by id desc`,
    ),
    'POST /api/businesses/restore': naming(
      'id',
      sql`select id from businesses where archived_at is not null order by id`,
    ),
    'POST /api/businesses/delete': naming('id', emptyBusiness),
    'POST /api/businesses/blocks/create': withBody('business_id', 'prepaid_blocks', 'business_id', {
      block_hours: 4,
      slot_length_minutes: 20,
    }),
    'POST /api/businesses/blocks/update': naming(
      'block_id',
      sql`select id from prepaid_blocks where used_at is null order by id`,
      { internal_label: 'Spring', expires_on: null },
    ),
    'POST /api/businesses/blocks/delete': naming(
      'block_id',
      sql`select id from prepaid_blocks where used_at is null order by id desc`,
    ),
    'POST /api/businesses/emails/update': async () => ({
      body: {
        email_id: (await first(sql`select id from business_emails order by id desc`)).id,
        new_email: `${fresh('x')}@example.com`,
      },
    }),
    'POST /api/businesses/emails/delete': naming('email_id', sql`select id from business_emails order by id desc`),
    'POST /api/businesses/emails/reset': naming(
      'business_id',
      sql`select business_id as id from business_emails group by 1 order by count(*), 1`,
    ),
    'POST /api/imports/:id/check': importIn('uploaded', { columns: { Email: 'email' } }),
    'POST /api/imports/:id/apply': importIn('checked', {}),
    'POST /api/imports/:id/cancel': importIn('checking'),
    'POST /api/imports/:id/undo': importIn('applied'),
    'DELETE /api/imports/:id': importIn('uploaded'),
    'POST /api/import-maps': async () => ({
      body: { resource: 'leads', name: fresh('Map '), columns: { Mail: 'email' } },
    }),
    'DELETE /api/import-maps/:id': to(sql`select id from import_maps order by id desc`),
    'POST /api/businesses/emails/upload': withBody('business_id', 'business_emails', 'business_id', {
      list: 'one@new.example\ntwo@new.example',
    }),
    'POST /api/v1/businesses/:path/check-email': async () => {
      const { path, email } = await first<{ path: string; email: string }>(sql`
        select b.custom_path as path, e.email from business_emails e join businesses b on b.id = e.business_id
        order by e.id desc`)
      return { params: { path }, body: { email } }
    },
    'POST /api/v1/sessions/:id/participants': async () => {
      const { id, email } = await first<{ id: number; email: string }>(sql`
        select s.id, e.email from onsite_sessions s join businesses b on b.id = s.business_id and b.archived_at is null
        join business_emails e on e.business_id = b.id
        where s.cancelled_at is null and s.starts_at > '2026-11-18'
          and (select count(*) from onsite_participants p where p.session_id = s.id) < 6
        order by s.starts_at desc, e.id`)
      return { params: { id: String(id) }, body: { name: 'Ana Ruiz', email } }
    },
    'DELETE /api/v1/sessions/:id/participants/:slot': async () => {
      const { id, slot } = await first<{ id: number; slot: number }>(sql`
        select s.id, p.slot from onsite_participants p join onsite_sessions s on s.id = p.session_id
        where s.starts_at > '2026-11-18' order by s.starts_at desc, p.slot`)
      return { params: { id: String(id), slot: String(slot) } }
    },
    'POST /api/onsite/activate-block': async () => {
      const block = await first<{ id: number; zone_id: number }>(sql`
        select p.id, b.zone_id from prepaid_blocks p join businesses b on b.id = p.business_id
        where p.used_at is null and p.expires_on is null and b.archived_at is null order by p.id`)
      return {
        body: {
          prepaid_block_id: block.id,
          stretcher_id: (await goodStretcher(block.zone_id)).id,
          starts_at: '2027-01-12T18:00:00Z',
        },
      }
    },
    'POST /api/onsite/reschedule': naming('session_id', ahead, { new_starts_at: '2027-01-19T18:00:00Z' }),
    'POST /api/onsite/change-stretcher': async () => {
      const { rows } = await sql<{ id: number; zone_id: number; stretcher_id: number }>`
        select s.id, b.zone_id, s.stretcher_id from onsite_sessions s join businesses b on b.id = s.business_id
        where s.cancelled_at is null and s.starts_at > '2026-11-18' order by s.starts_at desc limit 20`.execute(db)
      for (const session of rows) {
        const other = await goodStretcher(session.zone_id, session.stretcher_id).catch(() => undefined)
        if (other) return { body: { session_id: session.id, new_stretcher_id: other.id } }
      }
      throw new Error('The sample company has no session that another stretcher could take')
    },
    'POST /api/onsite/cancel': naming('session_id', ahead, { reason: 'closed that day' }),
    'POST /api/onsite/not-held': naming(
      'session_id',
      sql`select id from onsite_sessions where cancelled_at is null and starts_at between '2026-11-10' and '2026-11-16T16:00:00Z'
        order by starts_at desc`,
      { reason: 'ill' },
    ),
    'POST /api/zones/create': async () => ({
      body: { name: fresh('Zone '), time_zone: 'America/Los_Angeles', geometry: square(10 + ++serial, 10) },
    }),
    'POST /api/zones/update': async () => {
      const row = await first<Record<string, unknown>>(sql`select id, time_zone, geometry from zones order by id`)
      return { body: { ...row, name: fresh('Zone ') } }
    },
    'POST /api/zones/delete': naming(
      'id',
      sql`select id from zones z where not exists (select from businesses b where b.zone_id = z.id)
        and not exists (select from customers c where c.zone_id = z.id)
        and not exists (select from stretchers s where s.zone_id = z.id) order by id desc`,
    ),

    'POST /certifications/types': async () => ({ body: { certificationName: fresh('Level ') } }),
    'PUT /certifications/types/:id': async () => ({
      params: { id: String((await first(sql`select id from certification_types order by id desc`)).id) },
      body: { certificationName: fresh('Level ') },
    }),
    'DELETE /certifications/types/:id': to(
      sql`select id from certification_types t where not exists (select from certifications c where c.type_id = t.id) order by id desc`,
    ),
    'POST /certifications': async () => ({
      body: {
        userId: (await first<{ id: number }>(sql`select customer_id as id from stretchers order by id desc`)).id,
        certificationTypeId: (await first(sql`select id from certification_types order by id`)).id,
        name: 'Robin Vale',
        instructor: 'Ines',
        dateIssued: '2026-11-10',
      },
    }),
    'PUT /certifications/:id': async () => {
      const row = await first<{ id: number; user: number; type: number }>(
        sql`select id, customer_id as user, type_id as type from certifications where revoked_at is null order by id desc`,
      )
      return {
        params: { id: String(row.id) },
        body: {
          userId: row.user,
          certificationTypeId: row.type,
          name: 'Robin Vale',
          instructor: fresh('Ines '),
          dateIssued: '2026-11-10',
        },
      }
    },
    'POST /certifications/:id/revoke': to(
      sql`select id from certifications where revoked_at is null and customer_id not in (
        select customer_id from onsite_sessions o join stretchers s on s.id = o.stretcher_id) order by id`,
      { reason: 'left' },
    ),
    'DELETE /certifications/:id': to(sql`select id from certifications where first_opened_at is null order by id desc`),

    'POST /api/stretchers/onboard-stretcher': async () => ({
      body: {
        firstName: 'Noor',
        lastName: fresh('Vale '),
        email: `${fresh('noor')}@example.com`,
        dateOfBirth: '1990-02-03',
      },
    }),
    'POST /api/stretchers/promote-to-stretcher': async () => ({
      body: {
        email: (
          await first<{ email: string }>(
            sql`select email from customers where id = (${lone} and c.email_verified_at is not null order by id desc limit 1)`,
          )
        ).email,
      },
    }),
    'PATCH /api/stretchers/:id': async () => {
      const { id, zone } = await first<{ id: number; zone: number }>(
        sql`select id, zone_id as zone from stretchers where status = 'active' order by id`,
      )
      return {
        params: { id: String(id) },
        body: { firstName: fresh('Noor '), lastName: 'Vale', dateOfBirth: '1990-02-03', zoneId: zone },
      }
    },
    'POST /api/stretchers/:id/deactivate': async () => {
      const { id, bookings } = await first<{ id: number; bookings: number }>(sql`
        select s.id, (select count(*) from bookings b where b.stretcher_id = s.id and b.starts_at > '2026-11-16T17:00:00Z'
          and b.status in ('requested', 'confirmed')) as bookings
        from stretchers s where status = 'active' and not exists (
          select from onsite_sessions o where o.stretcher_id = s.id and o.cancelled_at is null and o.ends_at > '2026-11-16') order by id desc`)
      return { params: { id: String(id) }, body: { reason: 'moved', bookings } }
    },
    'POST /api/stretchers/:id/activate': to(sql`select id from stretchers where status = 'inactive' order by id desc`, {
      reason: 'back',
    }),
    'POST /api/stretchers/:id/finish-training': to(
      sql`select id from stretchers where status = 'in_training' order by id desc`,
      { reason: 'passed' },
    ),

    'POST /api/training/courses/create': async () => ({ body: { course_key: fresh('course-'), title: 'Hips' } }),
    'POST /api/training/courses/update': async () => ({
      body: { course_key: await courseKey(), title: fresh('Hips ') },
    }),
    'POST /api/training/courses/delete': async () => ({
      body: {
        course_key: (
          await first<{ key: string }>(sql`select course_key as key from training_courses c where not is_active
            and not exists (select from training_course_prerequisites p where p.requires_id = c.id) order by id desc`)
        ).key,
      },
    }),
    'POST /api/training/update-course-theme': ofCourse({ theme: { primaryColor: '#0f7b6c' } }),
    'POST /api/training/modules/create': async () => ({
      body: { course_key: await courseKey(), module_key: fresh('module-'), title: 'Warm up' },
    }),
    'POST /api/training/modules/update': async () => {
      const course_key = await courseKey()
      return { body: { course_key, module_key: (await moduleOf(course_key)).key, title: fresh('Warm up ') } }
    },
    'POST /api/training/modules/reorder': async () => {
      const course_key = await courseKey()
      const { rows } = await sql<{ key: string }>`
        select m.module_key as key from training_modules m join training_courses c on c.id = m.course_id
        where c.course_key = ${course_key} order by m.position desc`.execute(db)
      return { body: { course_key, module_keys: rows.map(({ key }) => key) } }
    },
    'POST /api/training/modules/delete': async () => {
      const row = await first<{ course_key: string; module_key: string }>(sql`
        select c.course_key, m.module_key from training_modules m join training_courses c on c.id = m.course_id
        where not exists (select from training_lessons l where l.module_id = m.id) order by m.id desc`)
      return { body: row }
    },
    'POST /api/training/lessons/create': async () => {
      const course_key = await courseKey()
      const { key } = await moduleOf(course_key)
      return {
        body: { course_key, module_key: key, lesson_key: fresh('lesson-'), title: 'Neck', content_type: 'text' },
      }
    },
    'POST /api/training/lessons/update': naming('lesson_id', sql`select id from training_lessons order by id`, {
      title: 'Necks',
    }),
    'PUT /api/training/lessons/:id': async () => {
      const { id, ...row } = await first<{ id: number } & Record<string, unknown>>(
        sql`select id, title, content_type, content as content_data from training_lessons where content_type = 'quiz' order by id`,
      )
      return { params: { id: String(id) }, body: row }
    },
    'POST /api/training/lessons/:id/questions': to(
      sql`select id from training_lessons where content_type = 'quiz' order by id desc`,
      { id: fresh('q'), type: 'true_false', trainingQuizQuestion: 'Breathe out?', correctAnswer: 0 },
    ),
    'POST /api/training/lessons/delete': naming(
      'lesson_id',
      sql`select id from training_lessons l where not exists (select from training_progress p where p.lesson_id = l.id)
        and not exists (select from training_lesson_prerequisites p where p.requires_id = l.id) order by id desc`,
    ),
    'POST /api/training/lessons/reorder': async () => {
      const course_key = await courseKey()
      const { key, id } = await moduleOf(course_key)
      const { rows } = await sql<{ id: number }>`
        select id from training_lessons where module_id = ${id} order by position desc`.execute(db)
      return { body: { course_key, module_key: key, lesson_ids: rows.map((row) => row.id) } }
    },
    'POST /api/training/assets/delete': withBody('asset_id', 'training_assets', 'id'),
    'POST /api/training/enrolments/create': async () => ({
      body: { course_key: await courseKey(), user_id: (await first(sql`${lone} order by id desc`)).id },
    }),
    'POST /api/training/enrolments/remove': async () => {
      const row = await first<{ course_key: string; user_id: number }>(sql`
        select c.course_key, e.customer_id as user_id from training_enrolments e join training_courses c on c.id = e.course_id
        order by e.customer_id desc`)
      return { body: row }
    },
    'POST /api/training/progress': async () => {
      const row = await first<{ user_id: number; lesson_id: number }>(
        sql`select customer_id as user_id, lesson_id from training_progress order by customer_id desc`,
      )
      return { body: { ...row, state: 'started', seconds: 30 } }
    },
    'POST /api/training/attempts/grant': async () => ({
      body: await first<{ lesson_id: number; user_id: number }>(
        sql`select lesson_id, customer_id as user_id, nullif(component, -1) as component from training_attempts a where not exists (
          select from training_attempts p where p.lesson_id = a.lesson_id and p.customer_id = a.customer_id and p.is_passed)
          order by id desc`,
      ),
    }),

    'POST /api/training/attempts/start': async () => ({ body: await quizTaker() }),
    'POST /api/training/attempts': async () => ({
      body: {
        ...(await first<{ user_id: number; attempt_id: number }>(
          sql`select customer_id as user_id, id as attempt_id from training_attempts where submitted_at is null order by id desc`,
        )),
        answers: [],
      },
    }),

    'POST /api/support/users/:id/notes': to(lone, { note: 'Called back' }),
    'POST /api/support/users/:id/block': to(sql`${lone} order by id desc`, { reason: 'abuse' }),
    'POST /api/support/users/:id/unblock': to(
      sql`select id from customers where blocked_at is not null and erased_at is null order by id`,
      { reason: 'settled' },
    ),
    'POST /api/support/users/:id/credits': to(lone, { delta: 2, reason: 'late' }),
    'PATCH /api/support/users/:id/contact': async () => {
      const { id, ...row } = await first<{ id: number } & Record<string, unknown>>(
        sql`select id, first_name, last_name, email, phone from customers where id = (${lone} order by id limit 1)`,
      )
      return { params: { id: String(id) }, body: { ...row, first_name: fresh('Noor '), reason: 'as asked' } }
    },
    'POST /api/support/users/:id/verification-mail': to(
      sql`${lone} and email_verified_at is null and verification_sent_at is null order by id`,
      { reason: 'as asked' },
    ),
    'POST /api/support/users/:id/merge': async () => {
      const { rows } = await sql<{ id: number }>`
        ${lone} and not exists (select from bookings b where b.customer_id = c.id) order by id desc limit 2`.execute(db)
      return {
        params: { id: String(rows[0]?.id) },
        body: { duplicateId: rows[1]?.id, reason: 'one person' },
      }
    },
    'POST /api/support/users/:id/export': to(sql`${lone} order by id desc`, { reason: 'as asked' }),
    'POST /api/support/users/:id/erase': async () => {
      const { id, email } = await first<{ id: number; email: string }>(
        sql`select id, email from customers where id = (${lone} and not exists (
          select from bookings b where b.customer_id = c.id and b.ends_at > '2026-11-16') order by id desc limit 1)`,
      )
      return { params: { id: String(id) }, body: { reason: 'as asked', email } }
    },
    'POST /api/support/tickets': async () => ({
      body: {
        customer_email: (await first<{ email: string }>(sql`select email from customers order by id desc`)).email,
        subject: 'Keys',
        content: 'I lost them',
      },
    }),
    'POST /api/support/tickets/:id/respond': async () => ({
      params: { id: String((await first(openTicket)).id) },
      body: { message: 'Found them', workerId: await workerId(), status: 'in_progress' },
    }),
    'PATCH /api/support/tickets/:id/status': to(openTicket, { status: 'closed' }),
    'PATCH /api/support/tickets/:id/assignee': async () => ({
      params: { id: String((await first(openTicket)).id) },
      body: { workerId: await workerId() },
    }),
    'PATCH /api/support/tickets/:id/priority': to(
      sql`select id from tickets where status = 'open' and merged_into_id is null and priority <> 'high' order by updated_at desc`,
      { priority: 'high' },
    ),
    'PATCH /api/support/tickets/:id': to(openTicket, { change: { snooze: { until: null } } }),
    'POST /api/support/ticket-tags': async () => ({ body: { name: fresh('tag ') } }),
    'PUT /api/support/ticket-tags/:id': async () => {
      const { id, version } = await makeTag(db)
      return { params: { id: String(id) }, body: { name: fresh('renamed '), version } }
    },
    'POST /api/support/ticket-tags/:id/remove': async () => {
      const { id, version } = await makeTag(db)
      return { params: { id: String(id) }, body: { into: null, version } }
    },
    'POST /api/support/ticket-views': async () => ({ body: { ...viewDraft, name: fresh('view ') } }),
    'PUT /api/support/ticket-views/:id': async () => {
      const { id, version } = await makeView(db, { worker_id: await workerId() })
      return { params: { id: String(id) }, body: { ...viewDraft, name: fresh('view '), version } }
    },
    'DELETE /api/support/ticket-views/:id': async () => ({
      params: { id: String((await makeView(db, { worker_id: await workerId() })).id) },
    }),
    'POST /api/support/tickets/change-many': async () => {
      const { rows } = await sql<{ id: number; version: number }>`
        select id, version from tickets where status = 'open' and merged_into_id is null order by updated_at limit 20`.execute(
        db,
      )
      return { body: { tickets: rows, change: { status: 'in_progress' } } }
    },
    'POST /api/support/tickets/:id/notes': to(openTicket, { content: 'Ask Maya' }),
    'POST /api/support/tickets/:id/merge': async () => {
      const { one, two } = await first<{ one: number; two: number }>(sql`
        select a.id as one, b.id as two from tickets a join tickets b on b.customer_email = a.customer_email and b.id > a.id
        where a.merged_into_id is null and b.merged_into_id is null`)
      return { params: { id: String(two) }, body: { into: one } }
    },
    'POST /api/support/tickets/:id/presence': to(openTicket, { state: 'viewing' }),
    'GET /api/support/tickets/:id/context': to(openTicket),
    'POST /api/support/tickets/:id/split': async () => {
      const found = await first<{ ticket_id: number; id: number }>(sql`
        select m.ticket_id, m.id from ticket_messages m join tickets t on t.id = m.ticket_id
        where t.message_count > 2 and m.from_customer and t.merged_into_id is null
          and m.id > (select min(id) from ticket_messages where ticket_id = t.id) order by m.id desc`)
      return {
        params: { id: String(found.ticket_id) },
        body: { messageId: found.id, takes: 'one', subject: 'Another question' },
      }
    },
    'POST /api/support/tickets/:id/follow-up': to(
      sql`select id from tickets where status = 'closed' and merged_into_id is null order by id desc`,
      {},
    ),
    'POST /api/support/tickets/:id/links': async () => {
      const { one, two } = await first<{ one: number; two: number }>(sql`
        select a.id as one, b.id as two from tickets a join tickets b on b.id > a.id
        where a.merged_into_id is null and b.merged_into_id is null and not exists (
          select from ticket_links l where a.id in (l.from_id, l.to_id)) order by a.id, b.id desc`)
      return { params: { id: String(one) }, body: { ticket: two } }
    },
    'DELETE /api/support/tickets/:id/links/:other': async () => {
      const { from_id, to_id } = await first<{ from_id: number; to_id: number }>(
        sql`select from_id, to_id from ticket_links where kind = 'related' order by from_id`,
      )
      return { params: { id: String(from_id), other: String(to_id) } }
    },
    'POST /api/support/tickets/:id/watch': to(openTicket, { watches: true }),
    'POST /api/support/tickets/:id/booking-requests': async () => {
      const found = await first<{ ticket: number; booking: number }>(sql`
        select t.id as ticket, b.id as booking from tickets t join bookings b on b.customer_id = t.customer_id
        where t.merged_into_id is null and b.status in ('requested', 'confirmed')
          and not exists (select from ticket_tasks s where s.booking_id = b.id) order by b.starts_at desc`)
      return { params: { id: String(found.ticket) }, body: { change: 'cancel', bookingId: found.booking } }
    },
    'POST /api/support/tickets/:id/refund-note': async () => {
      const found = await first<{ ticket: number; payment: number }>(sql`
        select t.id as ticket, p.id as payment from tickets t join customer_transactions p on p.customer_id = t.customer_id
        join customers c on c.id = t.customer_id
        where t.merged_into_id is null and p.status = 'completed' and p.amount > 1 and c.erased_at is null
          and c.merged_into_id is null order by t.id desc`)
      return { params: { id: String(found.ticket) }, body: { paymentId: found.payment, amount: '1', reason: 'late' } }
    },
    'GET /api/support/tickets/:id/macros/:reply': async () => ({
      params: {
        id: String((await first(openTicket)).id),
        reply: String(
          (await first(sql`select id from saved_replies order by jsonb_array_length(actions) desc, id`)).id,
        ),
      },
    }),
    'POST /api/support/tickets/:id/tasks': async () => ({
      params: { id: String((await first(openTicket)).id) },
      body: { dueOn: '2030-01-07', workerId: await workerId() },
    }),
    'POST /api/support/ticket-tasks/:id/done': to(sql`select id from ticket_tasks order by id`, { isDone: true }),
    'POST /api/support/assignment/on-reply': sending({ takesOnReply: true }),
    'POST /api/support/assignment/taking': sending({ takesNew: false }),
    'PUT /api/support/assignment/round-robin': async () => {
      const { version } = await first<{ version: number }>(
        sql`select coalesce((select version from round_robins where view_id is null), 0) as version`,
      )
      return { body: { view: null, isOn: true, maxOpen: 20, members: [await workerId()], version } }
    },
    'POST /api/support/absences': async () => {
      const last = await first<{ day: string }>(
        sql`select greatest(coalesce(max(ends_on), '2030-01-01'), '2030-01-01') + 1 as day from absences`,
      )
      return { body: { workerId: await workerId(), startsOn: last.day, endsOn: last.day } }
    },
    'DELETE /api/support/absences/:id': to(sql`select id from absences order by id desc`),
    'POST /api/hooks/support/message': async () => ({
      body: {
        messageId: `<${fresh('m')}@example.com>`,
        from: (await first<{ email: string }>(sql`select email from customers order by id desc`)).email,
        subject: 'Hello',
        content: 'Where is my voucher?',
      },
    }),
    'PATCH /api/company': async () => ({
      body: {
        ...(await first(
          sql`select name, legal_name, address_line, city, state, phone, reply_to, time_zone, week_starts_on, version from company`,
        )),
        postal_code: '92501',
      },
    }),
    'PUT /api/company/mail-server': async () => ({
      body: {
        ...(await first(sql`select version from mail_server`)),
        ...{
          host: 'mail.example.com',
          port: 587,
          security: 'starttls',
          username: '',
          from_address: 'hello@example.com',
        },
      },
    }),
    'POST /api/company/setup': sending({ isHidden: false }),
    'POST /api/support/saved-replies': async () => ({ body: { name: fresh('Hello '), content: 'Hello there' } }),
    'PUT /api/support/saved-replies/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from saved_replies order by id`,
      )
      return { params: { id: String(id) }, body: { name: fresh('Hello '), content: 'Hello there', version } }
    },
    'POST /api/support/mailboxes': async () => ({ body: { ...draftMailbox(), address: `${fresh('m')}@example.com` } }),
    'PUT /api/support/mailboxes/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from mailboxes order by id`,
      )
      const address = `${fresh('m')}@example.com`
      return { params: { id: String(id) }, body: { ...draftMailbox(), address, version } }
    },
    'POST /api/support/mailboxes/:id/forwarding-address': to(
      sql`select id from mailboxes where incoming = 'forward' order by id`,
    ),
    'DELETE /api/support/mailboxes/:id': to(sql`select id from mailboxes order by id desc`),
    'DELETE /api/support/saved-replies/:id': to(sql`select id from saved_replies order by id desc`),
    'POST /api/support/kb-suggestion': sending({
      title: 'Vouchers',
      content: 'Say how',
      target_section: 'faq',
      priority: 'low',
    }),
    'PUT /api/support/kb-suggestion/:id/review': to(
      sql`select id from kb_suggestions where status = 'pending' order by id desc`,
      { status: 'approved', reason: 'good' },
    ),
    'DELETE /api/support/kb-suggestion/:id': to(
      sql`select id from kb_suggestions where status = 'pending' order by id`,
    ),
    'POST /api/support/notifications': sending({
      title: 'Hello',
      body: 'A word',
      audience: { kind: 'stretchers' },
      channel: 'mail',
    }),
    'POST /api/support/notifications/:id/undo': to(
      sql`select id from notifications where status = 'scheduled' order by id desc`,
    ),
    'POST /api/support/email-logs/:id/reveal': to(sql`select id from email_logs order by id desc`, {
      reason: 'as asked',
    }),

    'POST /api/marketing/leads': async () => ({
      body: { first_name: fresh('Noor '), last_name: 'Vale', email: `${fresh('lead')}@example.com` },
    }),
    'PATCH /api/marketing/leads/:id': to(sql`select id from leads where status = 'new' order by id desc`, {
      first_name: 'Nour',
    }),
    'PATCH /api/marketing/leads/status': naming(
      'leadId',
      sql`select id from leads where status = 'new' order by id desc`,
      { status: 'contacted' },
    ),
    'POST /api/marketing/leads/:id/convert': to(
      sql`select id from leads l where status = 'contacted' and email is not null and not exists (
        select from customers c where c.email = l.email) order by id desc`,
    ),
    'POST /api/marketing/leads/:id/convert/undo': to(
      sql`select id from leads where status = 'converted' order by converted_at desc, id desc`,
    ),
    'POST /api/marketing/leads/:id/notes': async () => ({
      params: { id: String((await first(sql`select id from leads order by id desc`)).id) },
      body: { note: 'Called', workerId: await workerId() },
    }),
    'PATCH /api/marketing/leads/:id/assignee': async () => ({
      params: { id: String((await first(sql`select id from leads where status = 'new' order by id desc`)).id) },
      body: { workerId: await workerId() },
    }),
    'POST /api/marketing/leads/:id/merge': async () => {
      const { one, two } = await first<{ one: number; two: number }>(sql`
        select a.id as one, b.id as two from leads a join leads b on b.phone = a.phone and b.id > a.id order by b.id desc`)
      return { params: { id: String(one) }, body: { duplicateId: two } }
    },
    'PATCH /api/marketing/campaigns/:id/status': to(sql`select id from campaigns where status = 'active' order by id`, {
      status: 'paused',
    }),
    'PATCH /api/campaigns/:id': to(sql`select id from campaigns where status = 'active' order by id desc`, {
      notes: 'Doing well',
    }),
    'POST /api/marketing/tasks': sending({ title: 'Call the gym', priority: 'high' }),
    'PATCH /api/marketing/tasks/:id': to(sql`select id from city_tasks order by id`, { status: 'done' }),
    'POST /api/marketing/referrals/people/:id/review': to(
      sql`select id from customers where referred_by_customer_id is not null order by id desc`,
      { decision: 'approved', reason: 'known' },
    ),
    'POST /api/marketing/team/campaigns/:id/members': async () => ({
      params: { id: String((await first(sql`select id from campaigns where status = 'active' order by id`)).id) },
      body: { workerId: await workerId() },
    }),
    'PATCH /api/marketing/partner/businesses/:id': to(
      sql`select id from businesses where archived_at is null order by id`,
      {
        renewalDate: '2027-03-01',
      },
    ),
    'POST /api/marketing/partner/businesses/:id/notes': to(
      sql`select id from businesses where archived_at is null order by id`,
      { note: 'Called' },
    ),
    'POST /api/marketing/partner/send-email': async () => {
      const { id, email } = await first<{ id: number; email: string }>(
        sql`select id, admin_email as email from businesses where archived_at is null order by id`,
      )
      return { body: { recipients: [email], subject: 'Hello', body: 'A word', businessId: id } }
    },
    'POST /api/tech/errors/:id/handle': to(sql`select id from error_groups where not is_handled order by id desc`, {
      note: 'fixed',
    }),
    'POST /api/tech/errors/:id/reopen': to(sql`select id from error_groups where is_handled order by id desc`, {
      note: 'again',
    }),
    'POST /api/tech/health/check': sending(),
    'POST /api/tech/deliveries/:id/retry': async () => ({ ...(await deadDelivery()), body: {} }),
    'POST /api/tech/deliveries/:id/discard': async () => ({ ...(await deadDelivery()), body: { reason: 'gone' } }),
    'POST /api/tech/deliveries/retry-dead': sending(),
  }

  /** A stretcher of a zone who holds every required certification. */
  function goodStretcher(zoneId: number, except = 0) {
    return first(sql`
      select s.id from stretchers s where s.status = 'active' and s.zone_id = ${zoneId} and s.id <> ${except} and not exists (
        select from certification_types t where t.is_required and t.retired_at is null and not exists (
          select from certifications c where c.customer_id = s.customer_id and c.type_id = t.id and c.revoked_at is null
            and coalesce(c.valid_until, '2030-01-01') > '2027-03-01')) order by s.id`)
  }
}

/** Inputs of the calls for programs: any record, and the example that the API page shows. */
function syncInputs(db: Db): Record<string, () => Promise<Input>> {
  const anyRecord = async (resource: string) => {
    // The sample company paid everybody itself.
    if (resource === 'payroll/history')
      await sql`insert into payroll_history (earner_id, type, amount, withheld, employer_tax, work_date, pay_date, created_at)
        select id, 'session', 100, 18, 7.65, '2026-03-02', '2026-03-13', now() from earners order by id limit 1`.execute(
        db,
      )
    const { rows } = await sql<{ id: number }>`
      select record_id as id from record_changes c where resource = ${resource} and deleted_reason is null
        and not exists (select from external_refs r where r.resource = c.resource and r.record_id = c.record_id)
      order by seq desc, record_id limit 1`.execute(db)
    if (!rows[0]) throw new Error(`The sample company has no ${resource}`)
    return rows[0].id
  }
  const inputs = calls.flatMap(({ method, path, example }): [string, () => Promise<Input>][] => {
    const [, resource = '', rest] =
      /^\/api\/v1\/(.+?)(\/:id|\/:id\/external-id|\/by-external-id\/.*|\/batch)$/.exec(path) ?? []
    const external_id = `typical ${resource} ${randomUUID()}`
    const name = `${method} ${path}`
    // Events and webhooks are not tracked records; their inputs are named above.
    if (resource === 'webhooks' || (resource === 'events' && rest !== '/batch')) return []
    if (rest === '/:id') return [[name, async () => ({ params: { id: String(await anyRecord(resource)) } })]]
    if (rest === '/batch') return [[name, async () => ({ body: example as object })]]
    if (rest === '/:id/external-id')
      return [[name, async () => ({ params: { id: String(await anyRecord(resource)) }, body: { external_id } })]]
    if (!rest) return []
    const readByExternalId = async () => {
      const id = await anyRecord(resource)
      await sql`insert into external_refs (source, resource, external_id, record_id, created_at)
        values ('typical', ${resource}, ${external_id}, ${id}, now()) on conflict do nothing`.execute(db)
      return { params: { source: 'typical', external_id } }
    }
    return [[name, readByExternalId]]
  })
  return Object.fromEntries(inputs)
}
