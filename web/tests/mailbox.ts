import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

interface Mail {
  to: string
  subject: string
  text: string
  /** A header, or an empty string. */
  header(name: string): string
}

export interface Mailbox {
  url: string
  /** Waits for the newest email to an address whose subject contains the text. */
  find(to: string, subject: string): Promise<Mail>
  /** The number of emails to an address whose subject contains the text. */
  count(to: string, subject: string): number
  close(): Promise<void>
}

const ARRIVAL_TIMEOUT = 15_000

const decodeQuoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** Parses an email written by nodemailer. Of several parts, the first is the text. */
function readMail(raw: string, to: string): Mail {
  const cut = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, cut).replaceAll(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const body = raw.slice(cut + 4)
  const boundary = /boundary="?([^";]+)/i.exec(header('Content-Type'))?.[1]
  const part = boundary && body.split(`--${boundary}\r\n`)[1]?.split(`\r\n--${boundary}`)[0]
  const encoding = header('Content-Transfer-Encoding').toLowerCase()
  const text =
    encoding === 'quoted-printable'
      ? decodeQuoted(body)
      : encoding === 'base64'
        ? Buffer.from(body, 'base64').toString('utf8')
        : part
          ? readMail(part, to).text
          : body
  return { to, subject: header('Subject'), text, header }
}

/** A mail server that stores what it receives. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        for (const { address } of session.envelope.rcptTo) mails.push(readMail(raw, address))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const found = (to: string, subject: string) =>
    mails.filter((mail) => mail.to === to && mail.subject.includes(subject))
  return {
    url: `smtp://127.0.0.1:${port}`,
    count: (to, subject) => found(to, subject).length,
    async find(to, subject) {
      const end = performance.now() + ARRIVAL_TIMEOUT
      for (;;) {
        const mail = found(to, subject).at(-1)
        if (mail) return mail
        if (performance.now() > end) {
          const seen = mails.map((one) => `${one.to}: ${one.subject}`).join('\n')
          throw new Error(`No email '${subject}' to ${to} arrived. Received:\n${seen}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
