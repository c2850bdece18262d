import { groupFailures, markHandled } from '@limber/server/tech/public.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

/** Code, text and cause by status. */
const failureTexts: readonly (readonly [number, string, string, string | null])[] = [
  [400, 'bad_request', 'The request is malformed.', null],
  [402, 'card_declined', 'The card was declined.', null],
  [403, 'forbidden', 'You do not have permission to do this.', null],
  [404, 'not_found', 'Not found. Check the address.', null],
  [409, 'conflict', 'Someone else changed this record. Reload and try again.', null],
  [422, 'not_possible', 'The request cannot be processed.', null],
  [429, 'too_many', 'Too many requests. Wait a moment and try again.', null],
  [500, 'broken', 'Something went wrong on our side. It has been recorded.', 'TypeError'],
  [502, 'no_answer', 'The payment service did not respond.', null],
  [503, 'unavailable', 'The service is briefly unavailable. Try again in a moment.', 'DatabaseError 57014'],
]

interface HandledError {
  path: string
  status: number
  /** Hours ago. */
  ago: number
  note: string
}

const handledErrors: readonly HandledError[] = [
  {
    path: '/api/referrals',
    status: 429,
    ago: 20,
    note: 'Raised the invitation limit. It was one per minute.',
  },
  {
    path: '/api/payroll/audit',
    status: 503,
    ago: 9,
    note: 'A full-year audit took too long. It now runs as a background job.',
  },
  {
    path: '/api/stretchers/search',
    status: 500,
    ago: 60,
    note: 'Search failed for zones without stretchers. It now returns an empty list.',
  },
  {
    path: '/api/credits/purchase',
    status: 502,
    ago: 60,
    note: 'The payment provider had an outage. See their status page.',
  },
]

/** A month of failures, grouped like the running product does. Some are handled. */
export async function seedFailures({ db, calendar }: SeedContext): Promise<void> {
  const { now } = calendar
  const rows = JSON.stringify(failureTexts.map(([status, code, text, cause]) => ({ status, code, text, cause })))
  await sql`
    insert into event_failures (event_id, at, source, user_id, worker_id, method, url, path, status, ms, address, request_id, code, text, cause)
    select e.id, e.created_at, e.source, e.user_id, e.worker_id, e.method, split_part(e.url, '?', 1), e.path, e.response_status,
      e.response_time, e.ip_address, case when e.source = 'staff' then md5(e.id::text)::uuid::text end,
      case when e.source = 'staff' then w.code end, w.text, case when e.source = 'staff' then w.cause end
    from events e left join jsonb_to_recordset(${rows}::jsonb) as w(status int, code text, text text, cause text) on w.status = e.response_status
    where e.event_outcome = 'failure' and e.created_at > ${now}::timestamptz - interval '31 days'
    order by e.created_at`.execute(db)
  const work = { db, now, audit: () => {}, publish: () => {}, enqueue: () => {}, emit: () => {}, finish: () => {} }
  while ((await groupFailures(work)) > 0) {
    // In batches, like the running product.
  }
  const { id: workerId } = await db
    .selectFrom('workers')
    .select('id')
    .where('role', '=', 'Tech')
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  for (const { path, status, ago, note } of handledErrors) {
    const group = await db
      .selectFrom('error_groups')
      .select(['id', 'last_seen_at'])
      .where('path', '=', path)
      .where('status', '=', status)
      .executeTakeFirst()
    if (!group) continue
    const at = new Date(now.getTime() - ago * 3_600_000)
    await markHandled(db, group.id, { workerId, note }, at)
    // A later failure reopened it.
    if (group.last_seen_at > at)
      await db
        .updateTable('error_groups')
        .set({ is_handled: false, reopened_at: group.last_seen_at, times_reopened: 1 })
        .where('id', '=', group.id)
        .execute()
  }
}
