import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { Email, Id, IdText, Line, Moment, Version } from '#kit/values.ts'
import { MailSecurity } from '../../company/mail-server.ts'

/** How emails get in: read from the mailbox, or posted to its forwarding address. */
const Incoming = z.enum(['imap', 'forward'])
const MailboxAuth = z.enum(['password', 'oauth'])
/** `off`: disabled. `waiting`: not connected yet. `failing`: the last try failed. */
const MailboxState = z.enum(['off', 'forwarded', 'waiting', 'connected', 'failing'])

export const Mailbox = z.object({
  id: Id,
  address: z.string(),
  /** The sender's name in replies. */
  name: z.string(),
  is_enabled: z.boolean(),
  /** New tickets get a confirmation by email. */
  confirms: z.boolean(),
  incoming: Incoming,
  imap_host: z.string(),
  imap_port: z.int(),
  imap_security: MailSecurity,
  imap_username: z.string(),
  imap_auth: MailboxAuth,
  hasImapSecret: z.boolean(),
  oauth_url: z.string(),
  oauth_client_id: z.string(),
  hasOauthSecret: z.boolean(),
  /** Emails can be posted to its forwarding address. */
  hasForwardingAddress: z.boolean(),
  /** Empty: replies leave through the mail server of the company. */
  smtp_host: z.string(),
  smtp_port: z.int(),
  smtp_security: MailSecurity,
  smtp_username: z.string(),
  /** `oauth`: with the token of the incoming mailbox. */
  smtp_auth: MailboxAuth,
  hasSmtpSecret: z.boolean(),
  version: Version,
  state: MailboxState,
  /** What is wrong, in words. */
  error: z.string().nullable(),
  /** When the mailbox was last read completely. */
  readAt: Moment.nullable(),
  lastMessageAt: Moment.nullable(),
})
export type Mailbox = z.infer<typeof Mailbox>

/** More would not fit on the settings screen, and each one keeps a connection open. */
export const MAX_MAILBOXES = 20

// Only names and addresses, so that nothing else gets into the connection or its log lines.
const Host = Line(253, 0).refine((text) => /^[A-Za-z0-9._:[\]-]*$/.test(text), 'must be a host name or an IP address')
const Port = z.int().min(1).max(65_535)
/** Left out: the stored one stays. It is never sent to another server or user than the one it was entered for. */
const Secret = z.string().max(4_000).optional()
const TokenUrl = Line(500, 0).refine(
  (text) => text === '' || /^https:\/\/[^\s/@]+/.test(text),
  'must be an https address',
)

const settings = {
  address: Email,
  name: Line(80),
  is_enabled: z.boolean(),
  confirms: z.boolean(),
  incoming: Incoming,
  imap_host: Host,
  imap_port: Port,
  imap_security: MailSecurity,
  imap_username: Line(254, 0),
  imap_auth: MailboxAuth,
  imap_secret: Secret,
  oauth_url: TokenUrl,
  oauth_client_id: Line(300, 0),
  oauth_secret: Secret,
  smtp_host: Host,
  smtp_port: Port,
  smtp_security: MailSecurity,
  smtp_username: Line(254, 0),
  smtp_auth: MailboxAuth.default('password'),
  smtp_secret: Secret,
}

// Workers who may write to many customers at once also maintain the desk's settings.
const permission = 'notifications.send' as const
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This mailbox does not exist.'] as const
const addressTaken = [409, 'Another mailbox has this address.'] as const
const secretNeeded = [422, 'Enter the password or token again, because the server or the user changed.'] as const
const tokenNeeded = [
  422,
  'Replies can sign in with OAuth 2.0 only if the incoming mailbox does. Choose a password for SMTP.',
] as const
const hostNeeded = [422, 'Enter the server that the mailbox is read from.'] as const

export const listMailboxes = defineCall({
  method: 'GET',
  path: '/api/support/mailboxes',
  summary: 'Mailboxes of the support desk with their state, without passwords',
  permission,
  reply: z.array(Mailbox),
})

export const createMailbox = defineCall({
  method: 'POST',
  path: '/api/support/mailboxes',
  summary: 'Add a mailbox, whose new emails become tickets',
  permission,
  stepUp: true,
  body: z.strictObject(settings),
  reply: Mailbox,
  refusals: {
    address_taken: addressTaken,
    host_needed: hostNeeded,
    token_needed: tokenNeeded,
    too_many: [422, `You have reached the limit of ${MAX_MAILBOXES} mailboxes. Delete one first.`],
  },
})
export type MailboxDraft = BodyOf<typeof createMailbox>

export const updateMailbox = defineCall({
  method: 'PUT',
  path: '/api/support/mailboxes/:id',
  summary: 'Change the settings of a mailbox',
  permission,
  stepUp: true,
  params,
  body: z.strictObject({ ...settings, version: Version }),
  reply: Mailbox,
  refusals: {
    not_found: notFound,
    stale: staleRefusal('this mailbox', Mailbox),
    address_taken: addressTaken,
    host_needed: hostNeeded,
    token_needed: tokenNeeded,
    secret_needed: secretNeeded,
  },
})

export const deleteMailbox = defineCall({
  method: 'DELETE',
  path: '/api/support/mailboxes/:id',
  summary: 'Delete a mailbox; its tickets stay',
  permission,
  stepUp: true,
  params,
  reply: z.object({ id: Id }),
  refusals: { not_found: notFound },
})

const Check = z.object({ isOk: z.boolean(), summary: z.string(), answer: z.string() })
export type MailboxCheck = z.infer<typeof Check>

/** Connects and signs in, without saving anything. A check that fails is a result, not a refusal. */
export const checkMailbox = defineCall({
  method: 'POST',
  path: '/api/support/mailboxes/check',
  summary: 'Try the settings of a mailbox and say what its servers answered',
  permission,
  stepUp: true,
  reads: true,
  limit: { by: 'worker', times: 30, seconds: 600 },
  body: z.strictObject({
    ...settings,
    /** The mailbox whose stored passwords are used where none is given. */
    id: Id.optional(),
  }),
  reply: z.object({
    /** Null when emails are forwarded. */
    imap: Check.nullable(),
    /** Null when the company's mail server sends the replies. */
    smtp: Check.nullable(),
  }),
  refusals: {
    not_found: notFound,
    host_needed: hostNeeded,
    token_needed: tokenNeeded,
    secret_needed: secretNeeded,
  },
})
