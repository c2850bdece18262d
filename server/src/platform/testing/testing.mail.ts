import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/**
 * How the mail server behaves. `later` defers (451). `unknown` rejects the address and `never` the content permanently
 * (550). `cut` drops the connection before accepting anything. `slow` receives everything and does not reply. `die`
 * accepts an email, and drops the connection before it says so.
 */
export type MailServerMode = 'well' | 'later' | 'unknown' | 'never' | 'cut' | 'slow' | 'die'

interface ReceivedMail {
  to: string
  raw: string
}

/** A password, or a token of OAuth 2.0 that may change. */
interface MailLogin {
  user: string
  password?: string
  token?: () => string
}

const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/**
 * A real SMTP server that stores what it accepts, with a configurable behavior. With a login, it requires that one. What
 * `forward` takes is not stored.
 */
export async function openMailServer(
  port = 0,
  login?: MailLogin,
  forward: (to: string, raw: Buffer) => boolean = () => false,
) {
  const letters: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let mode: MailServerMode = 'well'
  let held: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    authMethods: login?.token ? ['XOAUTH2'] : ['PLAIN', 'LOGIN'],
    onAuth({ username, password, accessToken }, _session, done) {
      const isToken = login?.token !== undefined && accessToken === login.token()
      const isRight = username === login?.user && (isToken || (password !== undefined && password === login?.password))
      if (isRight) done(null, { user: username })
      else done(smtpError(535, '5.7.8 Authentication failed'))
    },
    closeTimeout: 200,
    onRcptTo({ address }, _session, done) {
      if (mode === 'later') return done(smtpError(451, `4.7.1 <${address}>: try again later`))
      if (mode === 'unknown') return done(smtpError(550, `5.1.1 <${address}>: user unknown`))
      done()
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const keep = () => {
          const bytes = Buffer.concat(parts)
          const raw = bytes.toString('utf8')
          const kept = envelope.rcptTo.filter(({ address }) => !forward(address, bytes))
          letters.push(...kept.map(({ address }) => ({ to: address, raw })))
        }
        const take = () => {
          keep()
          done()
        }
        if (mode === 'never') done(smtpError(550, `5.7.1 refused for ${envelope.rcptTo[0]?.address}`))
        else if (mode === 'cut') for (const socket of sockets) socket.destroy()
        else if (mode === 'slow') held.push(take)
        else if (mode === 'die') {
          keep()
          for (const socket of sockets) socket.destroy()
        } else take()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const { port: own } = server.server.address() as AddressInfo
  return {
    port: own,
    url: `smtp://127.0.0.1:${own}`,
    letters,
    behave(next: MailServerMode) {
      mode = next
    },
    /** How many emails are waiting for a reply. */
    held: () => held.length,
    /** Accepts the waiting emails. */
    release() {
      for (const take of held) take()
      held = []
    },
    close: () => new Promise<void>((done) => server.close(done)),
  }
}
export type MailServer = Awaited<ReturnType<typeof openMailServer>>
