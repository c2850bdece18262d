import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import type { Work } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { Services } from '#platform/services.ts'
import { insertEmailLogs } from '../email-log/email-log.queries.ts'
import { emailLogRow } from '../email-log/email-log.seal.ts'
import { textToHtml } from './email-html.rules.ts'

interface CustomerEmail extends Pick<Mail, 'to' | 'subject' | 'text' | 'headers' | 'mailbox' | 'files'> {
  /** The same key is the same email. */
  key: string
  type: EmailType
  customerId: number | null
  /** A description for the log, without names. */
  about: string
}

/** Queues emails to customers and stores sealed copies in the email log. */
export async function sendCustomerEmails(
  { db, now, enqueue }: Pick<Work, 'db' | 'now' | 'enqueue'>,
  services: Pick<Services, 'company' | 'config' | 'keyring'>,
  emails: readonly CustomerEmail[],
) {
  if (emails.length === 0) return
  const rows = emails.map(({ key, type, customerId, to, subject, text }) =>
    emailLogRow(services, { key, type, customerId, to, subject, text, html: textToHtml(text) }, now),
  )
  await insertEmailLogs(db, rows)
  for (const { key, about, to, subject, text, headers, mailbox, files } of emails) {
    const html = textToHtml(text)
    const mail: Mail = {
      to,
      subject,
      text,
      html,
      ...(headers && { headers }),
      ...(mailbox !== undefined && { mailbox }),
      ...(files && { files }),
    }
    enqueue({ channel: 'mail', key, payload: mail, about })
  }
}

export const sendCustomerEmail = (
  work: Pick<Work, 'db' | 'now' | 'enqueue'>,
  services: Pick<Services, 'company' | 'config' | 'keyring'>,
  email: CustomerEmail,
) => sendCustomerEmails(work, services, [email])
