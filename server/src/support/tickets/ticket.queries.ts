import { MAX_COUNTED } from '@limber/contract/kit/page.ts'
import type { TicketFile } from '@limber/contract/support/files/ticket-file.ts'
import type { TicketChannel, TicketFigure } from '@limber/contract/support/report/figure.ts'
import {
  MESSAGES_IN_LIST,
  type TicketEmail,
  type TicketStats,
  type TicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db, Row } from '#platform/db/db.ts'
import { countsOf, readCounts } from '#platform/db/kept-counts.ts'
import { containsText } from '../customers/customer.queries.ts'
import { filesJson } from '../files/ticket-file.present.ts'
import { type PromiseJson, promiseJson, promisesJson } from '../promises/promise.present.ts'
import { type CellFilter, countCells } from '../queues/cells.queries.ts'
import { type RatingJson, ratingJson, satisfactionJson } from '../ratings/rating.present.ts'
import { figureTickets } from '../report/figure.queries.ts'
import { replyTo } from './reply-to.queries.ts'
import type { ChangeableTicket } from './ticket.rules.ts'

interface Person {
  id: number
  name: string
}

/** A message as JSON from the database. */
export interface MessageJson {
  id: number
  from_customer: boolean
  content: string
  created_at: string
  worker: Person | null
}

export interface TicketRow
  extends Omit<Row<'tickets'>, 'customer_id' | 'assignee_id' | 'created_by' | 'search_text' | 'tags' | 'is_due_soon'> {
  tags: Person[]
  customer: (Person & { verified: boolean; rank: string; points: number }) | null
  assignee: Person | null
  messages: MessageJson[]
  promise: PromiseJson | null
}

export interface TicketFilter extends Omit<CellFilter, 'queue'> {
  queue: CellFilter['queue'] | { watchedBy: number }
  /** A LIKE pattern; undefined for every ticket. */
  pattern: string | undefined
  /** When the text can be a ticket number: that ticket comes first. */
  number: number | undefined
  /** A second pattern for customers when the text can be a phone number. */
  phone: string | undefined
  /** Also search messages. */
  inMessages: boolean
  /** Only what a number of the report counts. */
  figure: { name: TicketFigure; from: Date; to: Date } | undefined
  channel: TicketChannel | ''
  /** The text contains three letters or digits in a row, so the trigram index can find it. */
  canUseIndex: boolean
}

/** A search returns at most this many tickets, newest first. */
const MAX_MATCHES = 1_000

/** A search first scans this many of the newest tickets. It uses the index only beyond them. */
const MAX_SCANNED = 4_000

/** Limit of index matches per source. */
const MAX_INDEX_MATCHES = 5_000

const personJson = (id: RawBuilder<unknown>, name: RawBuilder<unknown>) =>
  sql`case when ${id} is not null then json_build_object('id', ${id}, 'name', ${name}) end`

// Text is built faster as json than as jsonb; only jsonb has a `distinct`.
// A tag that a job is replacing shows as its replacement.
const tagsJson = sql`(
  select coalesce(jsonb_agg(distinct jsonb_build_object('id', g.id, 'name', g.name)), '[]') from ticket_tags o
  join ticket_tags g on g.id = coalesce(o.replaced_by_id, o.id) where o.id = any(t.tags) and g.removed_at is null)`

/** The columns of ticket `t`; joined to customer `c` and assignee `a`. */
const ticketColumns = sql`t.id, t.status, t.subject, t.customer_email, t.created_at, t.updated_at, t.priority, t.waiting_since,
  t.message_count, t.merged_into_id, t.version, t.kind, t.snoozed_at, t.snoozed_until,
  case when t.tags = '{}' then '[]' else ${tagsJson} end as tags,
  case when c.id is not null then json_build_object('id', c.id, 'name', c.first_name || ' ' || c.last_name,
    'verified', c.email_verified_at is not null, 'rank', c.rank, 'points', c.points) end as customer,
  ${personJson(sql`a.id`, sql`a.name`)} as assignee`

const messageFields = sql`'id', m.id, 'from_customer', m.from_customer, 'content', m.content,
  'created_at', m.created_at, 'worker', ${personJson(sql`w.id`, sql`w.name`)}`

