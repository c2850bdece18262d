import { stat } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '#platform/paths.ts'
import { askOwner, canAsk } from './embedded/ask-owner.ts'
import { type Company, embeddedEnvironment } from './embedded/environment.ts'
import { type Holder, openHome, takeHome } from './embedded/home.ts'
import { startPostgres } from './embedded/postgres.ts'
import { onStopRequest } from './embedded/signals.ts'
import { inSeconds, makeTerminal } from './embedded/terminal.ts'
import { webBuild } from './embedded/web-build.ts'
import type { RunningServer } from './serve.ts'

const LOG_LIMIT = 50_000_000

/** A problem that the user can fix; shown without a stack. */
class UserFacingError extends Error {}

const terminal = makeTerminal()
const closers: (() => Promise<void>)[] = []
let isEnding = false

/** Stops everything in reverse order, once, however many signals arrive. */
async function end(code: number): Promise<never> {
  if (isEnding) return new Promise<never>(() => {})
  isEnding = true
  for (const close of closers.reverse()) {
    await close().catch((error: unknown) => terminal.say(error instanceof Error ? error.message : String(error)))
  }
  process.exit(code)
}

function endOnSignals(): void {
  onStopRequest(() => {
    if (isEnding) return
    terminal.say()
    terminal.say('Stopping ...')
    void end(0).catch(() => process.exit(1))
  })
  process.on('uncaughtException', (error) => {
    terminal.say(error.stack ?? error.message)
    void end(1)
  })
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
}

async function start(): Promise<void> {
  const began = performance.now()
  const company: Company = process.argv.includes('--empty') ? 'own' : 'sample'
  const port = readPort(process.env.PORT)
  terminal.say()
  if (process.env.DATABASE_URL) return startOnOwnDatabase()

  const home = await openHome(process.env.LIMBER_HOME ?? join(root, '.limber'))
  const lock = await takeHome(home)
  if (!('release' in lock)) return reportRunning(home, lock.holder)
  closers.push(async () => lock.release())
  await checkPort(port)

  const modules = Promise.all([
    import('./serve.ts'),
    import('#platform/config.ts'),
    import('#platform/telemetry/log.ts'),
    import('#platform/telemetry/log-sink.ts'),
  ])
  const building = buildWeb()
  building.catch(() => {})
  modules.catch(() => {})

  const postgres = await terminal.stage('Starting PostgreSQL', () => {
    const starting = startPostgres({
      home,
      log: (line) => terminal.say(line),
      skipInitSync: company === 'sample',
    })
    closers.push(async () => (await starting).stop())
    return starting
  })
  const embedded = await embeddedEnvironment(home, { postgresUrl: postgres.url, company, port, env: process.env })
  const { prepareDatabase } = await import('./embedded/prepare.ts')
  await prepareDatabase(terminal, embedded.DATABASE_URL, company, {
    secretKey: embedded.SECRET_KEY,
    storagePath: embedded.LIMBER_STORAGE,
  })
  const env = company === 'own' ? { ...embedded, ...(await findOwner(embedded)) } : embedded
  const web = await building
  if (web.isStale) await terminal.stage('Building the web app', () => web.done)

  const server = await terminal.stage('Starting the server', async () => {
    const [{ startServer }, { readConfig }, { makeLog }, { logToFile }] = await modules
    const config = readConfig(env)
    const path = join(home, 'server.log')
    const log = makeLog(config.logLevel, logToFile(path, { isFresh: (await sizeOf(path)) > LOG_LIMIT }))
    const starting = startServer(config, { log })
    closers.push(async () => (await starting.catch(() => undefined))?.close())
    return starting
  })
  await lock.tell({ pid: process.pid, url: server.url, company })
  await printSignInLinks(server, { company, home, began })
  // Without this, the cache is written only on a clean exit, and the start after a kill is slow.
  flushCompileCache()
}

/** The first Owner of a new company: from the settings, or asked at the terminal. */
async function findOwner(env: NodeJS.ProcessEnv & { DATABASE_URL: string }) {
  const known = { OWNER_NAME: env.OWNER_NAME, OWNER_EMAIL: env.OWNER_EMAIL }
  if ((known.OWNER_NAME && known.OWNER_EMAIL) || !canAsk()) return known
  const [{ isFirstOwnerUnknown }, { openDb }, { openPool }] = await Promise.all([
    import('#access/public.ts'),
    import('#platform/db/db.ts'),
    import('#platform/db/pool.ts'),
  ])
  const db = openDb(openPool(env.DATABASE_URL, { size: 1 }))
  const isUnknown = await isFirstOwnerUnknown({ db })
  await db.destroy()
  return isUnknown ? askOwner(known) : known
}

