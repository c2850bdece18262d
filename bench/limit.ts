import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'

/**
 * The limit of the machine: a bare server on pg with hand-written SQL, the right indexes, and one session lookup per
 * request. No framework, no contract, no audit. The product is measured against it in the same run.
 */
const INT8 = 20
pg.types.setTypeParser(INT8, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12, options: '-c timezone=UTC' })

interface SessionRow {
  worker_id: number
  name: string
  email: string
  role: string | null
  permissions: string[]
}

const session = async (cookie: string | undefined): Promise<SessionRow | undefined> => {
  const token = /(?:^|; )sid=([^;]+)/.exec(cookie ?? '')?.[1] ?? ''
  const { rows } = await pool.query<SessionRow>({
    name: 'session',
    text: `select s.worker_id, w.name, w.email, w.role, w.permissions from sessions s join workers w on w.id = s.worker_id
      where s.token_hash = $1 and s.ended_at is null and s.last_seen_at > now() - interval '30 minutes' and s.created_at > now() - interval '12 hours' and w.status = 'active'`,
    values: [createHash('sha256').update(token).digest()],
  })
  return rows[0]
}

const check = (found: SessionRow) => ({
  worker: { permissions: found.permissions, name: found.name, email: found.email, role: found.role },
  workerId: found.worker_id,
  steppedUpUntil: null,
  isSample: false,
  hasMailServer: false,
  company: { name: '', timeZone: 'America/Los_Angeles', weekStartsOn: 'monday', state: '', logo: null, mapStart: null },
})

const ACTIVE = `now() - interval '90 days'`

async function users(url: URL) {
  const limit = Number(url.searchParams.get('limit') ?? 20)
  const page = Number(url.searchParams.get('page') ?? 1)
  const { rows } = await pool.query({
    name: 'users',
    text: `with matches as materialized (select id, joined_at from customers where search_text like $1 and blocked_at is null and last_login_at > ${ACTIVE})
      select t.total, c.id, c.first_name || ' ' || c.last_name as name, c.email, c.phone, c.email_verified_at is not null as verified, c.rank, c.points, 'active' as status, c.joined_at,
        case when c.erased_at is not null then 'erased' when c.merged_into_id is not null then 'merged' end as ended
      from (select count(*) as total from matches) t, (select id from matches order by joined_at desc, id desc limit $2 offset $3) page join customers c on c.id = page.id
      order by c.joined_at desc, c.id desc`,
    values: [`%${url.searchParams.get('search')}%`, limit, (page - 1) * limit],
  })
  const total = Number(rows[0]?.total ?? 0)
  const pages = Math.max(1, Math.ceil(total / limit))
  return {
    users: rows.map(({ total: _, joined_at, ...row }) => ({ ...row, joinedAt: joined_at.toISOString() })),
    pagination: { page, limit, totalItems: total, totalPages: pages, pages },
  }
}

const PERSON = (table: string) =>
  `case when ${table}.id is not null then jsonb_build_object('id', ${table}.id, 'name', ${table}.name) end`
const TICKET = `t.id, t.status, t.subject, t.customer_email, t.created_at, t.updated_at, t.priority, t.waiting_since, t.version, t.message_count,
  case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.first_name || ' ' || c.last_name,
    'verified', c.email_verified_at is not null, 'rank', c.rank, 'points', c.points) end as customer, ${PERSON('a')} as assignee`
const JOINS = 'left join customers c on c.id = t.customer_id left join workers a on a.id = t.assignee_id'
const MESSAGE = `jsonb_build_object('id', m.id, 'from_customer', m.from_customer, 'content', m.content, 'createdAt', m.created_at, 'worker', ${PERSON('w')})`

type Json = Record<string, unknown> & { createdAt: string }
const dated = (rows: Json[]) => rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt).toISOString() }))
const ticket = ({ created_at, updated_at, waiting_since, message_count, messages, ...row }: pg.QueryResultRow) => ({
  ...row,
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
  waitingSince: row.status === 'closed' ? null : (waiting_since?.toISOString() ?? null),
  messageCount: message_count,
  messages: dated(messages),
})