const newestMessages = sql`(
  select coalesce(json_agg(json_build_object(${messageFields}) order by m.id), '[]')
  from (select * from ticket_messages where ticket_id = t.id order by id desc limit ${sql.lit(MESSAGES_IN_LIST)}) m
  left join workers w on w.id = m.worker_id) as messages`

const joins = sql`left join customers c on c.id = t.customer_id left join workers a on a.id = t.assignee_id`

const isActive = sql`t.status <> 'closed' and t.snoozed_at is null`

function inQueue(queue: TicketFilter['queue']): RawBuilder<unknown>[] {
  if (queue === '') return []
  if (queue === 'unassigned') return [isActive, sql`t.assignee_id is null`]
  if (queue === 'breaching') return [sql`t.is_due_soon`]
  if (queue === 'waiting') return [isActive, sql`t.waiting_since is not null`]
  if (queue === 'high') return [isActive, sql`t.priority = 'high'`]
  if (queue === 'snoozed') return [sql`t.status <> 'closed' and t.snoozed_at is not null`]
  if ('watchedBy' in queue)
    return [sql`t.id in (select ticket_id from ticket_watchers where worker_id = ${queue.watchedBy} and is_open)`]
  return [isActive, sql`t.assignee_id = ${queue.mine}`]
}

const ofFigure = ({ name, from, to }: NonNullable<TicketFilter['figure']>) =>
  figureTickets[name]({ from: sql`${from}::timestamptz`, to: sql`${to}::timestamptz` })

const conditions = ({ queue, status, priority, kind, tag, assignee, figure, channel }: TicketFilter) =>
  sql.join(
    [
      sql`t.merged_into_id is null`,
      ...inQueue(queue),
      ...(status ? [sql`t.status = ${status}`] : []),
      ...(priority ? [sql`t.priority = ${priority}`] : []),
      ...(kind ? [kind === 'none' ? sql`t.kind is null` : sql`t.kind = ${kind}`] : []),
      ...(channel
        ? [sql`exists (select from ticket_times x where x.ticket_id = t.id and x.channel = ${channel})`]
        : []),
      ...(figure ? [sql`t.id in (select ticket_id from (${ofFigure(figure)}) f)`] : []),
      ...(tag ? [sql`t.tags <> '{}' and t.tags @> array[${tag}::bigint]`] : []),
      ...(assignee === '' ? [] : [assignee === 'none' ? sql`t.assignee_id is null` : sql`t.assignee_id = ${assignee}`]),
    ],
    sql` and `,
  )

const sortColumns = sql`t.id, t.updated_at, t.waiting_since`
const noTickets = sql`select ${sortColumns} from tickets t where false`

/** Whether a ticket, its customer or a message contains the text. `offset 0` keeps the planner from reordering the lookups. */
const containsSearch = ({ pattern, phone, inMessages }: TicketFilter & { pattern: string }) => sql`(
  t.search_text like lower(${pattern})
  or exists (select from (select search_text from customers where id = t.customer_id offset 0) c
    where ${containsText(sql`c.search_text`, pattern, phone)})
  ${inMessages ? sql`or exists (select from (select words from ticket_words where ticket_id = t.id offset 0) w where w.words like lower(${pattern}))` : sql``})`

/** Tickets of any age that contain the text, from the indexes. */
const indexMatches = ({ pattern, phone, inMessages }: TicketFilter & { pattern: string }) => {
  const patterns = phone === undefined ? [pattern] : [pattern, phone]
  return sql`
    select id from tickets_named(lower(${pattern}), ${sql.lit(MAX_INDEX_MATCHES)}) id
    union all select k.id from customers_named(${patterns}::text[], ${sql.lit(MAX_INDEX_MATCHES)}) c
      cross join lateral (select id from tickets where customer_id = c offset 0) k
    ${inMessages ? sql`union all select id from tickets_saying(lower(${pattern}), ${sql.lit(MAX_INDEX_MATCHES)}) id` : sql``}`
}

/** The ticket with a number; a merged one leads to its target. */
const byNumber = (number: number, filter: TicketFilter) => sql`
  with recursive way as (
    select id, merged_into_id from tickets where id = ${number}
    union select n.id, n.merged_into_id from way w join tickets n on n.id = w.merged_into_id)
  select ${sortColumns} from tickets t where t.id in (select id from way) and ${conditions(filter)}`

