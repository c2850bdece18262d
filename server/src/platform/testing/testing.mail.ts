import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/**
 * How a mail server behaves. `later` puts off (451), `unknown` and `never` refuse for good (550), the first at the
 * address, the second at the words; `cut` loses the connection before it has taken anything; `slow` takes everything
 * and does not answer.
 */
export type MailServerMode = 'well' | 'later' | 'unknown' | 'never' | 'cut' | 'slow'

interface Letter {
  to: string
  raw: string
}

const trouble = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })

/** A real SMTP server that keeps what it takes, and behaves as it is told. */
export async function openMailServer(port = 0) {
  const letters: Letter[] = []
  const sockets = new Set<Socket>()
  let mood: MailServerMode = 'well'
  let held: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 200,
    onRcptTo({ address }, _session, done) {
      if (mood === 'later') return done(trouble(451, `4.7.1 <${address}>: try again later`))
      if (mood === 'unknown') return done(trouble(550, `5.1.1 <${address}>: user unknown`))
      done()
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const take = () => {
          const raw = Buffer.concat(parts).toString('utf8')
          letters.push(...envelope.rcptTo.map(({ address }) => ({ to: address, raw })))
          done()
        }
        if (mood === 'never') done(trouble(550, `5.7.1 refused for ${envelope.rcptTo[0]?.address}`))
        else if (mood === 'cut') for (const socket of sockets) socket.destroy()
        else if (mood === 'slow') held.push(take)
        else take()
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
      mood = next
    },
    /** How many letters wait for an answer. */
    held: () => held.length,
    /** Answers, and takes, what has waited. */
    release() {
      for (const take of held) take()
      held = []
    },
    close: () => new Promise<void>((done) => server.close(done)),
  }
}
export type MailServer = Awaited<ReturnType<typeof openMailServer>>
