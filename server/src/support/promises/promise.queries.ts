import type { CustomerRank, PromiseDraft, PromiseKind } from '@limber/contract/support/promises/promise.ts'
import type { TicketPriority } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db } from '#platform/db/db.ts'
import type { Clock, Rules } from './promise.rules.ts'

export interface SettingsRow extends PromiseDraft {
  version: number
  time_zone: string
  saved_by: string | null
  saved_at: Date
}

/** The settings that apply now; none until somebody saved them. */
export async function findSettings(db: Db): Promise<SettingsRow | undefined> {
  const { rows } = await sql<SettingsRow>`
    select s.version, s.week, s.holidays, s.targets, s.time_zone, s.saved_at, w.name as saved_by
    from promise_settings s left join workers w on w.id = s.saved_by order by s.version desc limit 1`.execute(db)
  return rows[0]
}

/** Of two writers with the same version, the second one fails on the key. */
export const insertSettings = (
  db: Db,
  { week, holidays, targets }: PromiseDraft,
  saved: { version: number; timeZone: string; workerId: number | null; at: Date },
) =>
  db
    .insertInto('promise_settings')
    .values({
      version: saved.version,
      week: JSON.stringify(week),
      holidays: JSON.stringify(holidays),
      targets: JSON.stringify(targets),
      time_zone: saved.timeZone,
      saved_by: saved.workerId,
      saved_at: saved.at,
    })
    .execute()

export const rulesOf = ({ version, time_zone, week, holidays, targets }: SettingsRow): Rules => ({
  version,
  hours: { zone: time_zone, week, holidays: new Set(holidays.map(({ day }) => day)) },
  targets,
})

