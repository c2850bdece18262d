import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import type { Work } from '#platform/db/work.ts'
import { unsubscribeHeaders, unsubscribeToken } from '#platform/mail/suppressions.ts'
import type { Services } from '#platform/services.ts'
import { insertEmailLogs } from '../email-log/email-log.queries.ts'
import { copyOf } from '../email-log/email-log.seal.ts'

interface Addressee {
  /** The same key is the same email. */
  key: string
  to: string
  customerId: number | null
}

/** The footer of every bulk email. */
interface Foot {
  unsubscribeUrl: string
  companyAddress: string
}

interface Mailing<P extends Addressee> {
  type: EmailType
  /** A description for the log, without names. */
  about: string
  people: readonly P[]
  compose: (person: P, foot: Foot) => { subject: string; text: string; html: string }
}

/** Queues an email to each person, with one-click unsubscribe, and stores a sealed copy of each in the email log. */
export async function mailMany<P extends Addressee>(
  { db, now, enqueue }: Pick<Work, 'db' | 'now' | 'enqueue'>,
  services: Pick<Services, 'config' | 'keyring'>,
  { type, about, people, compose }: Mailing<P>,
) {
  const { config, keyring } = services
  const letters = people.map((person) => {
    const path = unsubscribe.path.replace(':token', () => unsubscribeToken(keyring, 'mail', person.to))
    const unsubscribeUrl = `${config.publicUrl}${path}`
    const words = compose(person, { unsubscribeUrl, companyAddress: config.companyAddress })
    return { ...person, words, headers: unsubscribeHeaders(unsubscribeUrl) }
  })
  await insertEmailLogs(
    db,
    letters.map(({ words, ...letter }) => copyOf(services, { ...letter, ...words, type }, now)),
  )
  for (const { key, to, words, headers } of letters)
    enqueue({ channel: 'mail', key, payload: { to, ...words, headers, isBulk: true }, about })
}
