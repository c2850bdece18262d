import { MAX_API_KEYS } from '@limber/contract/access/api-keys/api-key.ts'
import type { ApiScope } from '@limber/contract/access/api-keys/scopes.ts'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { KEY_WINDOW_SECONDS, keyLimitName } from '#platform/security/admit-api-key.ts'
import { countTryText, windowStart } from '#platform/security/limits.ts'

/** A key as the screen shows it: without any secret, with the use since a day. */
export interface ApiKeyRow {
  id: number
  public_id: string
  name: string
  source: string
  scopes: ApiScope[]
  networks: string[]
  requests_per_minute: number
  expires_at: Date | null
  created_at: Date
  created_by: string | null
  revoked_at: Date | null
  revoked_by: string | null
  last_used_at: Date | null
  last_used_address: string | null
  rotated_at: Date | null
  rotated_by: string | null
  old_ends_at: Date | null
  calls: number
  errors: number
  version: number
}

const selectKeys = (since: string) => sql`
  select k.id, k.public_id, k.name, k.source, k.scopes, k.networks, k.requests_per_minute, k.expires_at, k.created_at,
    c.name as created_by, k.revoked_at, r.name as revoked_by, k.last_used_at, k.last_used_address, k.version,
    s.rotated_at, s.rotated_by, s.old_ends_at, u.calls, u.errors
  from api_keys k
  left join workers c on c.id = k.created_by
  left join workers r on r.id = k.revoked_by
  cross join lateral (select coalesce(sum(d.calls), 0)::bigint as calls, coalesce(sum(d.errors), 0)::bigint as errors
    from api_key_usage d where d.api_key_id = k.id and d.day >= ${since}::date) u
  left join lateral (
    select n.created_at as rotated_at, w.name as rotated_by, max(o.expires_at) as old_ends_at
    from api_key_secrets n join api_key_secrets o on o.api_key_id = n.api_key_id and o.expires_at is not null
    left join workers w on w.id = n.created_by
    where n.api_key_id = k.id and n.expires_at is null group by n.created_at, w.name) s on true`

/** Keys by name; of the revoked ones, which come last, those that were revoked after a moment. */
export async function listKeyRows(db: Db, since: string, revokedAfter: Date): Promise<ApiKeyRow[]> {
  const { rows } = await sql<ApiKeyRow>`${selectKeys(since)}
    where k.revoked_at is null or k.revoked_at > ${revokedAfter}
    order by k.revoked_at is not null, lower(k.name), k.id limit ${2 * MAX_API_KEYS}`.execute(db)
  return rows
}

export async function findKeyRow(db: Db, id: number, since: string): Promise<ApiKeyRow | undefined> {
  const { rows } = await sql<ApiKeyRow>`${selectKeys(since)} where k.id = ${id}`.execute(db)
  return rows[0]
}

const changeable = ['id', 'name', 'scopes', 'expires_at', 'networks', 'requests_per_minute'] as const

export const lockKey = (db: Db, id: number) =>
  db
    .selectFrom('api_keys')
    .select([...changeable, 'public_id', 'revoked_at', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
export type LockedKey = NonNullable<Awaited<ReturnType<typeof lockKey>>>

export const findKeyIdByPublicId = (db: Db, publicId: string) =>
  db.selectFrom('api_keys').select('id').where('public_id', '=', publicId).executeTakeFirst()

export async function countKeys(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_keys where revoked_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

export interface KeyValues {
  name: string
  scopes: readonly ApiScope[]
  expires_at: Date | null
  networks: readonly string[]
  requests_per_minute: number
}

// A network that names one of its hosts is stored as the network.
const networksOf = (networks: readonly string[]) =>
  sql<string[]>`array(select distinct network(n::inet) from unnest(${networks}::text[]) n order by 1)`

/** Stores a new key; returns nothing when the name is taken, also under concurrency. */
export const insertKey = (
  db: Db,
  { scopes, networks, ...values }: KeyValues & { public_id: string; source: string },
  workerId: number | undefined,
  now: Date,
) =>
  db
    .insertInto('api_keys')
    .values({
      ...values,
      scopes: [...scopes],
      networks: networksOf(networks),
      created_by: workerId ?? null,
      created_at: now,
      revoked_by: null,
      revoked_at: null,
      last_used_at: null,
      last_used_address: null,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).where('revoked_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateKey = (db: Db, id: number, { scopes, networks, ...values }: Partial<KeyValues>) =>
  db
    .updateTable('api_keys')
    .set({
      ...values,
      ...(scopes && { scopes: [...scopes] }),
      ...(networks && { networks: networksOf(networks) }),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute()

export const revokeKey = (db: Db, id: number, workerId: number | undefined, now: Date) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: now, revoked_by: workerId ?? null, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** Ends the secrets before at a moment, unless they end sooner. */
export const endSecrets = (db: Db, keyId: number, at: Date) =>
  sql`update api_key_secrets set expires_at = least(expires_at, ${at}) where api_key_id = ${keyId}`.execute(db)

export const insertSecret = (db: Db, keyId: number, hash: Buffer, workerId: number | undefined, now: Date) =>
  db
    .insertInto('api_key_secrets')
    .values({ api_key_id: keyId, hash, created_by: workerId ?? null, created_at: now, expires_at: null })
    .execute()

/** What a request needs to know of its key. */
export interface PresentedKey {
  id: number
  public_id: string
  name: string
  source: string
  scopes: ApiScope[]
  networks: string[]
  requests_per_minute: number
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  /** Of the secrets that work now. */
  hashes: Buffer[]
  is_allowed_here: boolean
  /** How many requests the key has made in this window, including this one; null if it does not count. */
  tries: number | null
}

// A request counts only with the right secret, from an allowed network: others must not use up the requests of its owner.
// Written out, as every request of a program begins with it. There is no cache: a change counts for the next request.
const FIND_KEY = `
  with k as (
    select k.id, k.public_id, k.name, k.source, k.scopes, k.networks, k.requests_per_minute, k.expires_at, k.revoked_at,
      k.last_used_at,
      array(select s.hash from api_key_secrets s where s.api_key_id = k.id and (s.expires_at is null or s.expires_at > $3::timestamptz)) as hashes,
      cardinality(k.networks) = 0 or coalesce($2::inet <<= any(k.networks), false) as is_allowed_here
    from api_keys k where k.public_id = $1
  ), counted as (
    ${countTryText(
      `select $6::text || k.id, $5::timestamptz, 1 from k where $4::bytea = any(k.hashes) and k.is_allowed_here
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3::timestamptz)`,
    )})
  select k.*, (select count from counted) as tries from k`

export async function findPresentedKey(
  db: Db,
  publicId: string,
  secretHash: Buffer,
  address: string | null,
  now: Date,
): Promise<PresentedKey | undefined> {
  const window = windowStart(now, KEY_WINDOW_SECONDS)
  const values = [publicId, address, now.toISOString(), secretHash, window.toISOString(), keyLimitName('')]
  const { rows } = await db.executeQuery<PresentedKey>(CompiledQuery.raw(FIND_KEY, values))
  return rows[0]
}
