import type { ChildProcess } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Account, chooseAccount, runAs } from '../../server/src/embedded/account.ts'
import { ensureCluster, makePassword, USER } from '../../server/src/embedded/cluster.ts'
import { freePort } from '../../server/src/embedded/port.ts'
import { SETTINGS } from '../../server/src/embedded/settings.ts'
import { makeProxy } from '../../server/src/platform/testing/testing.tcp-proxy.ts'

const REPLICATION: Record<string, string> = {
  shared_buffers: '64MB',
  wal_level: 'replica',
  max_wal_senders: '6',
  wal_keep_size: '128MB',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  hot_standby: 'on',
}
/** Of each server's own disk, so that it can be filled. */
const DISK = '700m'

/** One PostgreSQL server, behind a proxy, on a disk of its own if the machine allows that. */
export class PostgresServer {
  readonly name: string
  readonly port: number
  readonly #account: Account
  readonly #password: string
  readonly #log: string
  readonly #disk: ReturnType<typeof mountDisk>
  #child: ChildProcess | undefined
  proxy: ReturnType<typeof makeProxy>
  proxyPort = 0

  constructor(
    name: string,
    account: Account,
    password: string,
    port: number,
    log: string,
    disk: ReturnType<typeof mountDisk>,
  ) {
    this.#disk = disk
    this.name = name
    this.port = port
    this.#account = account
    this.#password = password
    this.#log = log
    this.proxy = makeProxy(this.url())
  }

