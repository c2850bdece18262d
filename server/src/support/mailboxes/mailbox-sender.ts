import type { FindSender } from '#platform/mail/mail.ts'
import type { Services } from '#platform/services.ts'
import { findMailbox } from './mailbox.queries.ts'
import { smtpOf } from './mailbox-connection.ts'
import { makeTokens } from './mailbox-token.ts'

/** Finds whom the emails of a mailbox come from. The sample company sends nothing, so its mailboxes have no server. */
export function makeMailboxSender(services: Pick<Services, 'db' | 'keyring' | 'config' | 'clock'>): FindSender {
  const { db, keyring, config } = services
  const tokens = makeTokens(services)
  return async (id) => {
    const mailbox = await findMailbox(db, id)
    if (!mailbox) return undefined
    const { name, address, smtp_host, smtp_auth } = mailbox
    const sender = { name, address }
    if (config.sendsNothing || smtp_host === '') return { sender, server: undefined }
    const accessToken = smtp_auth === 'oauth' ? await tokens.open(mailbox) : undefined
    return { sender, server: smtpOf(mailbox, keyring, accessToken), refused: () => tokens.forget(id) }
  }
}
