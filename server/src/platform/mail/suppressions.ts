import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { foldCase } from '@limber/contract/kit/values.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from '../db/db.ts'
import type { Keyring } from '../security/secrets.ts'

export type SuppressedChannel = Tables['suppressions']['channel']
type Reason = Tables['suppressions']['reason']

/** The error of a delivery whose recipient opted out after it was enqueued. */
export const OPTED_OUT = 'The recipient has opted out.'

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Hashes of the address as typed and with its ASCII domain: `müller.example` has several spellings. */
function hashesOf(address: string): Buffer[] {
  const folded = foldCase(address.trim())
  const at = folded.lastIndexOf('@') + 1
  const known = at > 0 && domainToASCII(folded.slice(at))
  return [...new Set([folded, known ? folded.slice(0, at) + known : folded])].map(hash)
}

/** SQL condition: the address is suppressed. The column must hold lowercased addresses. */
export const isSuppressedSql = (channel: SuppressedChannel, column: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from suppressions s where s.channel = ${channel} and s.address_hash = sha256(convert_to(${column}, 'UTF8')))`

/** True when bulk messages to the address are suppressed. Replies to a person are not affected. */
export async function isSuppressed(db: Db, channel: SuppressedChannel, address: string): Promise<boolean> {
  const found = await db
    .selectFrom('suppressions')
    .select('reason')
    .where('channel', '=', channel)
    .where('address_hash', 'in', hashesOf(address))
    .executeTakeFirst()
  return found !== undefined
}

interface Suppression {
  channel: SuppressedChannel
  reason: Reason
  /** What caused it: a call, a webhook, a delivery. */
  source: string
}

const insert = (db: Db, hashes: readonly Buffer[], { channel, reason, source }: Suppression, now: Date) =>
  db
    .insertInto('suppressions')
    .values(hashes.map((address_hash) => ({ channel, address_hash, reason, source, created_at: now })))
    .onConflict((clash) => clash.columns(['channel', 'address_hash']).doNothing())
    .execute()

/** Suppresses an address. An existing reason stays. */
export const suppress = (db: Db, address: string, suppression: Suppression, now: Date) =>
  insert(db, hashesOf(address), suppression, now)

/**
 * Copies an opt-out to the address that replaces the old one. A bounce is not copied, because it says nothing about the
 * new address.
 */
export async function copySuppression(
  db: Db,
  channel: SuppressedChannel,
  { from, to }: Record<'from' | 'to', string>,
  now: Date,
): Promise<void> {
  const kept = await db
    .selectFrom('suppressions')
    .select(['reason', 'source'])
    .where('channel', '=', channel)
    .where('address_hash', 'in', hashesOf(from))
    .where('reason', '<>', 'hard_bounce')
    .executeTakeFirst()
  if (kept) await suppress(db, to, { channel, ...kept }, now)
}

/** Removes an address from the list, optionally only for one reason; returns the removed entries. */
export const removeSuppression = (db: Db, channel: SuppressedChannel, address: string, reason?: Reason) =>
  db
    .deleteFrom('suppressions')
    .where('channel', '=', channel)
    .where('address_hash', 'in', hashesOf(address))
    .$if(reason !== undefined, (all) => all.where('reason', '=', reason as Reason))
    .returning(['reason', 'source', 'created_at'])
    .execute()

/** Which addresses are behind these hashes. */
const addressesOf = (hashes: ReadonlyMap<string, string>, rows: readonly { address_hash: Buffer }[]) =>
  new Set(rows.map((row) => hashes.get(row.address_hash.toString('hex')) ?? ''))

const hashesOfAll = (addresses: readonly string[]) =>
  new Map(addresses.flatMap((address) => hashesOf(address).map((each) => [each.toString('hex'), address] as const)))

const bytesOf = (hashes: ReadonlyMap<string, string>) => [...hashes.keys()].map((hex) => Buffer.from(hex, 'hex'))

/** Puts many addresses on the list; says which ones were not on it. */
export async function suppressMany(db: Db, addresses: readonly string[], suppression: Suppression, now: Date) {
  const hashes = hashesOfAll(addresses)
  if (hashes.size === 0) return new Set<string>()
  const { channel, reason, source } = suppression
  const { rows } = await sql<{ address_hash: Buffer }>`
    insert into suppressions (channel, address_hash, reason, source, created_at)
    select ${channel}, hash, ${reason}, ${source}, ${now} from unnest(${bytesOf(hashes)}::bytea[]) as h(hash)
    on conflict (channel, address_hash) do nothing returning address_hash`.execute(db)
  return addressesOf(hashes, rows)
}

/** Takes many addresses off the list if they stand there for this reason and from this source; says which ones did. */
export async function removeSuppressions(
  db: Db,
  addresses: readonly string[],
  { channel, reason, source }: Suppression,
) {
  const hashes = hashesOfAll(addresses)
  if (hashes.size === 0) return new Set<string>()
  const { rows } = await sql<{ address_hash: Buffer }>`
    delete from suppressions where channel = ${channel} and reason = ${reason} and source = ${source}
      and address_hash = any(${bytesOf(hashes)}::bytea[]) returning address_hash`.execute(db)
  return addressesOf(hashes, rows)
}

const PURPOSE = 'unsubscribe'

/** The token of an unsubscribe link: encrypted, so that it cannot be forged, and without the address itself. */
export const unsubscribeToken = (keyring: Keyring, channel: SuppressedChannel, address: string) =>
  keyring
    .seal(PURPOSE, [channel, ...hashesOf(address).map((each) => each.toString('base64url'))].join(':'))
    .toString('base64url')

function openToken(keyring: Keyring, token: string): { channel: SuppressedChannel; hashes: Buffer[] } | undefined {
  try {
    const [channel, ...hashes] = keyring.open(PURPOSE, Buffer.from(token, 'base64url')).split(':')
    if (channel !== 'mail' && channel !== 'text') return undefined
    return { channel, hashes: hashes.map((each) => Buffer.from(each, 'base64url')) }
  } catch {
    return undefined
  }
}

export const isUnsubscribeToken = (keyring: Keyring, token: string) => openToken(keyring, token) !== undefined

/** Opts out the person behind a link. False when the token is invalid. */
export async function unsubscribeByToken(db: Db, keyring: Keyring, token: string, now: Date): Promise<boolean> {
  const opened = openToken(keyring, token)
  if (!opened) return false
  const { channel, hashes } = opened
  await insert(db, hashes, { channel, reason: 'unsubscribed', source: 'link' }, now)
  return true
}

/** Headers for one-click unsubscribe (RFC 8058). */
export const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
