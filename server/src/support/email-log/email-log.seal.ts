import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { senderText } from '#platform/company/mail-connection.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'

export interface EmailContent {
  text: string
  html: string
}

const TO = 'email log recipient'
const CONTENT = 'email log content'

/** Recipient and content as stored, with the id of the sealing key and the hash that finds the recipient. */
export const sealEmail = (keyring: Keyring, to: string, content: EmailContent | null) => ({
  to_sealed: keyring.seal(TO, to),
  to_hash: hashRecipient(keyring, to),
  content_sealed: content && keyring.seal(CONTENT, JSON.stringify(content)),
  key_id: keyring.keyId,
})

interface LoggedEmail extends EmailContent {
  /** The key of the outbox message. */
  key: string
  type: EmailType
  customerId: number | null
  to: string
  subject: string
}

/** The row of an email in the email log. */
export const emailLogRow = (
  { company, keyring }: Pick<Services, 'company' | 'keyring'>,
  { key, type, customerId, to, subject, text, html }: LoggedEmail,
  now: Date,
) => ({
  customer_id: customerId,
  from_address: senderText(company.current().sender),
  ...sealEmail(keyring, to, { text, html }),
  subject,
  type,
  outbox_key: key,
  created_at: now,
})

export const hashRecipient = (keyring: Keyring, to: string) => keyring.sign(TO, to)

export const openRecipient = (keyring: Keyring, sealed: Buffer) => keyring.open(TO, sealed)

export const openContent = (keyring: Keyring, sealed: Buffer) =>
  JSON.parse(keyring.open(CONTENT, sealed)) as EmailContent
