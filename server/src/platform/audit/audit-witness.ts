import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../security/secrets.ts'
import { extendAuditChain, verifyAuditChain } from './audit-chain.ts'
import type { WitnessPlace } from './witness-place.ts'

// A chain that was cut off at its end, or computed again after a change, is whole in itself. A witness is a place outside of
// the database with earlier ends of the chain, one per line: number, hash, time, signature.

const PURPOSE = 'audit witness'

interface End {
  seq: number
  hash: string
}

const findEnd = async (db: Db): Promise<End | undefined> =>
  (await sql<End>`select seq, encode(hash, 'hex') as hash from audit_chain order by seq desc limit 1`.execute(db))
    .rows[0]

/** The ends that a witness has seen. A line that this installation did not sign counts for nothing, so it stops the reading. */
async function readWitness(place: WitnessPlace, keyring: Keyring): Promise<End[]> {
  const ends: End[] = []
  for (const [i, line] of (await place.read()).entries()) {
    const [, said, seq, hash, signature] = /^((\d+) ([0-9a-f]{64}) \S+) ([\w-]{43})$/.exec(line) ?? []
    if (!said || !hash || !signature) throw new Error(`${place.name}, line ${i + 1}, is not a line of a witness.`)
    if (!keyring.isSigned(PURPOSE, said, signature))
      throw new Error(`${place.name}, line ${i + 1}, was not signed with SECRET_KEY or one of SECRET_KEYS_OLD.`)
    ends.push({ seq: Number(seq), hash })
  }
  return ends
}

/** The first end in the witness that the chain no longer has. */
async function findMissing(db: Db, ends: readonly End[]): Promise<End | undefined> {
  const { rows } = await sql<End>`
    select w.seq, w.hash from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as w(seq bigint, hash text)
    left join audit_chain c on c.seq = w.seq and c.hash = decode(w.hash, 'hex')
    where c.seq is null order by w.seq limit 1`.execute(db)
  return rows[0]
}

interface Needs {
  db: Db
  keyring: Keyring
}

/** Brings the chain up to date and signs its end for a witness. */
export async function writeWitness({ db, keyring }: Needs, place: WitnessPlace, now: Date): Promise<End | undefined> {
  await extendAuditChain(db)
  const end = await findEnd(db)
  if (!end) return undefined
  const said = `${end.seq} ${end.hash} ${now.toISOString()}`
  await place.add(`${said} ${keyring.sign(PURPOSE, said)}`, now)
  return end
}

/** Verifies the chain against itself and against a witness, to which it adds the end of the chain. Throws when it differs. */
export async function verifyAgainstWitness(needs: Needs, place: WitnessPlace | undefined, now: Date): Promise<string> {
  const { db, keyring } = needs
  const ends = place ? await readWitness(place, keyring) : []
  await extendAuditChain(db)
  const verdict = await verifyAuditChain(db)
  if (!verdict.isWhole) throw new Error(`The audit log was changed at row ${verdict.badId}: ${verdict.problem}`)
  const whole = `The audit log is whole: ${verdict.checked} rows.`
  if (!place) return whole
  const missing = await findMissing(db, ends)
  if (missing)
    throw new Error(
      `The audit log was changed or cut off: it no longer has the end at row ${missing.seq} that the witness has seen.`,
    )
  if ((await findEnd(db))?.seq !== ends.at(-1)?.seq) await writeWitness(needs, place, now)
  return `${whole} It still has the earlier ends of the witness: ${ends.length}.`
}
