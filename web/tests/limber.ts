import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { copyFolder, makeScratchHome } from '../../server/src/embedded/scratch.ts'
import type { Mailbox } from './mailbox.ts'
import { programFile } from './programs.ts'

const root = join(import.meta.dirname, '../..')
type Company = 'own' | 'sample'

// The server's clock cannot be changed, but the stored times can.
const EXPIRE_STEP_UPS = "update sessions set stepped_up_at = stepped_up_at - interval '10 minutes'"
const CLEAR_USED_CODES = 'update workers set totp_last_step = 0'
const RETRY_NOW = "update outbox set next_try_at = now() where state = 'waiting' and leased_until is null"
const CLOSE_EARLIER = `with earlier as (update rating_settings set since = since - interval '2 hours')
  update ticket_times set closed_at = closed_at - interval '61 minutes' where closed_at is not null`
const SWITCH_ROLE = `update sessions set worker_id =
  (select id from workers where role = $1 and status = 'active' order by id limit 1) where ended_at is null`

const START_TIMEOUT = 240_000

export interface Limber {
  url: string
  /** The link printed at startup: the first Owner's onboarding link, or the sample company's link. */
  link: string
  /** Expires all step-ups. */
  expireStepUps(): Promise<void>
  /** Clears used two-factor codes, so that the current one works again. */
  clearUsedCodes(): Promise<void>
  /** Makes failed deliveries due for a retry. */
  retryNow(): Promise<void>
  /** Closed tickets were closed an hour earlier. */
  closeEarlier(): Promise<void>
  /** Switches the signed-in session to the first worker with the role. */
  switchRole(role: string): Promise<void>
  /** Invites a worker with the command line and returns the onboarding link. */
  invite(email: string, name: string, role: string): Promise<string>
  /** Stops it and deletes its home, after saving files from it if needed. */
  stop(keep?: (home: string) => Promise<void>): Promise<void>
}

const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRNOTAVAIL'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** Starts at a random port, so that parallel journeys do not collide. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 30_000)
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return port
  }
  throw new Error('No free port from 20000 to 29999')
}

/** Changes the database directly, where a journey cannot wait or switch workers. */
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
  const args = ['worker', 'invite', '--email', email ?? '', '--name', name ?? '', '--role', role ?? '']
  const { stdout } = await promisify(execFile)(process.execPath, [programFile('limber'), ...args], {
    cwd: root,
    env,
  })
  const link = /http:\S+/.exec(stdout)?.[0]
  if (!link) throw new Error(`The command printed no link:\n${stdout}`)
  return link
}

// Test data need not survive a power cut, so do not wait for the disk.
const FAST_SETTINGS = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n'

/**
 * A home in which the sample company is loaded already: loading it takes longer than most journeys.
 * Gives the function that throws it away.
 */
export async function prepareHome(): Promise<() => Promise<void>> {
  const limber = await startLimber('sample')
  const prepared = await makeScratchHome('limber-prepared-')
  await limber.stop((home) => copyFolder(home, prepared))
  await appendFile(join(prepared, 'postgres/data/postgresql.auto.conf'), FAST_SETTINGS)
  process.env.LIMBER_PREPARED_HOME = prepared
  return () => rm(prepared, { recursive: true, force: true })
}

async function makeHome(): Promise<string> {
  const home = await makeScratchHome('limber-journey-')
  const prepared = process.env.LIMBER_PREPARED_HOME
  if (prepared) await copyFolder(prepared, home)
  return home
}

/** The product as `npm start` runs it, but bundled: its own PostgreSQL, the built pages, a temporary home. */
export async function startLimber(
  company: Company,
  mailbox?: Mailbox,
  settings: NodeJS.ProcessEnv = {},
): Promise<Limber> {
  const home = await makeHome()
  const port = await freePort()
  const args = [programFile('start'), ...(company === 'own' ? ['--empty'] : [])]
  const mail = mailbox && { SMTP_URL: mailbox.url }
  // Exits with its parent, even if the parent is killed.
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
      if (isWanted) process.stderr.write(`Limber exited (${signal ?? code}):\n${output.slice(-4000)}\n`)
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
    const timer = setTimeout(fail, START_TIMEOUT)
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
      expireStepUps: () => change(home, company, EXPIRE_STEP_UPS),
      clearUsedCodes: () => change(home, company, CLEAR_USED_CODES),
      retryNow: () => change(home, company, RETRY_NOW),
      closeEarlier: () => change(home, company, CLOSE_EARLIER),
      switchRole: (role) => change(home, company, SWITCH_ROLE, role),
      invite: (...who) => invite(env, ...who),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
