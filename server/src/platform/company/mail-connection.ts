import type { Config } from '../config.ts'
import type { Keyring } from '../security/secrets.ts'
import type { CompanyRow, MailServerRow } from './company.queries.ts'

/** The purpose under which the password of the mail server is sealed. */
export const MAIL_PASSWORD = 'mail server password'

interface MailServerLogin {
  host: string
  port: number
  security: MailServerRow['security']
  user: string
  password: string
  /** Signs in with OAuth 2.0 in place of the password. */
  accessToken?: string
}

/** How to reach the mail server. */
export interface MailConnection {
  /** From the environment, as a URL, or from the settings on screen. */
  server: string | MailServerLogin
  /** Names the server without its password. A test email counts for this server only. */
  label: string
}

function labelOf(smtpUrl: string): string {
  const { protocol, username, host } = new URL(smtpUrl)
  return `${protocol}//${username && `${username}@`}${host}`
}

type Settings = Pick<MailServerRow, 'host' | 'port' | 'security' | 'username' | 'password'>

/** Undefined when the key is lost. The server starts nevertheless, so that someone can enter the password again. */
export function openPassword(keyring: Keyring, sealed: Buffer | null): string | undefined {
  try {
    return sealed ? keyring.open(MAIL_PASSWORD, sealed) : ''
  } catch {
    return undefined
  }
}

/** The mail server that is used. The environment wins. The sample company has none, so that it sends nothing. */
export function connectionOf(
  { smtpUrl, sendsNothing }: Pick<Config, 'smtpUrl' | 'sendsNothing'>,
  { host, port, security, username, password }: Settings,
  keyring: Keyring,
): MailConnection | undefined {
  if (smtpUrl) return { server: smtpUrl, label: labelOf(smtpUrl) }
  if (!host || sendsNothing) return undefined
  const opened = openPassword(keyring, password)
  if (opened === undefined) return undefined
  const label = `${security}://${username && `${username}@`}${host}:${port}`
  return { server: { host, port, security, user: username, password: opened }, label }
}

export interface Sender {
  name: string
  address: string
}

const NO_SENDER = 'no-reply@example.com'

/** Who emails come from: `MAIL_FROM`, or the address of the mail server with the company's name. */
export function senderOf(
  mailFrom: string | undefined,
  { name }: Pick<CompanyRow, 'name'>,
  { from_address, host, username }: Pick<MailServerRow, 'from_address' | 'host' | 'username'>,
): Sender {
  const [, given = '', address = ''] = /^(.*?)<([^<>]+)>\s*$/.exec(mailFrom ?? '') ?? []
  const own = name || 'Limber'
  if (address) return { name: given.trim().replace(/^"(.*)"$/, '$1') || own, address: address.trim() }
  if (mailFrom) return { name: own, address: mailFrom.trim() }
  const isUserAddress = host !== '' && username.includes('@')
  return { name: own, address: from_address || (isUserAddress ? username : NO_SENDER) }
}

/** `Coastline Stretch <hello@coastline.example.com>`. */
export const senderText = ({ name, address }: Sender) => `${name} <${address}>`
