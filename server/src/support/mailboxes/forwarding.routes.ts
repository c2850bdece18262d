import { makeForwardingAddress, receiveMail } from '@limber/contract/support/mailboxes/forwarding.ts'
import { isRetryable, isUnavailable, sqlState } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { parseRoughly } from '../inbox/parse-mail.ts'
import { findForwarded, lockMailbox, type MailboxRow, noteReceived, setForwardHash } from './mailbox.queries.ts'
import { BadMailBody, readMailBody } from './read-mail-body.ts'
import { type GivenMail, parseGiven, Superseded, storeMail } from './store-mail.ts'

/** Emails that are read at a time. The others wait outside of our memory. */
const AT_ONCE = 2
let free = AT_ONCE
const waiting: (() => void)[] = []

async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1
  else await new Promise<void>((go) => waiting.push(go))
  try {
    return await run()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
}

const store = (services: Services, mailbox: MailboxRow, given: GivenMail) =>
  storeMail(services, mailbox, given, async ({ db, now }, isNew) => {
    if (!(await noteReceived(db, mailbox, isNew ? now : null))) throw new Superseded()
  })

/** The database is down, or someone changed the same records at the same time. */
const isPassing = (error: unknown) =>
  isUnavailable(error) || isRetryable(error) || /^23(503|505)/.test(sqlState(error) ?? '')

/** Stores an email. One whose values are refused is kept as it came. */
async function storeAnyway(services: Services, mailbox: MailboxRow, given: GivenMail): Promise<boolean> {
  try {
    return await store(services, mailbox, given)
  } catch (error) {
    // The provider sends it again later.
    if (error instanceof Superseded || isPassing(error) || given.mail.kind === 'unreadable') throw error
    const name = `mailbox ${mailbox.id}`
    services.log.warn('an email was not stored as it is', { name, ...describeError(error) })
    return store(services, mailbox, { ...given, mail: parseRoughly(given.source) })
  }
}

export const forwardingRoutes = [
  serve(
    makeForwardingAddress,
    async ({ params: { id }, db, audit, publish, services: { config } }) => {
      const mailbox = await lockMailbox(db, id)
      if (!mailbox) throw refuse(makeForwardingAddress, 'not_found')
      if (mailbox.incoming !== 'forward') throw refuse(makeForwardingAddress, 'not_forwarded')
      const key = randomToken()
      await setForwardHash(db, id, hashToken(key))
      audit({ action: 'forwarding_address_made', subject: 'mailbox', subjectId: id })
      publish('mailboxes')
      return { url: config.publicUrl + receiveMail.path.replace(':key', () => key) }
    },
    { isSecret: true },
  ),

  serve(
    receiveMail,
    async ({ params: { key }, request, services }) => {
      const mailbox = await findForwarded(services.db, hashToken(key))
      if (!mailbox) throw refuse(receiveMail, 'wrong_key')
      if (!mailbox.is_enabled) throw refuse(receiveMail, 'off')
      return inTurn(async () => {
        try {
          const { source, isCut } = await readMailBody(request.raw)
          return { isNew: await storeAnyway(services, mailbox, await parseGiven(source, isCut)) }
        } catch (error) {
          if (error instanceof BadMailBody) throw refuse(receiveMail, error.code)
          if (error instanceof Superseded) throw refuse(receiveMail, 'off')
          throw error
        }
      })
    },
    { transaction: 'none' },
  ).expecting({ mailbox_mails_mailbox_id_fkey: 'off', tickets_customer_id_fkey: 'conflict' }),
]
