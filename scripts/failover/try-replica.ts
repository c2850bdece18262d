import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/src/embedded/port.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { startPair } from './cluster.ts'
import { signIn, startLimber } from './writers.ts'

// node scripts/failover/try-replica.ts: the audit log is read from a real replica, which is then held back and stopped.
const home = mkdtempSync(join(tmpdir(), 'limber-replica-'))
mkdirSync(join(home, 'files'))
const { a: primary, b: replica } = await startPair(home)
process.once('exit', () => {
  for (const server of [primary, replica]) server.remove()
  rmSync(home, { recursive: true, force: true })
})
await migrate(primary.url('limber').href, silentLog)
const headers = await signIn(primary)
await replica.follow(primary)
// Held back on purpose, so it must not be what commits wait for.
await primary.query(`alter system set synchronous_standby_names = ''`)
await primary.query('select pg_reload_conf()')
const limber = await startLimber({
  DATABASE_URL: primary.url('limber').href,
  DATABASE_REPLICA_URL: replica.url('limber').href,
  LIMBER_STORAGE: join(home, 'files'),
  LIMBER_EMBEDDED: '1',
  PORT: String(await freePort()),
})

async function invite(name: string): Promise<string> {
  const reply = await fetch(`${limber.url}/api/access/workers/invite`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: `${name}@example.com`, name, role: null, permissions: ['1'] }),
  })
  if (!reply.ok) throw new Error(await reply.text())
  return reply.headers.getSetCookie().find((line) => line.startsWith('wrote=')) ?? ''
}

/** Does the audit log show the invitation? */
async function shows(name: string, cookie = ''): Promise<boolean> {
  const reply = await fetch(`${limber.url}/api/access/audit?limit=50`, {
    headers: { cookie: [headers.cookie, cookie.split(';')[0]].filter(Boolean).join('; ') },
  })
  if (!reply.ok) throw new Error(await reply.text())
  return (await reply.text()).includes(`${name}@example.com`)
}

const results: [text: string, passed: boolean][] = []
const check = (text: string, passed: boolean) => {
  results.push([text, passed])
  process.stdout.write(`${passed ? '    ok' : 'FAILED'}  ${text}\n`)
}

await sleep(3_000)
await replica.query('select pg_wal_replay_pause()')
const cookie = await invite('first')
check('a list is read from the replica', !(await shows('first')))
check('whoever wrote reads the primary for 10 seconds', cookie.includes('Max-Age=10') && (await shows('first', cookie)))
await sleep(6_000)
check('a replica held back for more than 5 seconds is not read', await shows('first'))
await replica.query('select pg_wal_replay_resume()')
await sleep(3_000)
await replica.query('select pg_wal_replay_pause()')
await invite('second')
check('a replica that caught up is read again', !(await shows('second')))
replica.signal('SIGKILL')
check('a replica that died is not missed', await shows('second'))
await sleep(6_000)
check('and is not asked any more', await shows('second'))
await limber.stop()
const failed = results.filter(([, passed]) => !passed).length
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