/**
 * Tickets whose subject, customer or messages contain the text, as `found`. It scans the newest tickets, which is enough
 * for a frequent word. It uses the indexes only when that finds too few and there are older tickets. Neither step depends
 * on the planner's estimate. Without three letters in a row the indexes cannot be used.
 */
const searchCtes = (filter: TicketFilter & { pattern: string }) => sql`
  newest as materialized (
    select ${sortColumns}, t.search_text, t.customer_id from tickets t where ${conditions(filter)}
    order by t.updated_at desc, t.id desc limit ${sql.lit(MAX_SCANNED)}
  ), near as materialized (
    select ${sortColumns} from newest t where ${containsSearch(filter)} limit ${sql.lit(MAX_MATCHES)}
  ), reach as materialized (
    select (select count(*) from newest) = ${sql.lit(MAX_SCANNED)} and (select count(*) from near) < ${sql.lit(MAX_MATCHES)} as is_short
  ), looked_up as materialized (
    select m.id from reach cross join lateral (${filter.canUseIndex ? indexMatches(filter) : sql`select null::bigint as id where false`}) m
    where reach.is_short
  ), far as materialized (
    select ${sortColumns} from (select distinct id from looked_up) m
    cross join lateral (select * from tickets t where t.id = m.id and ${conditions(filter)} offset 0) t
    order by t.updated_at desc, t.id desc limit ${sql.lit(MAX_MATCHES)}
  ), numbered as materialized (${filter.number === undefined ? noTickets : byNumber(filter.number, filter)}
  ), found as materialized (
    select * from near union select * from far union select * from numbered)`

const orders = {
  newest: sql`t.updated_at desc, t.id desc`,
  waiting: sql`t.waiting_since, t.id`,
  breaching: sql`(select due_at from ticket_promises where ticket_id = t.id and ended_at is null), t.id`,
}

/** One page of tickets, last changed or longest waiting first, with their newest messages, in one statement. */
export async function findTickets(db: Db, filter: TicketFilter, limit: number, offset: number): Promise<TicketRow[]> {
  const { pattern, number, queue } = filter
  const { figure } = filter
  const isByFigure = pattern === undefined && figure !== undefined
  const rest = conditions({ ...filter, figure: isByFigure ? undefined : figure })
  const source =
    pattern === undefined
      ? sql`select ${sortColumns}${isByFigure ? sql`, f.at` : sql``} from tickets t
          ${isByFigure ? sql`join (${ofFigure(figure)}) f on f.ticket_id = t.id` : sql``} where ${rest}`
      : sql`with ${searchCtes({ ...filter, pattern })} select found.*, id in (select id from numbered) as is_exact from found`
  const byTime = orders[queue === 'waiting' || queue === 'breaching' ? queue : 'newest']
  // Newest first by what the figure counts, so that the index on it gives the order.
  const inPage = isByFigure ? sql`t.at desc, t.id desc` : byTime
  const hasExact = pattern !== undefined && number !== undefined
  const order = hasExact ? sql`is_exact desc, ${byTime}` : inPage
  const shown = isByFigure ? sql`, at` : hasExact ? sql`, is_exact` : sql``
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns}, ${promiseJson} as promise, ${newestMessages}
    from (select id${shown} from (${source}) t order by ${order} limit ${limit} offset ${offset}) page
    join tickets t on t.id = page.id ${joins}
    order by ${isByFigure ? sql`page.at desc, t.id desc` : order}`.execute(db)
  return rows
}

/** The next tickets of a filter without a search, newest first. Ids do not move while tickets are being read. */
export async function findTicketsBefore(db: Db, filter: TicketFilter, before: number | undefined, limit: number) {
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns}, ${promiseJson} as promise, ${newestMessages}
    from (select id from tickets t where ${conditions(filter)} ${before === undefined ? sql`` : sql`and t.id < ${before}`}
      order by t.id desc limit ${limit}) page
    join tickets t on t.id = page.id ${joins}
    order by t.id desc`.execute(db)
  return rows
}

