import type { MailboxDraft } from '@limber/contract/support/mailboxes/mailbox.ts'

type Servers = Pick<
  MailboxDraft,
  'imap_host' | 'imap_username' | 'imap_auth' | 'oauth_url' | 'oauth_client_id' | 'smtp_host' | 'smtp_username'
>

/** Which stored secrets may be used with these settings: those of the same server and user. */
export function mayReuse(before: Servers, draft: Servers) {
  const isSameImap =
    draft.imap_host === before.imap_host &&
    draft.imap_username === before.imap_username &&
    draft.imap_auth === before.imap_auth
  const isSameToken = draft.oauth_url === before.oauth_url && draft.oauth_client_id === before.oauth_client_id
  return {
    // A refresh token goes to the token address, not to the mail server.
    imap_secret: isSameImap && (draft.imap_auth === 'password' || isSameToken),
    oauth_secret: isSameToken,
    smtp_secret: draft.smtp_host === before.smtp_host && draft.smtp_username === before.smtp_username,
  }
}

/** An empty user is the address: every IMAP server asks for one, and an SMTP server to which a password is sent. */
export const withUsers = (draft: MailboxDraft): MailboxDraft => ({
  ...draft,
  imap_username: draft.incoming === 'imap' ? draft.imap_username || draft.address : draft.imap_username,
  smtp_username:
    draft.smtp_host !== '' && draft.smtp_secret ? draft.smtp_username || draft.address : draft.smtp_username,
})

/** Which secrets the settings need. */
export const needsSecret = (draft: MailboxDraft) => ({
  imap_secret: draft.incoming === 'imap' && draft.imap_username !== '',
  oauth_secret: draft.incoming === 'imap' && draft.imap_auth === 'oauth',
  smtp_secret: draft.smtp_host !== '' && draft.smtp_username !== '' && draft.smtp_auth === 'password',
})

/** What the audit log shows: never a secret. */
export function auditedSettings(settings: Omit<MailboxDraft, 'imap_secret' | 'oauth_secret' | 'smtp_secret'>) {
  const { address, name, is_enabled, confirms, incoming, imap_host, imap_username, smtp_host, smtp_username } = settings
  return { address, name, is_enabled, confirms, incoming, imap_host, imap_username, smtp_host, smtp_username }
}