/** Open promises that follow earlier settings. */
export async function countOutdated(db: Db, version: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${countUpTo(sql`select from ticket_promises where ended_at is null and version < ${version}`)} as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export const findOutdated = async (db: Db, version: number, limit: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select ticket_id as id from ticket_promises where ended_at is null and version < ${version} order by version limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Tickets where somebody waits and nothing was computed yet, because there were no settings. */
export const findUnpromised = async (db: Db, after: number, limit: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t where t.waiting_since is not null and t.status <> 'closed' and t.merged_into_id is null and t.id > ${after}
      and not exists (select from ticket_promises p where p.ticket_id = t.id and p.ended_at is null)
    order by t.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export const findStale = async (db: Db, limit: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select ticket_id as id from ticket_times where is_stale order by ticket_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface PromiseRow {
  id: number
  kind: PromiseKind
  started_at: Date
  priority: TicketPriority
  rank: CustomerRank
  version: number
  target_ms: number | null
  spent_ms: number
  running_since: Date | null
  due_at: Date | null
  soon_at: Date | null
}

export interface TicketTimes {
  id: number
  status: 'open' | 'in_progress' | 'closed'
  priority: TicketPriority
  rank: CustomerRank
  waiting_since: Date | null
  is_snoozed: boolean
  is_merged: boolean
  is_due_soon: boolean
  channel: 'email' | 'worker' | 'api'
  opened_priority: TicketPriority
  first_reply_at: Date | null
  closed_at: Date | null
}

const channel = sql`case when t.created_by is not null then 'worker'
  when exists (select from ticket_mailboxes b where b.ticket_id = t.id) or exists (
    select from (select inbound_key from ticket_messages where ticket_id = t.id order by id limit 1) m where m.inbound_key is not null)
  then 'email' else 'api' end`

/** Tickets with what their timers depend on, locked in the order of their ids. */
export async function lockTimes(db: Db, ids: readonly number[]): Promise<TicketTimes[]> {
  const { rows } = await sql<TicketTimes>`
    select t.id, t.status, t.priority, coalesce(c.rank, 'Bronze') as rank, t.waiting_since, t.snoozed_at is not null as is_snoozed,
      t.merged_into_id is not null as is_merged, t.is_due_soon, case when x.first_reply_at is null then ${channel} else x.channel end as channel,
      x.opened_priority, x.first_reply_at, x.closed_at
    from tickets t join ticket_times x on x.ticket_id = t.id left join customers c on c.id = t.customer_id
    where t.id = any(${ids}::bigint[]) order by t.id for no key update of t`.execute(db)
  return rows
}

export async function findOpenPromises(db: Db, ids: readonly number[]): Promise<Map<number, Clock>> {
  const { rows } = await sql<PromiseRow & { ticket_id: number }>`
    select * from ticket_promises where ticket_id = any(${ids}::bigint[]) and ended_at is null`.execute(db)
  return new Map(
    rows.map((row) => [
      row.ticket_id,
      {
        kind: row.kind,
        startedAt: row.started_at,
        priority: row.priority,
        rank: row.rank,
        version: row.version,
        targetMs: row.target_ms,
        spentMs: row.spent_ms,
        runningSince: row.running_since,
        dueAt: row.due_at,
        soonAt: row.soon_at,
        endedAt: null,
        outcome: null,
      },
    ]),
  )
}

/** When the newest of the last messages of each ticket was ours. */
export async function findReplies(db: Db, ids: readonly number[]): Promise<Map<number, Date>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; at: Date }>`
    select i.id, m.created_at as at from unnest(${ids}::bigint[]) i (id) cross join lateral (
      select n.created_at from (select * from ticket_messages where ticket_id = i.id order by id desc limit 20) n
      where not n.from_customer order by n.id desc limit 1) m`.execute(db)
  return new Map(rows.map(({ id, at }) => [id, at]))
}

export interface SavedTimes {
  ticketId: number
  channel: TicketTimes['channel']
  firstReplyAt: Date | null
  closedAt: Date | null
}

/** Everything known about these tickets' times is computed. */
export async function saveTimes(db: Db, times: readonly SavedTimes[]) {
  await sql`
    update ticket_times x set channel = r."channel", first_reply_at = r."firstReplyAt", closed_at = r."closedAt", is_stale = false
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb)
      as r("ticketId" bigint, channel text, "firstReplyAt" timestamptz, "closedAt" timestamptz)
    where x.ticket_id = r."ticketId"`.execute(db)
}

export type SavedClock = Clock & { ticketId: number }

/** What has ended stays as it was, unless a response was taken back. A ticket has one open promise, so it comes last. */
export async function saveClocks(db: Db, clocks: readonly SavedClock[]) {
  for (const isEnded of [true, false]) {
    const some = clocks.filter(({ endedAt }) => (endedAt !== null) === isEnded)
    if (some.length === 0) continue
    await sql`
      insert into ticket_promises as p (ticket_id, kind, started_at, priority, rank, version, target_ms, spent_ms, running_since,
        due_at, soon_at, ended_at, outcome)
      select "ticketId", kind, "startedAt", priority, rank, version, "targetMs", "spentMs", "runningSince", "dueAt", "soonAt",
        "endedAt", outcome
      from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as r("ticketId" bigint, kind text, "startedAt" timestamptz,
        priority text, rank text, version integer, "targetMs" bigint, "spentMs" bigint, "runningSince" timestamptz,
        "dueAt" timestamptz, "soonAt" timestamptz, "endedAt" timestamptz, outcome text)
      on conflict (ticket_id, started_at) do update set priority = excluded.priority, version = excluded.version,
        target_ms = excluded.target_ms, spent_ms = excluded.spent_ms, running_since = excluded.running_since,
        due_at = excluded.due_at, soon_at = excluded.soon_at, ended_at = excluded.ended_at, outcome = excluded.outcome
      where p.ended_at is null or excluded.ended_at is null`.execute(db)
  }
}

/** Removes open promises, for example because the thread of another ticket was added. */
export const removeOpen = (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? undefined
    : db
        .deleteFrom('ticket_promises')
        .where('ticket_id', '=', sql<number>`any(${ids})`)
        .where('ended_at', 'is', null)
        .execute()

export const markDueSoon = (db: Db, ids: readonly number[], isSoon: boolean) =>
  ids.length === 0
    ? undefined
    : db.updateTable('tickets').set({ is_due_soon: isSoon }).where('id', '=', sql<number>`any(${ids})`).execute()

export interface ThreadRow {
  ticket_id: number
  at: Date
  what: 'asked' | 'answered' | 'event'
  kind: string
  text: string
}

/** The threads of tickets, as far as timers follow them, in the order in which it happened. */
export async function findThreads(db: Db, ids: readonly number[]): Promise<ThreadRow[]> {
  const { rows } = await sql<ThreadRow>`
    select ticket_id, at, what, kind, text from (
      select m.ticket_id, m.created_at as at, case when m.from_customer then 'asked' else 'answered' end as what, '' as kind,
        '' as text, 0 as place, m.id
      from ticket_messages m left join ticket_emails e on e.message_id = m.id
      where m.ticket_id = any(${ids}::bigint[]) and coalesce(e.kind, 'message') <> 'auto_reply'
      union all
      select ticket_id, created_at, 'event', kind, text, 1, id from ticket_events
      where ticket_id = any(${ids}::bigint[]) and kind in ('status', 'priority', 'snoozed')
    ) thread order by ticket_id, at, place, id`.execute(db)
  return rows
}

export interface DueRow {
  id: number
  ticket_id: number
  kind: PromiseKind
  priority: TicketPriority
  rank: CustomerRank
  due_at: Date
  assignee_id: number | null
}

/** Tickets whose running promise is soon due or late and was not announced. */
export async function findDue(db: Db, what: 'soon' | 'late', limit: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select ticket_id as id from ticket_promises where running_since is not null and ${
      what === 'soon' ? sql`warned_at is null and soon_at <= ${now}` : sql`escalated_at is null and due_at <= ${now}`
    } order by ${what === 'soon' ? sql`soon_at` : sql`due_at`} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Marks the promises of locked tickets as announced. Returns those that were not before. */
export async function takeDue(db: Db, what: 'soon' | 'late', ids: readonly number[], now: Date): Promise<DueRow[]> {
  const isDue =
    what === 'soon'
      ? sql`p.warned_at is null and p.soon_at <= ${now}`
      : sql`p.escalated_at is null and p.due_at <= ${now}`
  const { rows } = await sql<DueRow>`
    update ticket_promises p set ${what === 'soon' ? sql`warned_at` : sql`escalated_at`} = ${now} from tickets t
    where t.id = p.ticket_id and p.ticket_id = any(${ids}::bigint[]) and p.running_since is not null and ${isDue}
    returning p.id, p.ticket_id, p.kind, p.priority, p.rank, p.due_at, t.assignee_id`.execute(db)
  return rows
}

/** Active workers by id, and those who lead the desk. */
export async function findTold(db: Db, ids: readonly number[], codes: readonly string[]) {
  const { rows } = await sql<{ id: number; name: string; email: string; is_lead: boolean }>`
    select id, name, email, permissions @> ${codes}::text[] as is_lead from workers
    where status = 'active' and (id = any(${ids}::bigint[]) or permissions @> ${codes}::text[]) order by id limit 200`.execute(
    db,
  )
  return rows
}
