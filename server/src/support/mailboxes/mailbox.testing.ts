import type { MailboxDraft } from '@limber/contract/support/mailboxes/mailbox.ts'
import type { ImapServer } from './imap.testing.ts'
import { READER_TIMES, type ReaderTimes } from './mailbox-reader.ts'

/** Settings of a mailbox that is read from a test server. */
export const draftMailbox = (
  imap?: Pick<ImapServer, 'port' | 'login'>,
  more: Partial<MailboxDraft> = {},
): MailboxDraft => ({
  address: 'help@example.com',
  name: 'Coastline Help',
  is_enabled: true,
  confirms: false,
  incoming: imap ? 'imap' : 'forward',
  imap_host: imap ? '127.0.0.1' : '',
  imap_port: imap?.port ?? 993,
  imap_security: imap ? 'none' : 'tls',
  imap_username: imap?.login.user ?? '',
  imap_auth: 'password',
  ...(imap && { imap_secret: imap.login.password }),
  oauth_url: '',
  oauth_client_id: '',
  smtp_host: '',
  smtp_port: 587,
  smtp_security: 'starttls',
  smtp_username: '',
  smtp_auth: 'password',
  ...more,
})

/** Short pauses between tries. What a test waits for is a state, never one of these. */
export const hastyTimes: ReaderTimes = { ...READER_TIMES, look: 50, renew: 500, poll: 200, pause: 50 }

interface Letter {
  from?: string
  subject?: string
  id?: string | null
  headers?: Record<string, string>
  text?: string
}

let count = 0

/** A plain email. */
export function letter({
  from = 'Jazmín <jazmin@example.com>',
  subject = 'Too short',
  id,
  headers = {},
  text,
}: Letter = {}) {
  count += 1
  const own = id === null ? [] : [`Message-ID: ${id ?? `<letter-${count}@example.com>`}`]
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [
    `From: ${from}`,
    'To: help@example.com',
    `Subject: ${subject}`,
    ...own,
    ...lines,
    '',
    text ?? `Hello ${count}`,
  ].join('\r\n')
}
