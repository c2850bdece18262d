import type { ImapFlow } from 'imapflow'
import { SECOND } from '#platform/clock.ts'
import type { MailConnection } from '#platform/company/mail-connection.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import type { MailboxRow } from './mailbox.queries.ts'
import { openSecret } from './mailbox-token.ts'

type ImapSettings = Pick<
  MailboxRow,
  'imap_host' | 'imap_port' | 'imap_security' | 'imap_username' | 'imap_auth' | 'imap_secret'
>

export interface ImapTimeouts {
  connect: number
  greeting: number
  /** Silence outside of IDLE. */
  socket: number
  /** IDLE is renewed after this time, and the mailbox is read in any case. */
  idle: number
}

export const IMAP_TIMEOUTS: ImapTimeouts = {
  connect: 10 * SECOND,
  greeting: 10 * SECOND,
  socket: 60 * SECOND,
  idle: 60 * SECOND,
}

/** An IMAP client that is not connected yet. The library is loaded with the first mailbox. */
export async function makeImapClient(
  settings: ImapSettings,
  keyring: Keyring,
  timeouts: ImapTimeouts,
  accessToken?: string,
): Promise<ImapFlow> {
  const { ImapFlow: Client } = await import('imapflow')
  const credentials = accessToken === undefined ? { pass: openSecret(keyring, settings.imap_secret) } : { accessToken }
  return new Client({
    host: settings.imap_host,
    port: settings.imap_port,
    secure: settings.imap_security === 'tls',
    doSTARTTLS: settings.imap_security === 'starttls' ? true : settings.imap_security === 'none' ? false : undefined,
    auth: { user: settings.imap_username, ...credentials },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.socket,
    maxIdleTime: timeouts.idle,
  })
}

type SmtpSettings = Pick<
  MailboxRow,
  'smtp_host' | 'smtp_port' | 'smtp_security' | 'smtp_username' | 'smtp_secret' | 'imap_username'
>

/** The mailbox's own mail server; undefined when replies leave through that of the company. */
export function smtpOf(settings: SmtpSettings, keyring: Keyring, accessToken?: string): MailConnection | undefined {
  const { smtp_host: host, smtp_port: port, smtp_security: security } = settings
  if (host === '') return undefined
  const user = settings.smtp_username || (accessToken === undefined ? '' : settings.imap_username)
  const login =
    accessToken === undefined ? { password: openSecret(keyring, settings.smtp_secret) } : { password: '', accessToken }
  return {
    server: { host, port, security, user, ...login },
    label: `${security}://${user && `${user}@`}${host}:${port}`,
  }
}
