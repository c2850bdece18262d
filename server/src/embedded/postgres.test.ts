// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withClient } from './database.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { readPidFile } from './postmaster.ts'
import { copyFolder } from './scratch.ts'

let home: string
let made: string
let running: Postgres[]
let owners: ChildProcess[]

// Creating a data directory takes seconds, so most tests start with a copy.
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'limber-supervisor-'))
  const postgres = await startPostgres({ home: made, log: () => {} })
  await postgres.stop()
})
afterAll(() => rm(made, { recursive: true, force: true }))

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'limber-supervisor-'))
  await copyFolder(made, home)
  running = []
  owners = []
})

afterEach(async () => {
  for (const owner of owners) owner.kill('SIGKILL')
  for (const postgres of running) await postgres.stop()
  await rm(home, { recursive: true, force: true })
})

const emptyHome = async () => {
  await rm(home, { recursive: true })
  await mkdir(home)
}

const start = async () => {
  const postgres = await startPostgres({ home, log: () => {} })
  running.push(postgres)
  return postgres
}

/** Starts the server in a separate process that can be killed. */
const startElsewhere = async () => {
  const script = `import { startPostgres } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)}
    const { url } = await startPostgres({ home: ${JSON.stringify(home)}, log: () => {} })
    console.log(url)
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  owners.push(owner)
  const [line] = (await once(owner.stdout, 'data')) as [Buffer]
  return { owner, url: line.toString().trim() }
}

const query = <Row>(url: string, sql: string) =>
  withClient(url, async (client) => (await client.query(sql)).rows as Row[])

const untilAnswering = async (url: string) => {
  for (let attempt = 0; attempt < 800; attempt += 1) {
    try {
      return await query(url, 'select 1')
    } catch {
      await sleep(50)
    }
  }
  throw new Error('PostgreSQL did not come back')
}

const pidFile = async () => {
  const file = await readPidFile(join(home, 'postgres/data'))
  if (!file) throw new Error('there is no postmaster.pid')
  return file
}

const killPostmaster = async () => {
  const { pid } = await pidFile()
  process.kill(pid, 'SIGKILL')
  return pid
}

// Starting a server is slow on a busy machine.
describe('the embedded PostgreSQL', { timeout: 60_000 }, () => {
  it('starts in an empty home, keeps data across restarts, and stops cleanly', async () => {
    await emptyHome()
    const first = await start()
    await query(first.url, 'create table kept (word text); insert into kept values ($$bread$$)')
    expect(first).toMatchObject({ adopted: false, isNew: true })
    await first.stop()
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
    await expect(pidFile()).rejects.toThrow('no postmaster.pid')

    const second = await start()
    expect(second).toMatchObject({ adopted: false, isNew: false, url: first.url })
    expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'bread' }])
  })

  it('is durable and accepts local connections only', async () => {
    const { url } = await start()
    const sql = `select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'jit', 'server_encoding')`
    const settings = await query<{ name: string; setting: string }>(url, sql)
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      listen_addresses: '127.0.0.1',
      jit: 'off',
      server_encoding: 'UTF8',
    })
    const port = Number(new URL(url).port)
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_000)
    const stranger = new URL(url)
    stranger.password = 'guess'
    await expect(query(stranger.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  it('adopts and stops the server of a killed process', async () => {
    const { owner, url } = await startElsewhere()
    const { pid } = await pidFile()
    owner.kill('SIGKILL')
    await once(owner, 'exit')

    const postgres = await start()
    expect(postgres).toMatchObject({ adopted: true, url })
    expect((await pidFile()).pid).toBe(pid)
    await postgres.stop()
    await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  it('restarts a killed postmaster on the same port, also an adopted one', async () => {
    const { owner, url } = await startElsewhere()
    const first = await killPostmaster()
    await untilAnswering(url)
    owner.kill('SIGKILL')
    await once(owner, 'exit')

    expect(await start()).toMatchObject({ adopted: true })
    const second = await killPostmaster()
    await untilAnswering(url)
    const { pid } = await pidFile()
    expect(new Set([first, second, pid]).size).toBe(3)
  })

  it('starts after everything was killed during a query', async () => {
    const { owner, url } = await startElsewhere()
    const busy = query(url, 'select count(*) from generate_series(1, 500000000)').catch(() => 'cut off')
    await query(url, 'create table kept (word text); insert into kept values ($$bread$$)')
    owner.kill('SIGKILL')
    await killPostmaster()

    const postgres = await start()
    expect(postgres.adopted).toBe(false)
    expect(await query(postgres.url, 'select word from kept')).toEqual([{ word: 'bread' }])
    expect(await busy).toBe('cut off')
  })

  it('neither trusts nor harms a process that reuses the pid of the old postmaster', async () => {
    const first = await start()
    const { text } = await pidFile()
    await first.stop()
    const bystander = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    owners.push(bystander)
    await writeFile(join(home, 'postgres/data/postmaster.pid'), text.replace(/^\d+/, String(bystander.pid)))

    const postgres = await start()
    expect(postgres.adopted).toBe(false)
    await postgres.stop()
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
  })

  it('starts over when creating the data directory was interrupted', async () => {
    await emptyHome()
    await mkdir(join(home, 'postgres/making/base'), { recursive: true })
    await writeFile(join(home, 'postgres/making/PG_VERSION'), '18')
    expect(await start()).toMatchObject({ isNew: true })
  })

  it('uses another port when its own is taken, and a new password when the old one is lost', async () => {
    const first = await start()
    await query(first.url, 'create table kept (word text)')
    await first.stop()
    await rm(join(home, 'postgres.json'))
    const second = await start()
    expect(second.url).not.toBe(first.url)
    await query(second.url, 'select * from kept')
    await second.stop()

    const blocker = spawn(process.execPath, [
      '--eval',
      `require('node:net').createServer().listen(${new URL(second.url).port}, '127.0.0.1', () => console.log('listening'))`,
    ])
    owners.push(blocker)
    await once(blocker.stdout, 'data')
    const third = await start()
    expect(new URL(third.url).port).not.toBe(new URL(second.url).port)
    expect(JSON.parse(await readFile(join(home, 'postgres.json'), 'utf8')).port).toBe(Number(new URL(third.url).port))
  })
})
