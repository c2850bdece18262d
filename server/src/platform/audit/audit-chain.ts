import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/db.ts'

interface ChainRow {
  id: number
  tx: string
  line: string
}

const LOCK = 7_214_003
const BATCH = 1000
const START = Buffer.alloc(32)

// The database builds the text of each row, so that writing and verifying hash the same bytes.
const line = sql<string>`jsonb_build_array(a.id, a.tx::text, extract(epoch from a.at)::text, a.worker_id, a.worker_name, a.call, a.action,
  a.outcome, a.subject, a.subject_id, a.before, a.after, a.reason, a.address, a.request_id)::text`

const link = (previous: Buffer, text: string) => createHash('sha256').update(previous).update(text).digest()

/**
 * Adds new rows to the chain, ordered by transaction and id. Only rows are taken whose earlier transactions have all
 * ended: nothing can appear before them later, and writers never wait for the chain.
 */
export async function extendAuditChain(db: Db): Promise<number> {
  let total = 0
  for (let added = BATCH; added === BATCH; total += added) {
    added = await inTransaction(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
      const last = (
        await sql<{
          seq: number
          hash: Buffer
          audit_id: number
          tx: string
        }>`select seq, hash, audit_id, tx::text as tx from audit_chain order by seq desc limit 1`.execute(tx)
      ).rows[0]
      const { rows } = await sql<ChainRow>`
        select a.id, a.tx::text as tx, ${line} as line from audit_log a
        where a.tx < audit_horizon()
          and (a.tx, a.id) > (${last?.tx ?? '0'}::xid8, ${last?.audit_id ?? 0}::bigint)
        order by a.tx, a.id limit ${BATCH}`.execute(tx)
      let hash = last?.hash ?? START
      const links = rows.map((row, i) => {
        hash = link(hash, row.line)
        return { seq: (last?.seq ?? 0) + i + 1, audit_id: row.id, tx: row.tx, hash: hash.toString('hex') }
      })
      await sql`
        insert into audit_chain (seq, audit_id, tx, hash)
        select r.seq, r.audit_id, r.tx::xid8, decode(r.hash, 'hex')
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as r(seq bigint, audit_id bigint, tx text, hash text)`.execute(
        tx,
      )
      return links.length
    })
  }
  return total
}

export type ChainVerdict =
  | { isWhole: true; checked: number; waiting: number }
  | { isWhole: false; checked: number; badId: number; problem: string }

/** Recomputes the chain and reports the first row that does not match. */
export async function verifyAuditChain(db: Db): Promise<ChainVerdict> {
  let hash = START
  let checked = 0
  for (let from = 0; ; from += BATCH) {
    const { rows } = await sql<{ seq: number; audit_id: number; hash: Buffer; line: string | null }>`
      select c.seq, c.audit_id, c.hash, case when a.id is null then null else ${line} end as line
      from audit_chain c left join audit_log a on a.id = c.audit_id
      where c.seq > ${from} and c.seq <= ${from + BATCH} order by c.seq`.execute(db)
    for (const row of rows) {
      if (row.seq !== checked + 1)
        return { isWhole: false, checked, badId: row.audit_id, problem: 'A row before this one was removed.' }
      if (row.line === null) return { isWhole: false, checked, badId: row.audit_id, problem: 'The row was removed.' }
      hash = link(hash, row.line)
      if (!hash.equals(row.hash))
        return { isWhole: false, checked, badId: row.audit_id, problem: 'The row was changed.' }
      checked++
    }
    if (rows.length < BATCH) break
  }
  return findInserted(db, checked)
}

/** Rows older than the end of the chain that are not part of it were inserted later. */
async function findInserted(db: Db, checked: number): Promise<ChainVerdict> {
  const { rows } = await sql<{ id: number }>`
    select a.id from audit_log a
    where (a.tx, a.id) <= (select c.tx, c.audit_id from audit_chain c order by c.seq desc limit 1)
      and not exists (select 1 from audit_chain c where c.audit_id = a.id)
    order by a.tx, a.id limit 1`.execute(db)
  if (rows[0]) return { isWhole: false, checked, badId: rows[0].id, problem: 'The row was inserted later.' }
  const total = (await sql<{ n: number }>`select count(*) as n from audit_log`.execute(db)).rows[0]?.n ?? 0
  return { isWhole: true, checked, waiting: total - checked }
}
