import type { FindSender } from '#platform/mail/mail.ts'
import type { Services } from '#platform/services.ts'
import { findMailbox } from './mailbox.queries.ts'
import { smtpOf } from './mailbox-connection.ts'

/** Finds whom the emails of a mailbox come from. The sample company sends nothing, so its mailboxes have no server. */
export const makeMailboxSender =
  ({ db, keyring, config }: Pick<Services, 'db' | 'keyring' | 'config'>): FindSender =>
  async (id) => {
    const mailbox = await findMailbox(db, id)
    if (!mailbox) return undefined
    const { name, address } = mailbox
    return { sender: { name, address }, server: config.sendsNothing ? undefined : smtpOf(mailbox, keyring) }
  }
