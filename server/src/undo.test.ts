import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undoChange } from '@limber/contract/access/history/history.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '#platform/paths.ts'
import { type Input, type Inputs, type InputTools, makeInputTools } from '#platform/testing/testing.inputs.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeView } from '#support/queues/queue.factory.ts'
import { copySampleCompany, SEED_TIMEOUT } from '../../seed/seed-company.testing.ts'
import { addLaterRecords, typicalInputs } from './typical-inputs.testing.ts'
import { undoList } from './undo-list.ts'
import { nameOf, peoplesChanges, undoTable } from './undo-table.ts'

const undoable = peoplesChanges.filter((call) => undoList.get(nameOf(call))?.by === 'history')

it('the list of undo has each change of the contract that people make, and nothing else', () => {
  expect([...undoList.keys()].toSorted()).toEqual(peoplesChanges.map(nameOf).toSorted())
})

it('docs/undo.md has the list of undo', async () => {
  const written = await readFile(join(root, 'docs/undo.md'), 'utf8')
  expect(written, 'if this change is intended, run: npm run undo -- --write').toBe(undoTable())
})

/** Tables that keep what happened, or what is still to be sent. */
const histories = [
  ...['audit_log', 'audit_values', 'audit_chain', 'idempotency_keys', 'sessions', 'outbox', 'rate_limits'],
  ...['events', 'event_deltas', 'event_failures', 'record_changes', 'webhook_deliveries', 'ticket_events'],
  ...['block_entries', 'credit_entries', 'lead_steps', 'ticket_promises', 'ticket_report_changes'],
]
/** Columns that say when and how often a row was changed. */
const marks = ['version', 'updated_at', 'changed_at', 'changed_by', 'corrected_at', 'saved_at', 'saved_by']
/** Columns that keep the moment of the undo, or that something was. The list says so. */
const kept: Readonly<Record<string, readonly string[]>> = {
  'POST /api/businesses/restore': ['archived_at'],
  'PUT /certifications/types/:id': ['retired_at'],
  'DELETE /api/support/tickets/:id/links/:other': ['created_at', 'created_by'],
  'PUT /api/support/rating-settings': ['since'],
  'PATCH /api/marketing/leads/status': ['farthest', 'status_since', 'first_response_at'],
}

/** Inputs that change something which can be undone, where the typical ones do not. */
function undoableInputs({ db, first, to, workerId, fresh }: InputTools): Inputs {
  return {
    'PATCH /api/access/api-keys/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from api_keys where revoked_at is null order by id`,
      )
      return { params: { id: String(id) }, body: { name: fresh('Key '), requestsPerMinute: 77, version } }
    },
    'POST /api/businesses/blocks/delete': async () => {
      const { id } = await first(sql`select id from prepaid_blocks where used_at is null order by id desc`)
      // A session that was canceled stays without its block.
      await sql`update onsite_sessions set block_id = ${id} where id = (
        select id from onsite_sessions where cancelled_at is not null order by id limit 1)`.execute(db)
      return { body: { block_id: id } }
    },
    'DELETE /api/support/ticket-views/:id': async () => {
      const worker = await workerId()
      const { id } = await makeView(db, { worker_id: worker, is_shared: true })
      await sql`with made as (insert into round_robins (view_id, is_on, max_open, changed_at) values (${id}, true, 7, now()) returning id)
        insert into round_robin_members select id, ${worker}, now() from made`.execute(db)
      return { params: { id: String(id) } }
    },
    'POST /api/maintenance/schedules/:name/resume': async () => {
      await sql`update schedules set is_enabled = false, paused_at = now(), paused_reason = 'x' where name = 'nightly'`.execute(
        db,
      )
      return { params: { name: 'nightly' }, body: { reason: 'Repaired' } }
    },
    'POST /api/maintenance/schedules/:name/pause': async () => {
      await sql`update schedules set next_run_at = '2026-11-17T14:00:00Z' where name = 'nightly'`.execute(db)
      return { params: { name: 'nightly' }, body: { reason: 'Repairs' } }
    },
    'PATCH /api/company': async () => ({
      body: await first(
        // As far as it can be located.
        sql`with located as (update company set latitude = 33.996523, longitude = -117.374179) select name || '!' as name, legal_name, address_line, city, state, postal_code, phone, reply_to, time_zone, week_starts_on, version from company`,
      ),
    }),
    'PUT /api/support/rating-settings': async () => {
      const { version, is_on } = await first<{ version: number; is_on: boolean }>(
        sql`select version, is_on from rating_settings`,
      )
      return { body: { isOn: !is_on, version } }
    },
    'POST /api/stretchers/:id/deactivate': async () => {
      const { id } = await first(sql`select id from stretchers s where status = 'active'
        and not exists (select from onsite_sessions o where o.stretcher_id = s.id and o.ends_at > '2026-11-16') order by id`)
      await sql`update bookings set stretcher_id = null, status = 'requested'
        where stretcher_id = ${id} and starts_at > '2026-11-16' and status in ('requested', 'confirmed')`.execute(db)
      return { params: { id: String(id) }, body: { reason: 'On leave' } }
    },
    'PUT /api/training/lessons/:id': async () => {
      const { id, ...row } = await first<{ id: number }>(
        sql`select id, title || '!' as title, content_type, content as content_data from training_lessons where content_type = 'quiz' order by id`,
      )
      return { params: { id: String(id) }, body: row }
    },
    'PATCH /api/marketing/tasks/:id': to(sql`select id from city_tasks where done_at is null order by id`, {
      status: 'done',
      priority: 'high',
    }),
    'POST /api/support/ticket-tasks/:id/done': to(sql`select id from ticket_tasks where done_at is null order by id`, {
      isDone: true,
    }),
    'PATCH /api/support/tickets/:id/status': to(
      sql`select id from tickets where status = 'open' and merged_into_id is null order by id`,
      { status: 'in_progress' },
    ),
    'POST /api/support/tickets/change-many': async () => {
      const tag = await first(sql`select id from ticket_tags order by id`)
      const { rows } = await sql`select id, version from tickets t
        where merged_into_id is null and not ${tag.id} = any(tags) and cardinality(tags) < 5 order by id limit 20`.execute(
        db,
      )
      return { body: { tickets: rows, change: { addTag: tag.id } } }
    },
    'PATCH /api/marketing/leads/:id/assignee': async () => ({
      params: { id: String((await first(sql`select id from leads where status = 'new' order by id desc`)).id) },
      body: { workerId: await workerId() },
    }),
  }
}

