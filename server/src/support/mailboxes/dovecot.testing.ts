import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const LOGIN = { user: 'help@example.com', password: 'open-sesame' }
const run = promisify(execFile)

/** Undefined when Dovecot 2.3 is not installed. Later versions have other settings. */
export const findDovecot = (): Promise<string | undefined> =>
  run('dovecot', ['--version']).then(
    ({ stdout }) => (stdout.startsWith('2.3.') ? stdout.trim() : undefined),
    () => undefined,
  )

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const idOf = async (flag: '-u' | '-g', name: string) => Number((await run('id', [flag, name])).stdout)

/** Who owns the emails. Dovecot gives them to anyone but root. */
async function findOwner() {
  const { uid, gid, username } = userInfo()
  if (uid !== 0) return { uid, gid, isRoot: false, username }
  return { uid: await idOf('-u', 'dovecot'), gid: await idOf('-g', 'dovecot'), isRoot: true, username }
}

const settings = (folder: string, port: number, owner: Awaited<ReturnType<typeof findOwner>>) => `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail
first_valid_uid = 1
passdb {
  driver = static
  args = password=${LOGIN.password}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
${owner.isRoot ? '' : `default_internal_user = ${owner.username}\ndefault_login_user = ${owner.username}`}
`

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.on('data', () => done(socket.destroy() !== undefined)))
    socket.on('error', () => done(false))
  })

/** Dovecot with one mailbox in a temporary folder. */
export async function openDovecot() {
  const folder = await mkdtemp(join(tmpdir(), 'limber-dovecot-'))
  const mail = join(folder, 'mail')
  const owner = await findOwner()
  const port = await freePort()
  for (const path of [folder, mail, ...['cur', 'new', 'tmp'].map((name) => join(mail, name))]) {
    await mkdir(path, { recursive: true })
    await chown(path, owner.uid, owner.gid)
  }
  const file = join(folder, 'dovecot.conf')
  await writeFile(file, settings(folder, port, owner))
  let child: ChildProcess | undefined
  let count = 0
  const start = async () => {
    child = spawn('dovecot', ['-F', '-c', file], { stdio: 'ignore' })
    for (let tries = 0; !(await answers(port)); tries += 1) {
      if (tries > 200 || child.exitCode !== null) throw new Error(`Dovecot did not start: see ${folder}/log`)
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  const stop = async () => {
    const ended = child && once(child, 'exit')
    child?.kill('SIGTERM')
    await ended
    child = undefined
  }
  await start()
  return {
    port,
    login: LOGIN,
    /** Puts an email into the mailbox like a mail server: whole or not at all. */
    async deliver(raw: string | Buffer) {
      count += 1
      const name = `${Date.now()}.M${count}P${process.pid}.limber`
      await writeFile(join(mail, 'tmp', name), raw)
      await chown(join(mail, 'tmp', name), owner.uid, owner.gid)
      await rename(join(mail, 'tmp', name), join(mail, 'new', name))
    },
    /** Ends all connections. */
    async restart() {
      await stop()
      await start()
    },
    /** Forgets all numbers and flags, as after a move to another machine. */
    async renumber() {
      await stop()
      for (const name of await readdir(mail)) if (name.startsWith('dovecot')) await rm(join(mail, name))
      await start()
    },
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type Dovecot = Awaited<ReturnType<typeof openDovecot>>
