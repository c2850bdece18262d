import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import type { Work } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { Services } from '#platform/services.ts'
import { insertEmailLog } from '../email-log/email-log.queries.ts'
import { emailLogRow } from '../email-log/email-log.seal.ts'
import { textToHtml } from './email-html.rules.ts'

interface CustomerEmail extends Pick<Mail, 'to' | 'subject' | 'text' | 'headers'> {
  /** The same key is the same email. */
  key: string
  type: EmailType
  customerId: number | null
  /** A description for the log, without names. */
  about: string
}

/** Queues an email to a customer and stores a sealed copy in the email log. */
export async function sendCustomerEmail(
  { db, now, enqueue }: Pick<Work, 'db' | 'now' | 'enqueue'>,
  services: Pick<Services, 'config' | 'keyring'>,
  { key, type, customerId, about, to, subject, text, headers }: CustomerEmail,
) {
  const html = textToHtml(text)
  await insertEmailLog(db, emailLogRow(services, { key, type, customerId, to, subject, text, html }, now))
  const mail: Mail = { to, subject, text, html, ...(headers && { headers }) }
  enqueue({ channel: 'mail', key, payload: mail, about })
}
