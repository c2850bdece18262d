import type pg from 'pg'

/**
 * Ends all sessions of a restored database and returns their number; waiting webhooks are held back. It runs on the backup's schema, before later
 * migrations. Every version that makes backups has these columns.
 */
export async function endRestoredSessions(client: pg.ClientBase, why: string, now: Date): Promise<number> {
  const ended = await client.query('update sessions set ended_at = $1, ended_reason = $2 where ended_at is null', [
    now,
    why,
  ])
  await client.query(
    `update sign_in_attempts set stage = 'dead', dead_reason = $1 where stage not in ('consumed', 'dead')`,
    [why],
  )
  await client.query('delete from passkey_challenges')
  await client.query('delete from sample_keys')
  // Webhooks may have been delivered since the backup. Backups of earlier versions have none.
  await client.query(`do $$ begin
    if to_regclass('webhook_deliveries') is not null then
      update webhook_deliveries set state = 'failed' where state = 'waiting';
      update webhook_endpoints set lease_owner = null, leased_until = null;
    end if;
  end $$`)
  return ended.rowCount ?? 0
}
