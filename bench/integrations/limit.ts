import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'

/**
 * The limit of one item: a bare server that looks up the API key and upserts the customer with its external id in one
 * statement, which is one transaction. No contract, no rules, no audit.
 */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12, options: '-c timezone=UTC' })

const FIND_KEY = `select k.source, k.scopes, array(select s.hash from api_key_secrets s where s.api_key_id = k.id
    and (s.expires_at is null or s.expires_at > now())) as hashes
  from api_keys k where k.public_id = $1 and k.revoked_at is null`

async function findSource(authorization = ''): Promise<string | undefined> {
  const [, publicId, secret] = /^Bearer lmb_([^_]+)_(.+)$/.exec(authorization) ?? []
  const { rows } = await pool.query<{ source: string; scopes: string[]; hashes: Buffer[] }>({
    name: 'key',
    text: FIND_KEY,
    values: [publicId],
  })
  const hash = createHash('sha256')
    .update(secret ?? '')
    .digest()
  const [key] = rows
  return key?.scopes.includes('customers:write') && key.hashes.some((each) => timingSafeEqual(each, hash))
    ? key.source
    : undefined
}

const UPSERT = `with c as (
    insert into customers (first_name, last_name, email, phone, joined_at, points, total_points_earned, address_line, city, state,
      postal_code, latitude, longitude, zone_id, zone_precision)
    values ($4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14, $15,
      (select id from zones where $15 between west and east and $14 between south and north limit 1), 'address')
    on conflict (email) do update set first_name = excluded.first_name, last_name = excluded.last_name, phone = excluded.phone,
      joined_at = excluded.joined_at, points = excluded.points, total_points_earned = excluded.total_points_earned,
      address_line = excluded.address_line, city = excluded.city, state = excluded.state, postal_code = excluded.postal_code,
      latitude = excluded.latitude, longitude = excluded.longitude, zone_id = excluded.zone_id, version = customers.version + 1
    returning id, xmax = 0 as is_new
  ), r as (
    insert into external_refs (source, resource, external_id, record_id, taken_at, created_at)
    select $1, 'customers', $2, id, $3, now() from c
    on conflict (source, resource, external_id) do update set taken_at = excluded.taken_at
    where external_refs.taken_at is null or external_refs.taken_at < excluded.taken_at)
  select id, is_new from c`

interface Item {
  external_id: string
  updated_at: string
  first_name: string
  last_name: string
  email: string
  phone: string
  joined_at: string
  points: number
  address: Record<'line' | 'city' | 'state' | 'postal_code', string> & Record<'latitude' | 'longitude', number>
}

async function upsert(source: string, item: Item) {
  const { line, city, state, postal_code, latitude, longitude } = item.address
  const { rows } = await pool.query<{ id: number; is_new: boolean }>({
    name: 'upsert',
    text: UPSERT,
    values: [
      ...[source, item.external_id, item.updated_at, item.first_name, item.last_name, item.email, item.phone],
      ...[item.joined_at, item.points, line, city, state, postal_code, latitude, longitude],
    ],
  })
  return { external_id: item.external_id, status: rows[0]?.is_new ? 'created' : 'updated', id: rows[0]?.id }
}

async function handle(request: IncomingMessage, reply: ServerResponse) {
  if (request.url === '/healthz') return reply.end('{"status":"ok"}')
  const source = await findSource(request.headers.authorization)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { items } = JSON.parse(Buffer.concat(chunks).toString()) as { items: [Item] }
  const result = source && (await upsert(source, items[0]))
  const count = (status: string) => (result && result.status === status ? 1 : 0)
  reply.writeHead(result ? 200 : 401, { 'content-type': 'application/json; charset=utf-8' })
  reply.end(JSON.stringify({ results: [result], created: count('created'), updated: count('updated') }))
}

const server = createServer((request, reply) => void handle(request, reply))
server.listen(Number(process.env.PORT), '127.0.0.1')
