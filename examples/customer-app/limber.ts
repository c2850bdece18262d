import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

// A Limber of our own, to try things with: an empty company on its own database, in a folder that is thrown away.

const root = join(import.meta.dirname, '../..')
const SCOPES = [
  ...['customers', 'bookings', 'transactions', 'credits', 'rewards', 'stretchers', 'tickets', 'leads'],
  ...['payroll', 'events', 'webhooks'],
].flatMap((resource) => [`${resource}:read`, `${resource}:write`])

export interface OwnLimber {
  url: string
  /** The folder of its data. */
  home: string
  key: string
  deskKey: string
  /** What it printed when it was ready: how the first owner signs in. */
  welcome: string
  ended: Promise<void>
  stop(): Promise<void>
}

export async function startLimber(port: number): Promise<OwnLimber> {
  const home = await mkdtemp(join(tmpdir(), 'limber-example-'))
  const env = {
    ...process.env,
    LIMBER_HOME: home,
    PORT: String(port),
    OWNER_NAME: 'Olga Reyes',
    OWNER_EMAIL: 'olga@example.com',
    // The app listens on this machine, which webhooks may not reach otherwise.
    WEBHOOK_ALLOW_PRIVATE: '1',
    // Ends with us.
    LIMBER_PARENT: String(process.pid),
  }
  const child = spawn(process.execPath, [join(root, 'server/src/start.ts'), '--empty'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const limber = async (...args: string[]) => {
    const program = [join(root, 'server/src/cli/limber.ts'), ...args]
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: root, env })
    return stdout.trimEnd().split('\n').at(-1) ?? ''
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(home, { recursive: true, force: true })
  }
  try {
    const welcome = await untilReady(child)
    await limber('zone', 'import', join(import.meta.dirname, 'zones.geojson'))
    const create = ['api-key', 'create']
    const key = await limber(
      ...create,
      '--name',
      'Customer app',
      '--source',
      'app',
      '--scopes',
      [...SCOPES, 'zones:read'].join(),
    )
    const desk = ['customers:write', 'credits:write']
    const deskKey = await limber(...create, '--name', 'Front desk', '--source', 'desk', '--scopes', desk.join())
    return { url: `http://localhost:${port}`, home, key, deskKey, welcome, ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function untilReady(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('Stop with Ctrl-C')) resolve(printed)
    })
    child.once('close', () => reject(new Error(`Limber did not start:\n${printed}`)))
  })
}
