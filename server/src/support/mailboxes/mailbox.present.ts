import type { Mailbox } from '@limber/contract/support/mailboxes/mailbox.ts'
import type { MailboxRow } from './mailbox.queries.ts'

function stateOf(row: MailboxRow): Mailbox['state'] {
  if (!row.is_enabled) return 'off'
  if (row.incoming === 'forward') return 'forwarded'
  if (row.error !== null) return 'failing'
  return row.connected_at === null ? 'waiting' : 'connected'
}

/** Never contains a secret, only whether there is one. */
export const presentMailbox = (row: MailboxRow): Mailbox => ({
  id: row.id,
  address: row.address,
  name: row.name,
  is_enabled: row.is_enabled,
  confirms: row.confirms,
  incoming: row.incoming,
  imap_host: row.imap_host,
  imap_port: row.imap_port,
  imap_security: row.imap_security,
  imap_username: row.imap_username,
  imap_auth: row.imap_auth,
  hasImapSecret: row.imap_secret !== null,
  oauth_url: row.oauth_url,
  oauth_client_id: row.oauth_client_id,
  hasOauthSecret: row.oauth_secret !== null,
  hasForwardingAddress: row.incoming === 'forward' && row.forward_hash !== null,
  smtp_host: row.smtp_host,
  smtp_port: row.smtp_port,
  smtp_security: row.smtp_security,
  smtp_username: row.smtp_username,
  smtp_auth: row.smtp_auth,
  hasSmtpSecret: row.smtp_secret !== null,
  version: row.version,
  state: stateOf(row),
  error: row.is_enabled ? row.error : null,
  readAt: row.read_at?.toISOString() ?? null,
  lastMessageAt: row.last_message_at?.toISOString() ?? null,
})