function readPort(text = '3000'): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text)
  throw new UserFacingError(`PORT is ${text}. It must be a number from 1 to 65535.`)
}

/** With DATABASE_URL, this is a production start: nothing is embedded, and all settings come from the environment. */
async function startOnOwnDatabase(): Promise<void> {
  const web = await buildWeb()
  if (web.isStale) await terminal.stage('Building the web app', () => web.done)
  terminal.say('DATABASE_URL is set: starting on that database.')
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
  await import('./main.ts')
}

async function reportRunning(home: string, known: Holder | undefined): Promise<void> {
  let holder = known
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (holder?.url && (await isHealthy(holder.url))) {
      terminal.say(`Limber is already running at ${holder.url} (process ${holder.pid}).`)
      return end(0)
    }
    if (attempt === 0) terminal.say(`Limber is already starting in ${home}. Waiting for it ...`)
    await sleep(300)
    const again = await takeHome(home, { keepHolder: true })
    if ('release' in again) {
      again.release()
      throw new UserFacingError('The other process stopped before it was ready. Start again.')
    }
    holder = again.holder
  }
  throw new UserFacingError(
    `Another Limber (process ${holder?.pid}) uses ${home} but does not respond. Stop it, then start again.`,
  )
}

async function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    (reply) => reply.ok,
    () => false,
  )
}

/** Checks both loopback addresses, because browsers may try either one for localhost. */
async function checkPort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    const code = await new Promise<string | undefined>((resolve) => {
      const server = createServer()
      server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
    })
    if (code === 'EACCES')
      throw new UserFacingError(`Port ${port} requires administrator rights. Use another port: PORT=3001 npm start`)
    if (code === 'EADDRINUSE') {
      throw new UserFacingError(
        `Port ${port} is in use by another program. Use another port: PORT=${port + 1} npm start`,
      )
    }
  }
}

async function buildWeb(): Promise<{ isStale: boolean; done: Promise<void> }> {
  const { isStale, build } = await webBuild(root)
  if (!isStale) return { isStale, done: Promise.resolve() }
  const stopping = new AbortController()
  closers.push(async () => stopping.abort())
  const done = build(stopping.signal)
  done.catch(() => {})
  return { isStale, done }
}

const sizeOf = (path: string) =>
  stat(path).then(
    (found) => found.size,
    () => 0,
  )

type StartInfo = { company: Company; home: string; began: number }

async function printSignInLinks(server: RunningServer, { company, home, began }: StartInfo): Promise<void> {
  const { createSampleLink, firstWorkerLink, renewInvitation } = await import('#access/public.ts')
  terminal.say()
  terminal.say(`Limber is running at ${server.url} (ready after ${inSeconds(performance.now() - began)})`)
  terminal.say()
  if (company === 'sample') {
    const invitation = await renewInvitation(server.services)
    terminal.say('This is the sample company. Open it as its owner with this link (works once, for 15 minutes):')
    terminal.say(`  ${await createSampleLink(server.services)}`)
    if (invitation) {
      terminal.say(`Or set up a passkey and two-factor codes as ${invitation.name}, who has been invited:`)
      terminal.say(`  ${invitation.link}`)
      terminal.say('  Emails stay on this machine. Read them with: npm run limber -- mail')
    }
    terminal.say('To start your own company: npm start -- --empty')
  } else {
    const owner = await firstWorkerLink(server.services)
    if (owner) {
      terminal.say(
        `No one has signed in yet. ${owner.name} (${owner.email}), the first Owner, registers a passkey here:`,
      )
      terminal.say(`  ${owner.link}`)
      terminal.say('  You can change the name and email later under My profile.')
    }
    if (!server.services.company.current().mail)
      terminal.say('No mail server is set up. Read sign-in codes and other emails with: npm run limber -- mail')
    terminal.say('Invite more people: npm run limber -- worker invite --email … --name … --role …')
  }
  terminal.say()
  terminal.say(`Data and logs are in ${home}. Stop with Ctrl-C.`)
  terminal.say()
}

endOnSignals()
start().catch(async (error: unknown) => {
  const { code, message, stack } = error as NodeJS.ErrnoException
  terminal.say()
  if (code === 'EADDRINUSE')
    terminal.say('The port is in use by another program. Use another port: PORT=3001 npm start')
  else terminal.say(error instanceof UserFacingError ? message : (stack ?? message))
  terminal.say()
  await end(1)
})
