import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { Email, Line } from '@limber/contract/kit/values.ts'
import type { Db } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'
import { removeSuppression } from '#platform/mail/suppressions.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import { type Command, print, withInstallation } from './command.ts'

interface ShownMail {
  created_at: Date
  to: string
  subject: string
  text: string
}

const SHOWN_MAILS = 20
/** How many waiting emails are searched for an address. */
const MAX_SEARCHED = 1000

/** Emails of the embedded installation, which has a local mailbox. */
const readMailbox = (db: Db, to: string | undefined): Promise<ShownMail[]> => {
  const all = db
    .selectFrom('mailbox')
    .select(['created_at', 'to_address as to', 'subject', 'text'])
    .orderBy('id', 'desc')
    .limit(SHOWN_MAILS)
  return (to === undefined ? all : all.where('to_address', '=', to)).execute()
}

/** Emails that wait for a mail server, including sign-in codes. */
async function readWaiting(db: Db, keyring: Keyring, to: string | undefined): Promise<ShownMail[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['created_at', 'payload'])
    .where('channel', '=', 'mail')
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(to === undefined ? SHOWN_MAILS : MAX_SEARCHED)
    .execute()
  const mails = rows.map(({ created_at, payload }) => ({
    created_at,
    ...(JSON.parse(keyring.open('outbox', payload)) as Mail),
  }))
  return mails.filter((mail) => to === undefined || mail.to === to).slice(0, SHOWN_MAILS)
}

const readMails: Command = {
  usage: '[--to EMAIL]',
  about: 'read emails on an installation without a mail server, such as sign-in codes and links',
  options: { to: { type: 'string' } },
  run: ({ to }) =>
    withInstallation(async ({ db, keyring, company, config: { isEmbedded } }) => {
      const isSent = company.current().mail !== undefined
      const address = typeof to === 'string' ? to.trim().toLowerCase() : undefined
      const mails = isSent || isEmbedded ? await readMailbox(db, address) : await readWaiting(db, keyring, address)
      for (const each of mails.toReversed())
        print(`${each.created_at.toISOString()}  ${each.to}\n${each.subject}\n\n${each.text}\n${'-'.repeat(72)}`)
      if (mails.length === 0)
        print(isSent ? 'The mailbox is empty: emails are sent through the mail server.' : 'The mailbox is empty.')
    }),
}

const ACTOR = { call: 'limber mail unsuppress' }

const unsuppress: Command = {
  usage: '--email EMAIL --reason REASON',
  about: 'resume bulk email to an address that opted out or bounced, only if its owner asks for it',
  options: { email: { type: 'string' }, reason: { type: 'string' } },
  run: ({ email, reason: why }) =>
    withInstallation(async (installation) => {
      const address = Email.safeParse(email)
      if (!address.success) throw new Error('--email must be an email address.')
      const reason = Line(300).safeParse(why)
      if (!reason.success) throw new Error('--reason is required: who asked for it, and when.')
      const before = await runWork(installation, ACTOR, async (work) => {
        const [lifted] = await removeSuppression(work.db, 'mail', address.data)
        if (!lifted) throw new Error(`${address.data} is not on the suppression list.`)
        // The list stores no addresses, so the audit row has none either.
        work.audit({ action: 'suppression_lifted', subject: 'suppression', before: lifted, reason: reason.data })
        return lifted
      })
      const since = formatDay(companyDay(before.created_at))
      print(`${address.data} receives bulk emails again. It had been suppressed since ${since}: ${before.reason}.`)
    }),
}

/** Commands about emails. */
export const mailCommands: Record<string, Command> = { mail: readMails, 'mail unsuppress': unsuppress }
