import { type AddressInfo, createServer, type Socket } from 'node:net'

/**
 * How the server behaves. `stall` accepts commands after the sign-in and answers nothing. `drop` cuts the connection in
 * the middle of an email, once per email. `hang` sends half of an email and then nothing, once per email. `empty` returns
 * emails without their content, once per email.
 */
export type ImapMode = 'well' | 'stall' | 'drop' | 'hang' | 'empty'

interface Letter {
  uid: number
  raw: Buffer
  date: Date
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number) => String(value).padStart(2, '0')
const imapDate = (at: Date) =>
  `${two(at.getUTCDate())}-${months[at.getUTCMonth()]}-${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)} +0000`

const LOGIN = { user: 'help@example.com', password: 'open-sesame' }

interface ImapOptions {
  hasIdle?: boolean
  /** Requires this token of OAuth 2.0 in place of the password. */
  token?: () => string
  /** Called before an email is sent to a client. */
  onFetch?: (uid: number) => void
}

/** A small IMAP server with one INBOX. It forgets every flag, and it can renumber its emails. */
export async function openImapServer({ hasIdle = true, token, onFetch }: ImapOptions = {}) {
  let letters: Letter[] = []
  let uidValidity = 1
  let nextUid = 1
  let mode: ImapMode = 'well'
  let signIns = 0
  const dropped = new Set<number>()
  const sockets = new Set<Socket>()
  const idling = new Map<Socket, string>()
  /** The emails that each client was told about. */
  const told = new Map<Socket, number[]>()
  const tell = (socket: Socket) => {
    const now = letters.map(({ uid }) => uid)
    const before = told.get(socket) ?? []
    // From the last, because each deletion moves those behind it.
    for (let at = before.length; at > 0; at -= 1)
      if (!now.includes(before[at - 1] ?? 0)) socket.write(`* ${at} EXPUNGE\r\n`)
    if (now.some((uid) => !before.includes(uid))) socket.write(`* ${now.length} EXISTS\r\n`)
    told.set(socket, now)
  }

  function search(query: string): number[] {
    const from = /UID (\d+):\*/i.exec(query)?.[1]
    if (from !== undefined) {
      const found = letters.filter(({ uid }) => uid >= Number(from)).map(({ uid }) => uid)
      // As real servers do: `n:*` includes the last email.
      return found.length > 0 ? found : letters.slice(-1).map(({ uid }) => uid)
    }
    return letters.map(({ uid }) => uid)
  }

  /** False when the answer stops half-way. */
  function fetch(socket: Socket, uid: number): boolean {
    const at = letters.findIndex((letter) => letter.uid === uid)
    const letter = letters[at]
    if (!letter) return true
    const head = `* ${at + 1} FETCH (UID ${uid} INTERNALDATE "${imapDate(letter.date)}" RFC822.SIZE ${letter.raw.length} BODY[]<0> {${letter.raw.length}}\r\n`
    onFetch?.(uid)
    if (mode !== 'well' && !dropped.has(uid)) {
      dropped.add(uid)
      const half = Buffer.concat([Buffer.from(head), letter.raw.subarray(0, letter.raw.length / 2)])
      if (mode === 'empty') socket.write(`* ${at + 1} FETCH (UID ${uid})\r\n`)
      else if (mode === 'drop') socket.end(half)
      else socket.write(half)
      return mode === 'empty'
    }
    socket.write(Buffer.concat([Buffer.from(head), letter.raw, Buffer.from(')\r\n')]))
    return true
  }

  function answer(socket: Socket, line: string) {
    const [, tag = '', command = '', rest = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? []
    const name = command.toUpperCase() === 'UID' ? `UID ${rest.split(' ')[0]?.toUpperCase()}` : command.toUpperCase()
    const ok = (text = 'done') => socket.write(`${tag} OK ${text}\r\n`)
    if (line.trim().toUpperCase() === 'DONE') {
      const waiting = idling.get(socket)
      idling.delete(socket)
      if (waiting) socket.write(`${waiting} OK idle ended\r\n`)
      return
    }
    if (name === 'CAPABILITY') {
      socket.write(
        `* CAPABILITY IMAP4rev1${hasIdle ? ' IDLE' : ''}${token ? ' AUTH=XOAUTH2 SASL-IR LOGINDISABLED' : ''}\r\n`,
      )
      return ok()
    }
    if (name === 'AUTHENTICATE') {
      const given = Buffer.from(rest.replace(/^XOAUTH2 /i, ''), 'base64').toString()
      if (given !== `user=${LOGIN.user}\u0001auth=Bearer ${token?.()}\u0001\u0001`)
        return socket.write(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`)
      signIns += 1
      return ok()
    }
    if (name === 'LOGIN') {
      if (token || !rest.includes(LOGIN.user) || !rest.includes(LOGIN.password))
        return socket.write(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`)
      signIns += 1
      return ok()
    }
    if (mode === 'stall') return
    if (name === 'LIST' || name === 'LSUB') {
      socket.write(`* ${name} (\\HasNoChildren) "/" ${/^"" ""/.test(rest) ? '""' : 'INBOX'}\r\n`)
      return ok()
    }
    if (name === 'SELECT' || name === 'EXAMINE') {
      socket.write(
        `* FLAGS (\\Seen)\r\n* ${letters.length} EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY ${uidValidity}] ok\r\n* OK [UIDNEXT ${nextUid}] ok\r\n`,
      )
      told.set(
        socket,
        letters.map(({ uid }) => uid),
      )
      return ok('[READ-ONLY] selected')
    }
    if (name === 'UID SEARCH') {
      socket.write(`* SEARCH ${search(rest).join(' ')}\r\n`)
      return ok()
    }
    if (name === 'UID FETCH') {
      return fetch(socket, Number(/^FETCH (\d+)/i.exec(rest)?.[1])) ? ok() : undefined
    }
    if (name === 'IDLE') {
      idling.set(socket, tag)
      socket.write('+ idling\r\n')
      return tell(socket)
    }
    if (name === 'LOGOUT') {
      socket.write('* BYE\r\n')
      ok()
      return socket.end()
    }
    tell(socket)
    return ok()
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      idling.delete(socket)
    })
    socket.on('error', () => {})
    let pending = ''
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1')
      for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end)
        pending = pending.slice(end + 2)
        answer(socket, line)
      }
    })
    socket.write('* OK ready\r\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    login: LOGIN,
    signIns: () => signIns,
    deliver(raw: string | Buffer, date: Date) {
      letters.push({ uid: nextUid++, raw: Buffer.from(raw), date })
      for (const socket of idling.keys()) tell(socket)
    },
    behave(next: ImapMode) {
      mode = next
    },
    cutAll,
    /** Deletes an email, as another mail program does. */
    expunge(uid: number) {
      letters = letters.filter((letter) => letter.uid !== uid)
    },
    /** Numbers all emails anew, as after a move to another machine. */
    renumber() {
      uidValidity += 1
      nextUid = 1
      letters = letters.map((letter) => ({ ...letter, uid: nextUid++ }))
      cutAll()
    },
    async close() {
      cutAll()
      await new Promise((done) => server.close(done))
    },
  }
}
export type ImapServer = Awaited<ReturnType<typeof openImapServer>>
