import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyBinaries, findBinaries } from './binaries.ts'
import { readIfThere, writePrivate } from './files.ts'

/** The user and folder with which PostgreSQL runs. It refuses to run as root. */
export type Account = {
  way: Way
  /** Owner of the data on disk. */
  uid: number
  gid: number
  native: string
  /** Contains the data directory; owned by the account. */
  directory: string
  spawn(program: string, args: string[], options: SpawnOptions): ChildProcess
}

export type Way = 'self' | 'namespace' | 'nobody' | 'capability' | 'elsewhere'
const WAYS_OF_ROOT: readonly Way[] = ['namespace', 'nobody', 'capability', 'elsewhere']

const NOBODY = process.platform === 'darwin' ? 4_294_967_294 : 65_534
const NAMESPACE = ['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
const CAPABILITY = [
  ...['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
  ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
]

const OUTSIDE = '/var/lib/limber'
const RECORD = 'postgres-directory'

/** The folder of the data: the recorded one, or `postgres` in the home. */
export async function postgresDirectory(home: string): Promise<string> {
  return (await recordedDirectory(home)) ?? join(home, 'postgres')
}

async function recordedDirectory(home: string): Promise<string | undefined> {
  return (await readIfThere(join(home, RECORD)))?.trim()
}

/**
 * Selects the first way that works. As root, the data stays in the home if a user namespace, an unprivileged user or a
 * capability can access it; otherwise it goes to a folder that is recorded in the home.
 */
export async function chooseAccount(home: string, ways = WAYS_OF_ROOT): Promise<Account> {
  const binaries = await findBinaries()
  const isRoot = process.getuid?.() === 0
  const recorded = await recordedDirectory(home)
  const tried: string[] = []
  for (const way of isRoot ? ways : (['self'] as const)) {
    const elsewhere = recorded ?? (way === 'elsewhere' ? outsideOf(home) : undefined)
    const directory = elsewhere ?? join(home, 'postgres')
    try {
      const native = way === 'elsewhere' ? await copyBinaries(binaries, OUTSIDE) : binaries.native
      const account = makeAccount(way, directory, native)
      await prepare(account, home)
      if (elsewhere && !recorded) await writePrivate(join(home, RECORD), `${elsewhere}\n`)
      return account
    } catch (error) {
      tried.push(`${way}: ${error instanceof Error ? error.message : error}`)
    }
  }
  throw new Error(`PostgreSQL cannot run in ${home}:\n  ${tried.join('\n  ')}`)
}

function makeAccount(way: Way, directory: string, native: string): Account {
  const options: SpawnOptions = {}
  const prefix = way === 'namespace' ? NAMESPACE : way === 'capability' ? CAPABILITY : []
  const isNobody = way === 'nobody' || way === 'elsewhere'
  if (isNobody) Object.assign(options, { uid: NOBODY | 0, gid: NOBODY | 0 })
  const isOther = isNobody || way === 'capability'
  return {
    way,
    uid: isOther ? NOBODY : (process.getuid?.() ?? 0),
    gid: isOther ? NOBODY : (process.getgid?.() ?? 0),
    native,
    directory,
    spawn(program, args, given) {
      const [command = program, ...rest] = [...prefix, program, ...args]
      return spawn(command, rest, { cwd: directory, env: plainEnvironment(), ...given, ...options })
    },
  }
}

async function prepare(account: Account, home: string): Promise<void> {
  await mkdir(account.directory, { recursive: true, mode: 0o700 })
  // The other user must be able to enter the home, but not to read its files.
  if (account.way === 'nobody') await chmod(home, 0o711)
  const postgres = join(account.native, 'bin/postgres')
  const canReach = 'test "$(id -u)" != 0 && "$0" --version && cd "$1"'
  await runAs(account, '/bin/sh', ['-c', canReach, postgres, dirname(account.directory)])

  const { uid } = await stat(account.directory)
  if (uid !== account.uid) {
    if (process.getuid?.() !== 0) {
      throw new Error(
        `${account.directory} belongs to user ${uid}; run as that user or set LIMBER_HOME to another folder`,
      )
    }
    await giveTo(account, account.directory)
  }
  await runAs(account, '/bin/sh', ['-c', 'cd "$0" && test -w "$0"', account.directory])
}

/** Changes the directory itself last, so that an interrupted run resumes. */
async function giveTo(account: Account, directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await giveTo(account, path)
    else await lchown(path, account.uid, account.gid)
  }
  await chown(directory, account.uid, account.gid)
}

function outsideOf(home: string): string {
  return join(OUTSIDE, createHash('sha256').update(home).digest('hex').slice(0, 16))
}

/** PG* variables of the shell would change how the programs behave. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' }
}

/** Runs a program as the account. Throws its stderr when it fails. */
export async function runAs(account: Account, program: string, args: string[]): Promise<void> {
  const child = account.spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errorOutput = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString()
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(errorOutput.trim() || `${program} ended with code ${code}`))
    })
  })
}