/** How many tickets match a filter, and whether the search stopped at a limit. */
export async function countMatching(db: Db, filter: TicketFilter): Promise<{ matching: number; isMore: boolean }> {
  const { pattern, queue, figure, channel } = filter
  const isWatched = typeof queue === 'object' && 'watchedBy' in queue
  if (pattern === undefined && !figure && !channel && !isWatched)
    return { matching: await countCells(db, { ...filter, queue }), isMore: false }
  if (pattern === undefined) {
    const counted = await sql<{ n: number }>`
      select ${countUpTo(sql`select from tickets t where ${conditions(filter)}`)} as n`.execute(db)
    const n = counted.rows[0]?.n ?? 0
    return { matching: Math.min(n, MAX_COUNTED), isMore: n > MAX_COUNTED }
  }
  const { rows } = await sql<{ matching: number; is_more: boolean }>`
    with ${searchCtes({ ...filter, pattern })}
    select (select count(*)::int from found) as matching, (select count(*) from found) >= ${sql.lit(MAX_MATCHES)}
      or (select count(*) from looked_up) >= ${sql.lit(MAX_INDEX_MATCHES)}
      or (select is_short from reach) and not ${filter.canUseIndex}::boolean as is_more`.execute(db)
  return { matching: rows[0]?.matching ?? 0, isMore: rows[0]?.is_more ?? false }
}

/** Tickets by status and the figures of the desk, from the maintained counts. */
export async function readTicketCounts(db: Db) {
  const { open = 0, in_progress = 0, closed = 0, waiting = 0, high_open = 0 } = await readCounts(db, 'tickets')
  return { stats: { open, in_progress, closed } satisfies TicketStats, waiting, high_open }
}

export interface DeskRow {
  oldest_waiting: Date | null
  mine_in_progress: number
  closed_recently: number
}

/** The longest wait, a worker's tickets in progress, and the number closed since a moment. */
export async function findDesk(db: Db, workerId: number, since: Date): Promise<DeskRow> {
  const { rows } = await sql<DeskRow>`
    select kept_count('assignee ' || ${workerId}::bigint, 'in_progress')::int as mine_in_progress,
      (select min(waiting_since) from tickets
        where waiting_since is not null and status <> 'closed' and snoozed_at is null and merged_into_id is null) as oldest_waiting,
      ${countUpTo(sql`select from tickets where status = 'closed' and merged_into_id is null and updated_at >= ${since}`)} as closed_recently`.execute(
    db,
  )
  return rows[0] as DeskRow
}

