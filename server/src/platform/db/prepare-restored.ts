import type pg from 'pg'

const MAX_TX = `select coalesce(max(tx::text::bigint), 0)::text as max_tx from
  (select max(tx) as tx from audit_log union all select max(tx) from audit_chain) t`

/**
 * Holds back waiting messages, which may have been sent since the backup, and lets the audit log continue although this
 * server numbers its transactions from the start. Runs on the backup's schema, before later migrations; every version
 * that makes backups has these columns.
 */
export async function prepareRestored(client: pg.ClientBase, why: string, now: Date): Promise<{ held: number }> {
  const held = await client.query(
    `update outbox set state = 'dead', last_error = $1 where state = 'waiting' and channel <> 'job'`,
    [`${why} It may have been sent since then. Retry it if it was not.`],
  )
  await client.query(
    `update schedule_runs set state = 'failed', ended_at = $1, error = $2 where state in ('waiting', 'running')`,
    [now, why],
  )
  const { rows } = await client.query<{ max_tx: string }>(MAX_TX)
  await client.query(
    `create or replace function audit_tx_offset() returns bigint language sql immutable return ${BigInt(rows[0]?.max_tx ?? 0)}::bigint`,
  )
  return { held: held.rowCount ?? 0 }
}

/** Records the restore in the restored audit log. */
export const auditRestore = (client: pg.ClientBase, call: string, after: object, now: Date) =>
  client.query(
    `insert into audit_log (at, call, action, outcome, after) values ($1, $2, 'backup_restored', 'done', $3)`,
    [now, call, JSON.stringify(after)],
  )
