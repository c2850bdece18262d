import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { constants } from 'node:fs'
import { appendFile, cp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { makeScratchHome } from '../../server/src/embedded/scratch.ts'
import type { Mailbox } from './mailbox.ts'

const root = join(import.meta.dirname, '../..')
type Company = 'own' | 'sample'

// The clock of the server cannot be moved; what it compares with can.
const AGE_PROOFS = "update sessions set stepped_up_at = stepped_up_at - interval '10 minutes'"
const FORGET_CODES = 'update workers set totp_last_step = 0'
const END_WAITS = "update outbox set next_try_at = now() where state = 'waiting' and leased_until is null"
const BECOME = `update sessions set worker_id =
  (select id from workers where role = $1 and status = 'active' order by id limit 1) where ended_at is null`

const COPY = { recursive: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE }
const STARTS_WITHIN = 240_000

export interface Limber {
  url: string
  /** The link that the start printed: the first Owner's, or the visitor's door of the sample company. */
  link: string
  /** As if ten minutes had passed since anybody proved a passkey. */
  agePasskeyProofs(): Promise<void>
  /** As if nobody had typed a two-factor code yet: the present one works again, and nobody waits for the next. */
  forgetCodes(): Promise<void>
  /** As if it were time to try again whatever could not be delivered. */
  endWaits(): Promise<void>
  /** Whoever is signed in goes on as the first worker of that role. */
  become(role: string): Promise<void>
  /** Invites somebody by the command line, and gives their onboarding link. */
  invite(email: string, name: string, role: string): Promise<string>
  /** Stops it and throws its home away, from which something may be kept before. */
  stop(keep?: (home: string) => Promise<void>): Promise<void>
}

const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRNOTAVAIL'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** Begins to look anywhere, so that journeys that start side by side do not meet. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 30_000)
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return port
  }
  throw new Error('No port from 20000 to 29999 is free')
}

/** Changes the database behind the server's back, where a journey cannot wait or be somebody else. */
async function change(home: string, company: Company, statement: string, ...values: string[]): Promise<void> {
  const { port, password } = JSON.parse(await readFile(join(home, 'postgres.json'), 'utf8')) as {
    port: number
    password: string
  }
  const database = company === 'own' ? 'limber' : 'limber_sample'
  const client = new pg.Client({ host: '127.0.0.1', port, password, user: 'limber', database })
  await client.connect()
  await client.query(statement, values)
  await client.end()
}

async function invite(env: NodeJS.ProcessEnv, ...[email, name, role]: string[]): Promise<string> {
  const words = ['worker', 'invite', '--email', email ?? '', '--name', name ?? '', '--role', role ?? '']
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'server/src/cli/limber.ts'), ...words], {
    cwd: root,
    env,
  })
  const link = /http:\S+/.exec(stdout)?.[0]
  if (!link) throw new Error(`No link was printed:\n${stdout}`)
  return link
}

// Nobody wants these data back after a power cut: a journey need not wait for the disk.
const HURRY = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n'

/**
 * A home in which the sample company is loaded already: loading it takes longer than most journeys.
 * Gives the function that throws it away.
 */
export async function prepareHome(): Promise<() => Promise<void>> {
  const limber = await startLimber('sample')
  const prepared = await makeScratchHome('limber-prepared-')
  await limber.stop((home) => cp(home, prepared, COPY))
  await appendFile(join(prepared, 'postgres/data/postgresql.auto.conf'), HURRY)
  process.env.LIMBER_PREPARED_HOME = prepared
  return () => rm(prepared, { recursive: true, force: true })
}

async function makeHome(): Promise<string> {
  const home = await makeScratchHome('limber-journey-')
  const prepared = process.env.LIMBER_PREPARED_HOME
  if (prepared) await cp(prepared, home, COPY)
  return home
}

/** The product as `npm start` runs it: its own PostgreSQL, the built pages, a home that is thrown away. */
export async function startLimber(
  company: Company,
  mailbox?: Mailbox,
  settings: NodeJS.ProcessEnv = {},
): Promise<Limber> {
  const home = await makeHome()
  const port = await freePort()
  const args = [join(root, 'server/src/start.ts'), ...(company === 'own' ? ['--empty'] : [])]
  const mail = mailbox && { SMTP_URL: mailbox.url }
  // It ends with whoever started it, even if they are killed.
  const own = { LIMBER_HOME: home, PORT: String(port), LIMBER_PARENT: String(process.pid), LIMBER_SAMPLE_SENDS: '1' }
  const env = { ...process.env, ...own, ...mail, ...settings }
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let isWanted = true
  const ended = new Promise<void>((resolve) =>
    child.once('close', (code, signal) => {
      if (isWanted) process.stderr.write(`Limber ended by itself (${signal ?? code}):\n${output.slice(-4000)}\n`)
      resolve()
    }),
  )
  const stop = async (keep?: (home: string) => Promise<void>) => {
    isWanted = false
    child.kill('SIGTERM')
    await ended
    await keep?.(home)
    await rm(home, { recursive: true, force: true })
  }
  const path = company === 'own' ? '/onboarding\\?token=' : '/sample-door\\?key='
  const printed = new RegExp(`http://localhost:${port}${path}\\S+`)
  const link = new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`Limber did not start:\n${output}`))
    const timer = setTimeout(fail, STARTS_WITHIN)
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = printed.exec(output)
        if (!found || !output.includes('Stop with')) return
        clearTimeout(timer)
        resolve(found[0])
      })
    }
    child.once('close', fail)
  })
  try {
    return {
      url: `http://localhost:${port}`,
      link: await link,
      agePasskeyProofs: () => change(home, company, AGE_PROOFS),
      forgetCodes: () => change(home, company, FORGET_CODES),
      endWaits: () => change(home, company, END_WAITS),
      become: (role) => change(home, company, BECOME, role),
      invite: (...who) => invite(env, ...who),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
