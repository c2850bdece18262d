import type { ChildProcess } from 'node:child_process'
import { chown, mkdir, open, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, chooseAccount, postgresDirectory, type Way } from './account.ts'
import { type Access, ensureCluster, makePassword, readAccess, resetPassword, USER, writeAccess } from './cluster.ts'
import { ensureDatabase } from './database.ts'
import { endOrphans } from './orphans.ts'
import { freePort } from './port.ts'
import { askPostmaster, looksLikePostmaster, type PidFile, readPidFile, removePidFile } from './postmaster.ts'
import { SETTINGS, THROWAWAY } from './settings.ts'

export type Postgres = {
  /** Stable for a home, unless another program took its port. */
  url: string
  /** An earlier process had left the server running. */
  adopted: boolean
  /** The first start in this home. */
  isNew: boolean
  stop(): Promise<void>
}

type Options = {
  home: string
  log: (line: string) => void
  settings?: Record<string, string>
  /** Fast but unsafe, for throwaway data. */
  isThrowaway?: boolean
  /** Do not wait for the disk while creating the cluster. A power cut then loses only an empty data directory. */
  skipInitSync?: boolean
  ways?: readonly Way[]
}

const START_TIMEOUT = 60_000
const LOG_LIMIT = 10_000_000

/** Starts the embedded PostgreSQL of a home, or adopts the one running there, and restarts it on failure until `stop`. */
export async function startPostgres(options: Options): Promise<Postgres> {
  await mkdir(options.home, { recursive: true, mode: 0o700 })
  const home = await realpath(options.home)
  const supervisor = new Supervisor({ ...options, home })
  return supervisor.start()
}

type Running = { pid: number; child?: ChildProcess; isAdopted: boolean }

