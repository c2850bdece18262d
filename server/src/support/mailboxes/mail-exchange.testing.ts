import { createTransport, type SendMailOptions } from 'nodemailer'
import { openMailServer } from '#platform/testing/testing.mail.ts'

interface Inbox {
  login: { user: string }
  deliver(raw: Buffer, date: Date): unknown
}

/** A mail server between customers and a mailbox: it delivers to the mailbox, and keeps what goes to customers. */
export async function openMailExchange(inbox: Inbox) {
  const server = await openMailServer(0, undefined, (to, raw) => {
    if (to !== inbox.login.user) return false
    void inbox.deliver(raw, new Date())
    return true
  })
  const transport = createTransport({ url: server.url })
  return {
    port: server.port,
    /** What customers got. */
    letters: server.letters,
    /** A customer writes to the mailbox. */
    send: (mail: SendMailOptions) => transport.sendMail({ to: inbox.login.user, ...mail }),
    async close() {
      transport.close()
      await server.close()
    },
  }
}
export type MailExchange = Awaited<ReturnType<typeof openMailExchange>>
