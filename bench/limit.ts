import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'

/**
 * The limit: what the machine can do. A bare server on pg with hand-written SQL, the right indexes and one session
 * look-up per request; no framework, no contract, no audit. The product is measured against it in the same run.
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

async function answer(request: IncomingMessage, reply: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/healthz') return reply.end('{"status":"ok"}')
  const found = await session(request.headers.cookie)
  const body = !found ? undefined : url.pathname === '/api/auth/check' ? check(found) : await users(url)
  reply.writeHead(body ? 200 : 401, { 'content-type': 'application/json; charset=utf-8' })
  reply.end(JSON.stringify(body ?? { error: 'Sign in to go on.' }))
}

const server = createServer((request, reply) => void answer(request, reply))
server.listen(Number(process.env.PORT), '127.0.0.1')