  get directory() {
    return this.#account.directory
  }
  get #data() {
    return join(this.directory, 'data')
  }

  /** Past the proxy: the suite's own view of the server. */
  url(database = 'postgres') {
    return new URL(`postgres://${USER}:${this.#password}@127.0.0.1:${this.port}/${database}`)
  }

  async create() {
    await ensureCluster(this.#account, this.#password, false)
    this.proxyPort = await this.proxy.listen()
  }

  start() {
    const all = { ...SETTINGS, ...REPLICATION, port: String(this.port) }
    const args = ['-D', this.#data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const out = openSync(this.#log, 'a')
    this.#child = this.#account.spawn(join(this.#account.native, 'bin/postgres'), args, {
      stdio: ['ignore', out, out],
      detached: true,
    })
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], database?: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database).href, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  async untilReady(condition = 'true') {
    for (let attempt = 0; ; attempt++) {
      const found = await this.query<{ is: boolean }>(`select ${condition} as is`).catch(() => [])
      if (found[0]?.is) return
      if (attempt > 600)
        throw new Error(`PostgreSQL ${this.name} is not ready:\n${readFileSync(this.#log, 'utf8').slice(-3000)}`)
      await sleep(100)
    }
  }

  #processes(): number[] {
    const parent = this.#child?.pid
    if (!parent) return []
    const children = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && parentOf(pid) === parent)
    return [parent, ...children]
  }

  signal(signal: NodeJS.Signals) {
    for (const pid of this.#processes())
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended.
      }
  }

  /** Stops cleanly, as an operator does; kills what does not stop. */
  async stop() {
    const child = this.#child
    if (!child || hasEnded(child)) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGINT')
    await Promise.race([ended, sleep(15_000)])
    this.signal('SIGCONT')
    this.signal('SIGKILL')
    if (!hasEnded(child)) await ended
  }

  /** Ends at once, as by a crash, or with `SIGQUIT` without a checkpoint. */
  async crash(signal: 'SIGKILL' | 'SIGQUIT' = 'SIGKILL') {
    const child = this.#child
    if (!child || hasEnded(child)) return
    const ended = new Promise((done) => child.once('exit', done))
    if (signal === 'SIGKILL') this.signal(signal)
    else child.kill(signal)
    await ended
  }

  async restart() {
    this.start()
    await this.untilReady()
  }

  isDown() {
    return !this.#child || hasEnded(this.#child)
  }

  async promote() {
    await this.query(`alter system set synchronous_standby_names = ''`)
    await this.query('select pg_promote(true, 30)')
  }

  /** Becomes the synchronous standby of another server, with a fresh copy of its data. */
  async follow(primary: PostgresServer) {
    await this.stop()
    rmSync(this.#data, { recursive: true, force: true })
    const client = new pg.Client({ connectionString: primary.url().href })
    await client.connect()
    await client.query(`select pg_backup_start('standby', true)`)
    await runAs(this.#account, '/bin/sh', [
      '-c',
      'cp -a "$0" "$1" && rm -rf "$1"/pg_wal/* "$1"/postmaster.* && mkdir -p "$1"/pg_wal/archive_status',
      primary.#data,
      this.#data,
    ]).catch((error: unknown) => {
      // Files that vanish while they are copied are in the WAL.
      if (!/No such file/.test(String(error))) throw error
    })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await client.end()
    const source = `host=127.0.0.1 port=${primary.port} user=${USER} password=${this.#password} application_name=${this.name}`
    this.#write('backup_label', rows[0]?.labelfile ?? '')
    this.#write('standby.signal', '')
    this.#write('postgresql.auto.conf', `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`)
    this.start()
    await primary.untilReady(`exists (select from pg_stat_replication where state = 'streaming')`)
    await primary.query(`alter system set synchronous_standby_names = '*'`)
    await primary.query('select pg_reload_conf()')
    await primary.untilReady(`exists (select from pg_stat_replication where sync_state = 'sync')`)
  }

  #write(name: string, content: string) {
    const path = join(this.#data, name)
    writeFileSync(path, content, { mode: 0o600 })
    chownSync(path, this.#account.uid, this.#account.gid)
  }

  fill() {
    this.#disk.fill()
  }
  free() {
    this.#disk.free()
  }
  get hasOwnDisk() {
    return this.#disk.isOwn
  }

  remove() {
    this.signal('SIGCONT')
    this.signal('SIGKILL')
    this.proxy.close()
    this.#disk.remove()
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

function parentOf(pid: number) {
  try {
    return Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

/** Mounts a small disk of its own, which can be filled. Without the right to mount, the folder is an ordinary one. */
export function mountDisk(folder: string, size: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const isOwn = (() => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder], { stdio: 'ignore' })
      return true
    } catch {
      // Only root may.
      return false
    }
  })()
  const filler = join(folder, 'filler')
  return {
    folder,
    isOwn,
    /** Takes all space. */
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      // Most of it at once: what is measured while the disk is full should not begin before.
      execFileSync('fallocate', ['-l', String(Math.max(bavail - 64, 1) * bsize), filler])
      const file = openSync(filler, 'a')
      try {
        for (const block of [1 << 12, 1]) fillUp(file, Buffer.alloc(block))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      if (isOwn) execFileSync('umount', ['-l', folder])
    },
  }
}

function fillUp(file: number, block: Buffer) {
  try {
    while (writeSync(file, block) === block.length);
  } catch {
    // Full.
  }
}

async function makeServer(home: string, account: Account, name: string, password: string, size = DISK) {
  const disk = mountDisk(join(account.directory, name), size)
  chownSync(disk.folder, account.uid, account.gid)
  const own = { ...account, directory: disk.folder }
  return new PostgresServer(name, own, password, await freePort(), join(home, `${name}.log`), disk)
}

/** One server with a database. */
export async function startAlone(home: string) {
  const server = await makeServer(home, await chooseAccount(home), 'alone', makePassword())
  await server.create()
  server.start()
  await server.untilReady()
  await server.query('create database limber')
  return server
}

/** A primary with a synchronous standby, and a connection URL that names both. */
export async function startPair(home: string, size?: string) {
  const account = await chooseAccount(home)
  const password = makePassword()
  const make = (name: string) => makeServer(home, account, name, password, size)
  const [a, b] = [await make('a'), await make('b')]
  await a.create()
  b.proxyPort = await b.proxy.listen()
  a.start()
  await a.untilReady()
  await a.query('create database limber')
  const url = `postgres://${USER}:${password}@127.0.0.1:${a.proxyPort},127.0.0.1:${b.proxyPort}/limber?target_session_attrs=read-write`
  return { a, b, url }
}
