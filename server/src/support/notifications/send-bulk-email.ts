import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import type { CompanySettings } from '#platform/company/company-settings.ts'
import type { Work } from '#platform/db/work.ts'
import { unsubscribeHeaders, unsubscribeToken } from '#platform/mail/suppressions.ts'
import type { Services } from '#platform/services.ts'
import { insertEmailLogs } from '../email-log/email-log.queries.ts'
import { emailLogRow } from '../email-log/email-log.seal.ts'
import type { BulkFooter } from '../inbox/email-html.rules.ts'

interface BulkRecipient {
  /** The same key is the same email. */
  key: string
  to: string
  customerId: number | null
}

/** Who sent it, on one line: the law requires name and postal address in bulk email. */
export const footerOf = ({ legalName, name, postalAddress }: CompanySettings) =>
  [legalName || name, postalAddress].filter(Boolean).join(', ')

interface BulkEmail<P extends BulkRecipient> {
  type: EmailType
  /** A description for the log, without names. */
  about: string
  people: readonly P[]
  compose: (person: P, footer: BulkFooter) => { subject: string; text: string; html: string }
  /** A secret in the email that the log must not contain. */
  secretOf?: (person: P) => string
}

/** Queues an email to each person, with one-click unsubscribe, and stores a sealed copy of each in the email log. */
export async function sendBulkEmail<P extends BulkRecipient>(
  { db, now, enqueue }: Pick<Work, 'db' | 'now' | 'enqueue'>,
  services: Pick<Services, 'company' | 'config' | 'keyring'>,
  { type, about, people, compose, secretOf }: BulkEmail<P>,
) {
  if (people.length === 0) return
  const { config, keyring } = services
  const companyAddress = footerOf(services.company.current())
  const emails = people.map((person) => {
    const path = unsubscribe.path.replace(':token', () => unsubscribeToken(keyring, 'mail', person.to))
    const unsubscribeUrl = `${config.publicUrl}${path}`
    const content = compose(person, { unsubscribeUrl, companyAddress })
    return { ...person, content, headers: unsubscribeHeaders(unsubscribeUrl) }
  })
  await insertEmailLogs(
    db,
    emails.map(({ content, ...email }) => {
      const secret = secretOf?.(email as unknown as P)
      const hide = (text: string) => (secret ? text.replaceAll(secret, '[hidden]') : text)
      const logged = { ...content, text: hide(content.text), html: hide(content.html) }
      return emailLogRow(services, { ...email, ...logged, type }, now)
    }),
  )
  for (const { key, to, content, headers } of emails)
    enqueue({ channel: 'mail', key, payload: { to, ...content, headers, isBulk: true }, about })
}
