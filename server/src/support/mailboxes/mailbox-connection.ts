import type { ImapFlow } from 'imapflow'
import { SECOND } from '#platform/clock.ts'
import type { MailConnection } from '#platform/company/mail-connection.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import type { MailboxRow } from './mailbox.queries.ts'

const PURPOSE = 'mailbox'

export const sealSecret = (keyring: Keyring, secret: string) => keyring.seal(PURPOSE, secret)

class MailboxError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export function openSecret(keyring: Keyring, sealed: Buffer | null): string {
  try {
    return sealed ? keyring.open(PURPOSE, sealed) : ''
  } catch {
    throw new MailboxError('KEY', 'no key')
  }
}

type ImapSettings = Pick<
  MailboxRow,
  | 'imap_host'
  | 'imap_port'
  | 'imap_security'
  | 'imap_username'
  | 'imap_auth'
  | 'imap_secret'
  | 'oauth_url'
  | 'oauth_client_id'
  | 'oauth_secret'
>

const TOKEN_TIMEOUT = 15 * SECOND
const MAX_TOKEN_REPLY = 20_000

/** Exchanges the refresh token for a token that opens the mailbox. */
async function fetchAccessToken(settings: ImapSettings, keyring: Keyring): Promise<string> {
  const reply = await fetch(settings.oauth_url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TOKEN_TIMEOUT),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: settings.oauth_client_id,
      client_secret: openSecret(keyring, settings.oauth_secret),
      refresh_token: openSecret(keyring, settings.imap_secret),
    }).toString(),
  })
  const text = (await reply.text()).slice(0, MAX_TOKEN_REPLY)
  const token = reply.ok ? tokenIn(text) : undefined
  if (token === undefined) throw new MailboxError('TOKEN', `The sign-in service answered ${reply.status}.`)
  return token
}

function tokenIn(text: string): string | undefined {
  try {
    const { access_token } = JSON.parse(text) as { access_token?: unknown }
    return typeof access_token === 'string' && access_token !== '' ? access_token : undefined
  } catch {
    return undefined
  }
}

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
): Promise<ImapFlow> {
  const { ImapFlow: Client } = await import('imapflow')
  const isOauth = settings.imap_auth === 'oauth'
  const credentials = isOauth
    ? { accessToken: await fetchAccessToken(settings, keyring) }
    : { pass: openSecret(keyring, settings.imap_secret) }
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

type SmtpSettings = Pick<MailboxRow, 'smtp_host' | 'smtp_port' | 'smtp_security' | 'smtp_username' | 'smtp_secret'>

/** The mailbox's own mail server; undefined when replies leave through that of the company. */
export function smtpOf(settings: SmtpSettings, keyring: Keyring): MailConnection | undefined {
  const { smtp_host: host, smtp_port: port, smtp_security: security, smtp_username: user } = settings
  if (host === '') return undefined
  const password = openSecret(keyring, settings.smtp_secret)
  return {
    server: { host, port, security, user, password },
    label: `${security}://${user && `${user}@`}${host}:${port}`,
  }
}
