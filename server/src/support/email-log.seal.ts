import type { Keyring } from '#platform/secrets.ts'

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

export const hashRecipient = (keyring: Keyring, to: string) => keyring.sign(TO, to)

export const openRecipient = (keyring: Keyring, sealed: Buffer) => keyring.open(TO, sealed)

export const openContent = (keyring: Keyring, sealed: Buffer) =>
  JSON.parse(keyring.open(CONTENT, sealed)) as MailContent
