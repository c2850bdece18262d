import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { IdText } from '#kit/values.ts'

/** The key is stored as a hash, so the address cannot be shown again. */
export const makeForwardingAddress = defineCall({
  method: 'POST',
  path: '/api/support/mailboxes/:id/forwarding-address',
  summary: 'Make an address that emails of a mailbox are posted to; the one before it stops working',
  permission: 'notifications.send',
  stepUp: true,
  params: z.strictObject({ id: IdText }),
  reply: z.object({ url: z.string() }),
  refusals: {
    not_found: [404, 'This mailbox does not exist.'],
    not_forwarded: [409, 'This mailbox is read by IMAP. Change how its emails get in first.'],
  },
})

/**
 * An email as it came (RFC 822): alone, or in the field `email` or `body-mime` of a form. The address ends with `mime`,
 * because some providers post the email as it came only to such addresses.
 */
export const receiveMail = defineCall({
  method: 'POST',
  path: '/api/hooks/support/mail/:key/mime',
  summary: 'Receive an email of a mailbox as it came, with its files',
  permission: 'public',
  machine: true,
  limit: { by: 'address', times: 1_200, seconds: 60 },
  params: z.strictObject({ key: z.string().max(100) }),
  bodyType: 'mail',
  body: z.unknown(),
  reply: z.object({
    /** False for an email that came before. */
    isNew: z.boolean(),
  }),
  refusals: {
    wrong_key: [404, 'No mailbox has this forwarding address.'],
    off: [503, 'This mailbox is off. Send the email again later.'],
    malformed: [400, 'The request contains no email.'],
    cut_off: [400, 'The email did not arrive completely. Send it again.'],
  },
})
