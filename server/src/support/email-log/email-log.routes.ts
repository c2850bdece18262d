import type { QueryOf } from '@limber/contract/kit/call.ts'
import { paginateUpTo } from '@limber/contract/kit/page.ts'
import { listEmailLogs, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import { presentEmailLog } from './email-log.present.ts'
import { type EmailFilter, findEmailLog, findEmailLogs } from './email-log.queries.ts'
import { hashRecipient, openContent, openRecipient } from './email-log.seal.ts'

function openEmail(keyring: Keyring, to: Buffer, content: Buffer) {
  try {
    return { to_address: openRecipient(keyring, to), ...openContent(keyring, content) }
  } catch {
    throw refuse(revealEmail, 'no_key')
  }
}

/** Which emails the list shows. */
export const emailsOf = (
  { type, recipient, from, to, delivery }: Omit<QueryOf<typeof listEmailLogs>, 'page' | 'limit'>,
  keyring: Keyring,
): EmailFilter => ({
  type,
  recipientHash: recipient === '' ? undefined : hashRecipient(keyring, recipient),
  from,
  to,
  delivery,
})

export const emailLogRoutes = [
  serve(listEmailLogs, async ({ query: { page, limit, ...query }, db, services }) => {
    const filter = emailsOf(query, services.keyring)
    const { total, rows } = await findEmailLogs(db, { ...filter, limit, offset: (page - 1) * limit })
    return { data: rows.map(presentEmailLog), pagination: paginateUpTo(page, limit, total) }
  }),

  serve(
    revealEmail,
    async ({ params: { id }, body: { reason }, db, audit, services }) => {
      const row = await findEmailLog(db, id)
      if (!row) throw refuse(revealEmail, 'not_found')
      if (!row.content_sealed) throw refuse(revealEmail, 'erased')
      const opened = openEmail(services.keyring, row.to_sealed, row.content_sealed)
      audit({ action: 'email_revealed', subject: 'email', subjectId: id, reason, people: [row] })
      return { id, ...opened }
    },
    { isSecret: true },
  ),
]