let server: TestServer
let boss: TestCaller
let inputs: Inputs
beforeAll(async () => {
  server = await startTestServer({ database: await copySampleCompany() })
  const { db, clock } = server
  boss = server.asOwner({ isSteppedUp: true })
  await addLaterRecords(db, clock.now())
  const { id } = await boss.worker()
  const workerId = async () => id
  inputs = { ...typicalInputs(db, workerId), ...undoableInputs(makeInputTools(db, workerId)) }
  // The values before somebody saves them.
  await sql`insert into installation (key, value) values ('limits', '{"creditsPerDay": 200}'),
    ('ticket_assignment', '{"takesOnReply": false}') on conflict do nothing`.execute(db)
  await sql`create table traced (tab text not null, content jsonb not null, n int not null)`.execute(db)
  await sql`create function trace_row() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then insert into traced values (tg_table_name, to_jsonb(old), -1); end if;
      if tg_op <> 'DELETE' then insert into traced values (tg_table_name, to_jsonb(new), 1); end if;
      return null;
    end $$`.execute(db)
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all(${['traced', ...histories]})`.execute(db)
  for (const { name } of rows)
    await sql`create trigger traced after insert or update or delete on ${sql.table(name)} for each row execute function trace_row()`.execute(
      db,
    )
}, SEED_TIMEOUT)
afterAll(() => server.stop())

/** What differs from the start of the trace: rows by their content, kept counts by their sums. */
async function readTrace(ignored: readonly string[] = []): Promise<string[]> {
  const { rows } = await sql<{ tab: string; content: unknown; n: number }>`
    with rows as (select tab, content - ${[...marks, ...ignored]}::text[] as content, n from traced
      -- Settings in versions: only the last one applies.
      where tab <> 'promise_settings' union all
      select tab, content - ${marks}::text[], 1 from (select * from traced where tab = 'promise_settings'
        order by (content ->> 'version')::int desc limit 1) last
      union all select 'promise_settings', to_jsonb(p) - ${marks}::text[], -1 from (
        select * from promise_settings where version <= (select min((content ->> 'version')::int) - 1 from traced where tab = 'promise_settings')
        order by version desc limit 1) p)
    select tab, content, sum(n)::int as n from rows where tab <> 'kept_counts' group by tab, content having sum(n) <> 0
    union all
    select 'kept_counts', jsonb_build_object(content ->> 'scope', c.key), sum(n * c.value::int)::int
    from rows, jsonb_each_text(content -> 'counts') c where tab = 'kept_counts' group by 2 having sum(n * c.value::int) <> 0
    order by tab, n`.execute(server.db)
  return rows.map(({ tab, content, n }) => `${n > 0 ? '+' : ''}${n} ${tab} ${JSON.stringify(content)}`)
}

describe('undo', () => {
  it.each(undoable.map((call) => [nameOf(call), call] as const))(
    '%s leaves every table as before',
    async (name, call) => {
      const input: Input = (await inputs[name]?.()) ?? {}
      await sql`delete from traced`.execute(server.db)
      const reply = await boss.send(call, input as never)
      expect(reply.status, `${JSON.stringify(input)} ${reply.text}`).toBe(200)
      expect(await readTrace()).not.toEqual([])
      const undone = await boss.send(undoChange, { body: { request: reply.headers.get('x-request-id') ?? '' } })
      expect(undone.status, undone.text).toBe(200)
      expect(await readTrace(kept[name])).toEqual([])
    },
  )
})
