import { randomUUID } from 'node:crypto'
import { calls } from '@limber/contract/calls.ts'
import { sql } from 'kysely'
import { accessInputs } from '#access/typical-inputs.testing.ts'
import { analyticsInputs } from '#analytics/typical-inputs.testing.ts'
import { makeSchedule } from '#automation/schedule.factory.ts'
import { automationInputs } from '#automation/typical-inputs.testing.ts'
import { businessesInputs } from '#businesses/typical-inputs.testing.ts'
import { certificationsInputs } from '#certifications/typical-inputs.testing.ts'
import { companyInputs } from '#company/typical-inputs.testing.ts'
import { growthInputs } from '#growth/typical-inputs.testing.ts'
import { importsInputs, makeImportIn } from '#imports/typical-inputs.testing.ts'
import { marketingInputs } from '#marketing/typical-inputs.testing.ts'
import { payrollInputs } from '#payroll/typical-inputs.testing.ts'
import type { Db } from '#platform/db/db.ts'
import { type Input, type Inputs, lone, makeInputTools } from '#platform/testing/testing.inputs.ts'
import { stretchersInputs } from '#stretchers/typical-inputs.testing.ts'
import { draftMailbox } from '#support/mailboxes/mailbox.testing.ts'
import { draftPromises } from '#support/promises/promise.testing.ts'
import { makeTag, makeView } from '#support/queues/queue.factory.ts'
import { techInputs } from '#tech/typical-inputs.testing.ts'
import { trainingInputs } from '#training/typical-inputs.testing.ts'

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

/**
 * Typical inputs by call name, taken from the sample company. A call that is not listed needs none. Each can be requested
 * again after a write.
 */
export function typicalInputs(db: Db, workerId: () => Promise<number>): Inputs {
  const tools = makeInputTools(db, workerId)
  const { first, byId, to, sending, fresh } = tools
  const ofUser = byId('tickets', 'customer_id')
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

  /** Reads of a record that are not listed below use any row of the table named in their path. */
  const reads = calls.flatMap(({ method, path }) => {
    const table = method === 'GET' && /([\w-]+)\/:id/.exec(path)?.[1]
    return table ? [[`GET ${path}`, byId(table.replaceAll('-', '_'))] as const] : []
  })

  return {
    ...Object.fromEntries(reads),
    ...syncInputs(db),
    ...accessInputs(tools),
    ...analyticsInputs(tools),
    ...automationInputs(tools),
    ...businessesInputs(tools),
    ...certificationsInputs(tools),
    ...companyInputs(tools),
    ...growthInputs(tools),
    ...importsInputs(tools),
    ...marketingInputs(tools),
    ...payrollInputs(tools),
    ...stretchersInputs(tools),
    ...techInputs(tools),
    ...trainingInputs(tools),
    'GET /api/support/report': async () => ({ query: { from: '2026-10-01', to: '2026-11-17' } }),
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
    'GET /api/support/users/:id/timeline': ofUser,
    'GET /api/support/users/:id/timeline/counts': ofUser,
    'GET /api/support/tickets/:id': byId('ticket_messages', 'ticket_id'),
    'GET /api/support/kb-suggestion/:id': byId('kb_suggestion_reviews', 'suggestion_id'),
    'POST /api/support/notifications/preview': sending({
      title: 'Hello',
      body: 'A word',
      audience: { kind: 'all' },
      channel: 'mail',
    }),
    'POST /api/support/mailboxes/check': async () => ({ body: draftMailbox() }),

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
    'POST /api/support/tickets/:id/unread': to(openTicket, { isUnread: true }),
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
    'POST /api/support/saved-replies': async () => ({ body: { name: fresh('Hello '), content: 'Hello there' } }),
    'PUT /api/support/saved-replies/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from saved_replies order by id`,
      )
      return { params: { id: String(id) }, body: { name: fresh('Hello '), content: 'Hello there', version } }
    },
    'PUT /api/support/promises': async () => {
      const { version } = await first<{ version: number }>(
        sql`select version from promise_settings order by version desc`,
      )
      return { body: { ...draftPromises(), version } }
    },
    'PUT /api/support/rating-settings': async () => {
      const { version } = await first<{ version: number }>(sql`select version from rating_settings`)
      return { body: { isOn: true, version } }
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
  }
}

/** Inputs of the calls for programs: any record, and the example that the API page shows. */
function syncInputs(db: Db): Inputs {
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