/** A ticket with its thread, notes, history and the customer's other open tickets, in one statement. */
async function readTicket(id: number) {
  const { rows } = await pool.query({
    name: 'ticket',
    text: `select ${TICKET}, t.merged_into_id as "mergedInto",
      coalesce((select sender from ticket_messages where ticket_id = t.id and sender is not null
        order by created_at desc, id desc limit 1), t.customer_email) as "replyTo",
      (select coalesce(jsonb_agg(${MESSAGE} || jsonb_build_object('delivery', case when m.from_customer or m.outbox_key is null then null
          when o.state = 'waiting' then 'waiting' when coalesce(o.state, 'sent') = 'sent' then 'sent' else 'failed' end) order by m.created_at, m.id), '[]')
        from (select * from ticket_messages where ticket_id = t.id order by id desc limit 500) m
        left join workers w on w.id = m.worker_id left join outbox o on o.key = m.outbox_key) as messages,
      (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'content', n.content, 'createdAt', n.created_at, 'worker', ${PERSON('w')}) order by n.id), '[]')
        from (select * from ticket_notes where ticket_id = t.id order by id desc limit 500) n join workers w on w.id = n.worker_id) as notes,
      (select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'kind', e.kind, 'text', e.text, 'createdAt', e.created_at, 'worker', ${PERSON('w')}) order by e.id), '[]')
        from (select * from ticket_events where ticket_id = t.id order by id desc limit 500) e left join workers w on w.id = e.worker_id) as events,
      (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'subject', x.subject, 'status', x.status, 'createdAt', x.created_at) order by x.created_at desc), '[]')
        from (select * from tickets where customer_email = t.customer_email and id <> t.id and merged_into_id is null and status <> 'closed'
          order by created_at desc limit 20) x) as others,
      case when c.id is not null then (select jsonb_build_object('good', count(*) filter (where r.rating = 'good'), 'rated', count(*))
        from (select id from tickets where customer_id = t.customer_id order by created_at desc limit 1000) k
        join ticket_ratings r on r.ticket_id = k.id where r.rating is not null) end as satisfaction
      from tickets t ${JOINS} where t.id = $1`,
    values: [id],
  })
  const [row] = rows
  if (!row) return undefined
  const { notes, events, others, ...rest } = row
  return { ...ticket(rest), notes: dated(notes), events: dated(events), others: dated(others) }
}

/**
 * Sets a status with history, audit row, live message and stored reply: everything that the product writes, in one
 * statement, which is one transaction.
 */
async function setStatus(id: number, status: string, { worker_id, name }: SessionRow, key: string) {
  const { rows } = await pool.query({
    name: 'status',
    text: `with before as (select id, status from tickets where id = $1 for no key update),
      t as (update tickets t set status = $2, updated_at = now(), version = t.version + 1 from before b where t.id = b.id returning t.*),
      e as (insert into ticket_events (ticket_id, worker_id, kind, text, created_at) select id, $3, 'status', 'Set to ' || $2, now() from t),
      l as (insert into audit_log (at, worker_id, worker_name, call, action, outcome, subject, subject_id, before, after)
        select now(), $3, $4, 'PATCH /api/support/tickets/:id/status', 'ticket_status', 'done', 'ticket', b.id, jsonb_build_object('status', b.status),
          jsonb_build_object('status', $2::text) from before b),
      k as (insert into idempotency_keys (worker_id, key, call, request_hash, status, body, created_at)
        select $3, $5, 'PATCH /api/support/tickets/:id/status', $6, 200, to_jsonb(t)::text, now() from t),
      n as (select pg_notify('live', '{"topic":"tickets","ticket":' || id || '}') from t)
      select ${TICKET}, (select count(*) from n) as notified,
        (select coalesce(jsonb_agg(${MESSAGE} order by m.id), '[]')
          from (select * from ticket_messages where ticket_id = t.id order by id desc limit 10) m left join workers w on w.id = m.worker_id) as messages,
        (select jsonb_object_agg(s.key, s.n) from (select c.key, sum(c.value::bigint) as n from kept_counts k, jsonb_each_text(k.counts) c
          where k.scope = 'tickets' group by c.key) s) as stats
      from t ${JOINS}`,
    values: [id, status, worker_id, name, key, createHash('sha256').update(`${id}${status}`).digest()],
  })
  const [row] = rows
  if (!row) return undefined
  const { stats, notified: _, ...rest } = row
  const { open = 0, in_progress = 0, closed = 0 } = stats
  return { ticket: ticket(rest), stats: { open, in_progress, closed } }
}

const bodyOf = async (request: IncomingMessage): Promise<{ status: string }> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

async function route(request: IncomingMessage, url: URL, found: SessionRow) {
  if (url.pathname === '/api/auth/check') return check(found)
  const [, id, change] = /^\/api\/support\/tickets\/(\d+)(\/status)?$/.exec(url.pathname) ?? []
  if (id && !change) return readTicket(Number(id))
  if (id)
    return setStatus(Number(id), (await bodyOf(request)).status, found, String(request.headers['idempotency-key']))
  return users(url)
}

async function handle(request: IncomingMessage, reply: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/healthz') return reply.end('{"status":"ok"}')
  const found = await session(request.headers.cookie)
  const body = found && (await route(request, url, found))
  reply.writeHead(body ? 200 : 401, { 'content-type': 'application/json; charset=utf-8' })
  reply.end(JSON.stringify(body ?? { error: 'Sign in to continue.' }))
}

const server = createServer((request, reply) => void handle(request, reply))
server.listen(Number(process.env.PORT), '127.0.0.1')