class Supervisor {
  readonly #options: Options
  #access: Access | undefined
  #account: Account | undefined
  #running: Running | undefined
  readonly #stopping = new AbortController()
  #watching: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  async start(): Promise<Postgres> {
    const { home } = this.#options
    const known = await readAccess(home)
    this.#access = known ?? { port: await freePort(), password: makePassword() }
    let isNew = false
    let running = await this.#adopt()
    if (!running) {
      this.#account = await chooseAccount(home, this.#options.ways)
      await writeAccess(home, this.#access)
      const waitsForDisk = !(this.#options.isThrowaway || this.#options.skipInitSync)
      isNew = (await ensureCluster(this.#account, this.#access.password, waitsForDisk)).isNew
      if (!isNew && !known) await resetPassword(this.#account, this.#access.password)
      running = await this.#launch({ mayMove: true })
    }
    this.#running = running
    await ensureDatabase(this.#url('postgres'), 'limber')
    this.#watching = this.#watch()
    return { url: this.#url('limber'), adopted: running.isAdopted, isNew, stop: () => this.stop() }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#watching
    const running = this.#running
    if (!running) return
    const isGone = async () => (running.child ? hasEnded(running.child) : !(await this.#answers(running.pid)))
    for (const [signal, timeout] of [
      ['SIGINT', 30_000],
      ['SIGQUIT', 10_000],
      ['SIGKILL', 5000],
    ] as const) {
      if (await isGone()) break
      signalQuietly(running.pid, signal)
      await waitFor(isGone, timeout)
    }
    this.#running = undefined
  }

  #url(database: string): string {
    const { port, password } = this.#knownAccess()
    return `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`
  }

  #knownAccess(): Access {
    if (!this.#access) throw new Error('PostgreSQL was not started yet.')
    return this.#access
  }

  async #data(): Promise<string> {
    return join(await postgresDirectory(this.#options.home), 'data')
  }

  /** Adopts a postmaster that is verified as ours; waits for one that is starting or stopping. */
  async #adopt(): Promise<Running | undefined> {
    const access = this.#knownAccess()
    const data = await this.#data()
    const since = performance.now()
    let hasSaid = false
    for (;;) {
      const file = await readPidFile(data)
      if (!file) return undefined
      const answer = await askPostmaster(data, file, access.password)
      if (answer === 'ours') {
        if (access.port !== file.port) {
          access.port = file.port
          await writeAccess(this.#options.home, access)
        }
        return { pid: file.pid, isAdopted: true }
      }
      const isPostmaster = await looksLikePostmaster(file.pid, data)
      if (!isPostmaster) {
        await removePidFile(data, file)
        return undefined
      }
      // Crash recovery may take long; meanwhile the server answers 'busy'.
      if (answer !== 'busy' && performance.now() - since > START_TIMEOUT) {
        throw new Error(`PostgreSQL process ${file.pid} uses ${data} but does not respond. Stop it and start again.`)
      }
      if (!hasSaid && performance.now() - since > 3000) {
        this.#options.log('Waiting for PostgreSQL to start or stop')
        hasSaid = true
      }
      await sleep(50)
    }
  }

  async #launch({ mayMove }: { mayMove: boolean }): Promise<Running> {
    const access = this.#knownAccess()
    const { log, home } = this.#options
    const data = await this.#data()
    const since = performance.now()
    for (;;) {
      const adopted = await this.#adopt()
      if (adopted) return adopted
      if (mayMove) {
        const port = await freePort(access.port)
        if (port !== access.port) {
          access.port = port
          await writeAccess(home, access)
        }
      }
      const outcome = await this.#spawnPostmaster(data)
      if (typeof outcome !== 'string') return outcome
      const isBlocked = /shared memory block .* still in use|lock file .* already exists/.test(outcome)
      const isPortTaken = /could not bind|Address already in use/.test(outcome)
      if (!(isBlocked || isPortTaken) || performance.now() - since > START_TIMEOUT) {
        throw new Error(`PostgreSQL did not start:\n${outcome}`)
      }
      if (isBlocked && performance.now() - since > 1500) {
        const ended = await endOrphans(data)
        if (ended > 0) log(`Stopped ${ended} leftover PostgreSQL processes`)
      }
      await sleep(200)
    }
  }

  /** Returns a running postmaster, or its error output. */
  async #spawnPostmaster(data: string): Promise<Running | string> {
    const { home, settings, isThrowaway } = this.#options
    const { port, password } = this.#knownAccess()
    this.#account ??= await chooseAccount(home, this.#options.ways)
    const account = this.#account
    const all = { ...SETTINGS, ...(isThrowaway ? THROWAWAY : {}), ...settings, port: String(port) }
    const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]

    const path = join(home, 'postgres.log')
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    )
    const output = await open(path, size > LOG_LIMIT ? 'w' : 'a', 0o600)
    const from = size > LOG_LIMIT ? 0 : size
    let child: ChildProcess
    try {
      await chown(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0).catch(() => {})
      // A separate session: Ctrl-C must reach the Limber server first, which then stops the database.
      child = account.spawn(join(account.native, 'bin/postgres'), args, {
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
      })
    } finally {
      await output.close()
    }
    const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)))
    child.unref()

    const ready = (async () => {
      while (!hasEnded(child)) {
        const file = await readPidFile(data)
        if (file?.pid === child.pid && file?.isReady && (await this.#isOurs(data, file, password))) return undefined
        await sleep(20)
      }
      return readFrom(path, from)
    })()
    const errorOutput = await Promise.race([failed, ready])
    if (errorOutput !== undefined) return errorOutput || 'PostgreSQL exited without an error message.'
    return { pid: child.pid ?? 0, child, isAdopted: false }
  }

  async #isOurs(data: string, file: PidFile, password: string): Promise<boolean> {
    return (await askPostmaster(data, file, password)) === 'ours'
  }

  /** True when the postmaster with this pid is running and ours. Checked each time, because pids are reused. */
  async #answers(pid: number): Promise<boolean> {
    const data = await this.#data()
    const file = await readPidFile(data)
    return file?.pid === pid && (await looksLikePostmaster(pid, data))
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => {})
  }

  /** Restarts a dead postmaster on the same port. */
  async #watch(): Promise<void> {
    const { log } = this.#options
    while (!this.#stopping.signal.aborted) {
      const running = this.#running
      const isUp = running && (running.child ? !hasEnded(running.child) : await this.#answers(running.pid))
      if (isUp) {
        await this.#rest(200)
        continue
      }
      log('PostgreSQL stopped unexpectedly. Restarting it')
      try {
        this.#running = await this.#launch({ mayMove: false })
        log('PostgreSQL is running again')
      } catch (error) {
        this.#running = undefined
        log(error instanceof Error ? error.message : String(error))
        await this.#rest(2000)
      }
    }
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already exited.
  }
}

async function waitFor(isTrue: () => Promise<boolean>, timeout: number): Promise<void> {
  const since = performance.now()
  while (performance.now() - since < timeout) {
    if (await isTrue()) return
    await sleep(20)
  }
}

async function readFrom(path: string, from: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const length = Math.min(size - from, 4000)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}
