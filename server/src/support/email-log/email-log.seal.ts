import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'

/** What is kept of a mail's content. */
export interface MailContent {
  text: string
  html: string
}

const TO = 'email log recipient'
const CONTENT = 'email log content'

/** Recipient and content as they are kept, with the key that seals them and the mark that finds the recipient. */
export const sealMail = (keyring: Keyring, to: string, content: MailContent | null) => ({
  to_sealed: keyring.seal(TO, to),
  to_hash: hashRecipient(keyring, to),
  content_sealed: content && keyring.seal(CONTENT, JSON.stringify(content)),
  key_id: keyring.keyId,
})

interface Copied extends MailContent {
  /** Of the message in the outbox. */
  key: string
  type: EmailType
  customerId: number | null
  to: string
  subject: string
}

/** A mail as the e-mail log keeps it. */
export const copyOf = (
  { config, keyring }: Pick<Services, 'config' | 'keyring'>,
  { key, type, customerId, to, subject, text, html }: Copied,
  now: Date,
) => ({
  customer_id: customerId,
  from_address: config.mailFrom,
  ...sealMail(keyring, to, { text, html }),
  subject,
  type,
  outbox_key: key,
  created_at: now,
})

export const hashRecipient = (keyring: Keyring, to: string) => keyring.sign(TO, to)

export const openRecipient = (keyring: Keyring, sealed: Buffer) => keyring.open(TO, sealed)

export const openContent = (keyring: Keyring, sealed: Buffer) =>
  JSON.parse(keyring.open(CONTENT, sealed)) as MailContent
