import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { Email, Line, Moment, Version } from '#kit/values.ts'
import { NOT_OWNER } from './owner.ts'

/** `tls` from the first byte (port 465), `starttls` after the greeting (587), or neither (25, inside one network). */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.infer<typeof MailSecurity>

export const MailTest = z.object({
  at: Moment,
  isOk: z.boolean(),
  /** What happened, in words. */
  summary: z.string(),
  /** What the mail server answered, or the error of the connection. */
  answer: z.string(),
})
export type MailTest = z.infer<typeof MailTest>

export const MailServer = z.object({
  host: z.string(),
  port: z.int(),
  security: MailSecurity,
  username: z.string(),
  hasPassword: z.boolean(),
  from_address: z.string(),
  version: Version,
  /** Set by SMTP_URL and MAIL_FROM, which win over the fields above. */
  fromEnvironment: z.object({ server: z.string().nullable(), sender: z.string().nullable() }),
  isConnected: z.boolean(),
  /** The sample company sends nothing, whatever is set. */
  sendsNothing: z.boolean(),
  /** Whom emails come from. */
  sender: z.string(),
  /** The last test of the server that is used now. */
  test: MailTest.nullable(),
})
export type MailServer = z.infer<typeof MailServer>

export const readMailServer = defineCall({
  method: 'GET',
  path: '/api/company/mail-server',
  summary: 'Read the settings of the mail server, without its password',
  permission: 'access.manage',
  reply: z.object({ mailServer: MailServer }),
})

// Only names and addresses, so that nothing else gets into the connection or its log lines.
const Host = Line(253, 0).refine((text) => /^[A-Za-z0-9._:[\]-]*$/.test(text), 'must be a host name or an IP address')

export const updateMailServer = defineCall({
  method: 'PUT',
  path: '/api/company/mail-server',
  summary: 'Change the mail server; an empty host disconnects it',
  permission: 'access.manage',
  stepUp: true,
  body: z.strictObject({
    host: Host,
    port: z.int().min(1).max(65_535),
    security: MailSecurity,
    username: Line(254, 0),
    /** Left out: the stored password stays. It is never sent to another host than the one it was entered for. */
    password: z.string().max(500).optional(),
    from_address: z.union([z.literal(''), Email]),
    version: Version,
  }),
  reply: z.object({ mailServer: MailServer }),
  refusals: {
    not_owner: NOT_OWNER,
    stale: staleRefusal('the mail server', MailServer),
    password_needed: [422, 'Enter the password again, because the server or the user changed.'],
    no_sender: [422, 'Enter the address that emails come from.'],
  },
})

/** Sends to the Owner's own address. A test that fails is a result, not a refusal. */
export const testMailServer = defineCall({
  method: 'POST',
  path: '/api/company/mail-server/test',
  summary: 'Send a test email to myself and say what the mail server answered',
  permission: 'access.manage',
  stepUp: true,
  limit: { by: 'worker', times: 20, seconds: 600 },
  body: z.strictObject({}),
  reply: z.object({ to: z.string(), test: MailTest }),
  refusals: {
    not_owner: NOT_OWNER,
    not_connected: [409, 'No mail server is set up yet. Save one first.'],
  },
})
