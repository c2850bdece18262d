import { appendFile, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { extendAuditChain, verifyAuditChain } from './audit-chain.ts'

// A chain that was cut off at its end, or computed again after a change, is whole in itself. A witness is a file on another
// machine with earlier ends of the chain, one per line: number, hash, time.

interface End {
  seq: number
  hash: string
}

const isNothing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function readWitness(file: string): Promise<End[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isNothing(error)) return ''
    throw error
  })
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const [, seq, hash] = /^(\d+) ([0-9a-f]{64}) \S+$/.exec(line.trim()) ?? []
      if (!seq || !hash) throw new Error(`${file}, line ${i + 1}, is not a line of a witness.`)
      return { seq: Number(seq), hash }
    })
}

/** The first end in the witness that the chain no longer has. */
async function findMissing(db: Db, ends: readonly End[]): Promise<End | undefined> {
  const { rows } = await sql<End>`
    select w.seq, w.hash from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as w(seq bigint, hash text)
    left join audit_chain c on c.seq = w.seq and c.hash = decode(w.hash, 'hex')
    where c.seq is null order by w.seq limit 1`.execute(db)
  return rows[0]
}

const findEnd = async (db: Db): Promise<End | undefined> =>
  (await sql<End>`select seq, encode(hash, 'hex') as hash from audit_chain order by seq desc limit 1`.execute(db))
    .rows[0]

/** Verifies the chain against itself and against a witness, to which it adds the end of the chain. Throws when it differs. */
export async function verifyAgainstWitness(db: Db, file: string | undefined, now: Date): Promise<string> {
  const ends = file === undefined ? [] : await readWitness(file)
  await extendAuditChain(db)
  const verdict = await verifyAuditChain(db)
  if (!verdict.isWhole) throw new Error(`The audit log was changed at row ${verdict.badId}: ${verdict.problem}`)
  const missing = await findMissing(db, ends)
  if (missing)
    throw new Error(
      `The audit log was changed or cut off: it no longer has the end at row ${missing.seq} that the witness has seen.`,
    )
  const end = await findEnd(db)
  if (file !== undefined && end && end.seq !== ends.at(-1)?.seq)
    await appendFile(file, `${end.seq} ${end.hash} ${now.toISOString()}\n`)
  const witnessed = file === undefined ? '' : ` It still has the earlier ends of the witness: ${ends.length}.`
  return `The audit log is whole: ${verdict.checked} rows.${witnessed}`
}
