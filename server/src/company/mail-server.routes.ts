import { readMailServer, testMailServer, updateMailServer } from '@limber/contract/company/mail-server.ts'
import { findCompany, findMailServer, type MailServerRow } from '#platform/company/company.queries.ts'
import { connectionOf, MAIL_PASSWORD, type MailConnection, senderOf } from '#platform/company/mail-connection.ts'
import { runWork } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import { explainMailError } from '#platform/mail/explain-mail-error.ts'
import { sendNow } from '#platform/mail/mail.ts'
import { presentMailServer, testOf } from './mail-server.present.ts'
import { lockMailServer, saveMailServer, saveTest } from './mail-server.queries.ts'
import { requireOwner } from './require-owner.ts'

/** The password to store: the new one, or the known one if it goes to the same server and user. */
function passwordFor({ body, services }: Context<typeof updateMailServer>, before: MailServerRow): Buffer | null {
  if (body.username === '') return null
  if (body.password) return services.keyring.seal(MAIL_PASSWORD, body.password)
  const isSame = body.host === before.host && body.username === before.username
  if (before.password && !isSame) throw refuse(updateMailServer, 'password_needed')
  return before.password
}

/** What the audit log shows: never the password. */
const settingsOf = ({ host, port, security, username, from_address }: Omit<MailServerRow, 'password'>) => ({
  host,
  port,
  security,
  username,
  from_address,
})

const passwordOf = ({ server }: MailConnection) =>
  typeof server === 'string' ? decodeURIComponent(new URL(server).password) : server.password

async function sendTest(
  { worker, services }: Context<typeof testMailServer>,
  connection: MailConnection,
  row: MailServerRow,
) {
  const company = await findCompany(services.db)
  const setup = { sender: senderOf(services.config.mailFrom, company, row), replyTo: company.reply_to }
  const mail = {
    to: worker.email,
    subject: 'Test email from Limber',
    text: 'Your mail server works. Limber will send email through it.',
  }
  try {
    const answer = await sendNow(connection, setup, mail)
    return { isOk: true, summary: 'The server accepted the test email.', answer }
  } catch (error) {
    return { isOk: false, ...explainMailError(error, [passwordOf(connection)], 'The test email was not sent.') }
  }
}

export const mailServerRoutes = [
  serve(readMailServer, async ({ db, services }) => ({
    mailServer: await presentMailServer(services, db, await findMailServer(db)),
  })),

  serve(updateMailServer, async (context) => {
    const { worker, body, db, audit, publish, services } = context
    requireOwner(updateMailServer, worker)
    const show = (row: MailServerRow) => presentMailServer(services, db, row)
    const before = await loadForUpdate(updateMailServer, lockMailServer(db), body.version, show)
    const { host, port, security, username, from_address } = body
    const hasSender = from_address !== '' || username.includes('@') || services.config.mailFrom !== undefined
    if (host !== '' && !hasSender) throw refuse(updateMailServer, 'no_sender')
    const password = host === '' ? null : passwordFor(context, before)
    const saved = await saveMailServer(db, { host, port, security, username, password, from_address })
    audit({
      action: host === '' ? 'mail_server_removed' : 'mail_server_changed',
      subject: 'company',
      before: settingsOf(before),
      after: { ...settingsOf(saved), ...(body.password && { password: 'changed' }) },
    })
    publish('company')
    return { mailServer: await show(saved) }
  }),

  serve(
    testMailServer,
    async (context) => {
      const { worker, request, services } = context
      requireOwner(testMailServer, worker)
      const row = await findMailServer(services.db)
      const connection = connectionOf(services.config, row, services.keyring)
      if (!connection) throw refuse(testMailServer, 'not_connected')
      const result = await sendTest(context, connection, row)
      const actor = {
        call: `${testMailServer.method} ${testMailServer.path}`,
        workerId: worker.workerId,
        address: request.address,
        requestId: request.id,
      }
      await runWork(services, actor, async ({ db, now, audit, publish }) => {
        await saveTest(db, row.version, { ...result, server: connection.label, workerId: worker.workerId }, now)
        audit({ action: 'mail_server_tested', subject: 'company', after: result })
        publish('company')
      })
      const at = services.clock.now().toISOString()
      const kept = testOf(await findMailServer(services.db), connection.label)
      return { to: worker.email, test: kept ?? { at, ...result } }
    },
    { transaction: 'none' },
  ),
]