/** A ticket as shown in lists, with the counts by status. */
export async function findTicketAndStats(
  db: Db,
  id: number,
): Promise<(TicketRow & { stats: Partial<TicketStats> }) | undefined> {
  const { rows } = await sql<TicketRow & { stats: Partial<TicketStats> }>`
    select ${ticketColumns}, ${promiseJson} as promise, ${newestMessages}, ${countsOf('tickets')} as stats from tickets t ${joins} where t.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

export async function findTicket(db: Db, id: number): Promise<TicketRow | undefined> {
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns}, ${promiseJson} as promise, ${newestMessages} from tickets t ${joins} where t.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

export interface TicketDetailRow extends Omit<TicketRow, 'promise'> {
  messages: (MessageJson & {
    delivery: 'waiting' | 'sent' | 'failed' | null
    sender: { address: string; name: string | null } | null
    email: TicketEmail | null
    files: TicketFile[]
  })[]
  notes: { id: number; content: string; worker: Person; created_at: string }[]
  events: {
    id: number
    kind: Row<'ticket_events'>['kind']
    text: string
    worker: Person | null
    created_at: string
  }[]
  others: { id: number; subject: string; status: TicketStatus; created_at: string }[]
  promises: PromiseJson[]
  rating: RatingJson | null
  satisfaction: { good: number; rated: number } | null
  reply_to: string
}

const MAX_THREAD = 500
const MAX_OTHERS = 20

// An email without an outbox row was sent long ago.
const delivery = sql`case when m.from_customer or m.outbox_key is null then null
  else coalesce(case o.state when 'waiting' then 'waiting' when 'sent' then 'sent' else case when o.state is null then 'sent' else 'failed' end end, 'sent') end`

const otherSender = sql`case when m.sender <> t.customer_email then json_build_object('address', m.sender,
  'name', (select k.first_name || ' ' || k.last_name from customers k where k.email = m.sender)) end`

const email = sql`case when e.message_id is not null then json_build_object('kind', e.kind, 'isSpam', e.is_spam, 'spf', e.spf,
  'dkim', e.dkim, 'dmarc', e.dmarc, 'quoted', e.quoted, 'html', case when e.html is not null then json_build_object(
    'isOnly', not e.has_text, 'hasRemote', e.has_remote,
    'showsRemote', exists (select from image_senders s where s.address = coalesce(m.sender, t.customer_email))) end) end`

const ticketDetail = sql`
    select ${ticketColumns},
      (select coalesce(json_agg(json_build_object(${messageFields}, 'delivery', ${delivery}, 'sender', ${otherSender}, 'email', ${email}, 'files', ${filesJson}) order by m.created_at, m.id), '[]')
        from (select * from ticket_messages where ticket_id = t.id order by id desc limit ${sql.lit(MAX_THREAD)}) m
        left join workers w on w.id = m.worker_id left join outbox o on o.key = m.outbox_key
        left join ticket_emails e on e.message_id = m.id) as messages,
      (select coalesce(json_agg(json_build_object('id', n.id, 'content', n.content, 'created_at', n.created_at,
          'worker', json_build_object('id', w.id, 'name', w.name)) order by n.id), '[]')
        from (select * from ticket_notes where ticket_id = t.id order by id desc limit ${sql.lit(MAX_THREAD)}) n
        join workers w on w.id = n.worker_id) as notes,
      (select coalesce(json_agg(json_build_object('id', e.id, 'kind', e.kind, 'text', e.text, 'created_at', e.created_at,
          'worker', ${personJson(sql`w.id`, sql`w.name`)}) order by e.id), '[]')
        from (select * from ticket_events where ticket_id = t.id order by id desc limit ${sql.lit(MAX_THREAD)}) e
        left join workers w on w.id = e.worker_id) as events,
      (select coalesce(json_agg(json_build_object('id', x.id, 'subject', x.subject, 'status', x.status, 'created_at', x.created_at)
          order by x.created_at desc), '[]')
        from (select * from tickets where customer_email = t.customer_email and id <> t.id and merged_into_id is null
          and status <> 'closed' order by created_at desc limit ${sql.lit(MAX_OTHERS)}) x) as others,
      ${promisesJson} as promises, ${ratingJson} as rating,
      case when c.id is not null then ${satisfactionJson} end as satisfaction,
      ${replyTo} as reply_to
    from tickets t ${joins} where t.id = ${0}`

// Built once. Building it for each call would take as long as half of the bare statement.
let detailText: string | undefined

/** A ticket with everything on its screen, in one statement. */
export async function findTicketDetail(db: Db, id: number): Promise<TicketDetailRow | undefined> {
  detailText ??= ticketDetail.compile(db).sql
  const { rows } = await db.executeQuery<TicketDetailRow>(CompiledQuery.raw(detailText, [id]))
  return rows[0]
}

export interface LockedTicket extends ChangeableTicket {
  id: number
  subject: string
  customer_id: number | null
  customer_email: string
  message_count: number
}

/** Locks tickets in the order of their ids, so that concurrent locks cannot deadlock. */
export const lockTickets = (db: Db, ids: readonly number[]): Promise<LockedTicket[]> =>
  db
    .selectFrom('tickets')
    .select([
      'id',
      'status',
      'priority',
      'subject',
      'customer_id',
      'customer_email',
      'assignee_id',
      'kind',
      'tags',
      'snoozed_at',
      'snoozed_until',
      'merged_into_id',
      'message_count',
      'version',
    ])
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const lockTicket = async (db: Db, id: number): Promise<LockedTicket | undefined> =>
  (await lockTickets(db, [id]))[0]

/** An email in a thread: ours by outbox key, or the customer's by Message-ID. */
export interface ThreadMail {
  ours: string | null
  theirs: string | null
}

/**
 * The version of the newest message of a ticket, the emails of its thread, oldest first, and the address that the customer
 * last wrote from.
 */
export async function findThread(
  db: Db,
  ticketId: number,
): Promise<{ newest: number; mails: ThreadMail[]; sender: string | null }> {
  const { rows } = await sql<{ newest: number; mails: ThreadMail[]; sender: string | null }>`
    select coalesce(max(ticket_version), 0) as newest,
      coalesce(json_agg(json_build_object('ours', outbox_key, 'theirs', inbound_key) order by id)
        filter (where outbox_key is not null or inbound_key is not null), '[]') as mails,
      (array_agg(sender order by created_at desc, id desc) filter (where sender is not null))[1] as sender
    from ticket_messages where ticket_id = ${ticketId}`.execute(db)
  return rows[0] ?? { newest: 0, mails: [], sender: null }
}
