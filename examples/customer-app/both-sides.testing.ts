import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { makeApiKey } from '@limber/server/access/api-keys/api-key.factory.ts'
import { makeZone } from '@limber/server/businesses/zones/zone.factory.ts'
import { freePort } from '@limber/server/embedded/port.ts'
import { openDb } from '@limber/server/platform/db/db.ts'
import { openPool } from '@limber/server/platform/db/pool.ts'
import { makeCsrfToken } from '@limber/server/platform/security/csrf.ts'
import { hashToken, makeKeyring, randomToken } from '@limber/server/platform/security/secrets.ts'
import { bundledProgram, MAIN } from '@limber/server/platform/testing/testing.programs.ts'
import { copyTemplate, eventually } from '@limber/server/platform/testing/testing.ts'
import { sql } from 'kysely'

const root = join(import.meta.dirname, '../..')
const SECRET_KEY = 'example-secret-key-0123456789-abcdefghijklmnop'
const START_TIMEOUT = 180_000

export type BothSides = Awaited<ReturnType<typeof startBothSides>>

/** Limber and the app as processes of their own, and somebody of the staff. */
export async function startBothSides(folder: string) {
  const database = await copyTemplate()
  const db = openDb(openPool(database.url, { size: 2 }))
  await makeZone(db)
  const { token } = await makeApiKey(db, { requestsPerMinute: 60_000 })
  const [limberPort, appPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${limberPort}`
  let server = await startServer(database.url, limberPort, folder)
  const apps: ChildProcess[] = []
  const staff = await signInStaff(db, url)

  return {
    staff,
    startApp(options: string[]) {
      const args = ['--data', folder, '--port', String(appPort), ...options]
      const child = run(join(root, 'examples/customer-app/main.ts'), args, { LIMBER_URL: url, LIMBER_KEY: token })
      apps.push(child)
      return follow(child)
    },
    async restartServer() {
      await kill(server)
      server = await startServer(database.url, limberPort, folder)
    },
    /** The ids of all webhooks that Limber had for the app. */
    async sentWebhooks(): Promise<string[]> {
      const { rows } = await sql<{ event_id: string }>`select event_id from webhook_deliveries`.execute(db)
      return rows.map((row) => row.event_id).toSorted()
    },
    async stop() {
      for (const child of [...apps, server]) await kill(child)
      await db.destroy()
      await database.drop()
    },
  }
}

function run(program: string, args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function startServer(databaseUrl: string, port: number, folder: string): Promise<ChildProcess> {
  const child = run(await bundledProgram(MAIN), [], {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SECRET_KEY,
    LOG_LEVEL: 'error',
    LIMBER_STORAGE: join(folder, 'files'),
    WEBHOOK_ALLOW_PRIVATE: '1',
  })
  child.stdout?.pipe(process.stderr)
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(isReady, START_TIMEOUT)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await ended
}

/** Reads what a running app prints. */
function follow(child: ChildProcess) {
  let text = ''
  let read = 0
  let isOver = false
  let wake = () => {}
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    wake()
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  void ended.then(() => {
    isOver = true
    wake()
  })
  return {
    /** Waits for the next turn of the day; false when the day is over. */
    async nextLine(): Promise<boolean> {
      for (;;) {
        const at = text.indexOf(' records sent', read)
        if (at >= 0) {
          read = at + 1
          return true
        }
        if (isOver) return false
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    async output(): Promise<string> {
      await ended
      return text
    },
    kill: () => kill(child),
  }
}

type Db = ReturnType<typeof openDb>

/** An owner who changes customers as the screens do. */
async function signInStaff(db: Db, url: string) {
  const token = randomToken()
  await sql`
    with made as (
      insert into workers (email, name, permissions, handle, status, created_at)
      values ('olga@example.com', 'Olga', ${permissionNames.map(codeOf)}::text[], '\\x01', 'active', now()) returning id)
    insert into sessions (token_hash, worker_id, created_at, last_seen_at)
    select ${hashToken(token)}, id, now(), now() from made`.execute(db)
  const headers = {
    cookie: `sid=${token}`,
    'x-csrf-token': makeCsrfToken(makeKeyring(SECRET_KEY), token),
    origin: url,
    'content-type': 'application/json',
  }
  let done = 0

  /** Tries until the server has answered: it may be down. */
  async function send(method: string, path: string, body: object): Promise<void> {
    const key = randomUUID()
    for (;;) {
      // A confirmation with a passkey lasts some minutes.
      await sql`update sessions set stepped_up_at = now()`.execute(db)
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, 'idempotency-key': key },
        body: JSON.stringify(body),
      }).catch(() => undefined)
      const text = await reply?.text().catch(() => undefined)
      if (reply?.ok) {
        done++
        return
      }
      if (reply && text !== undefined && reply.status < 500 && reply.status !== 429)
        throw new Error(`${method} ${path}: ${reply.status} ${text}`)
      await sleep(200)
    }
  }

  const reason = 'Asked on the phone'
  const actions = [
    ({ id }) => send('POST', `/api/support/users/${id}/credits`, { delta: 2, reason }),
    ({ id, turn, other: _, ...names }) =>
      send('PATCH', `/api/support/users/${id}/contact`, { ...names, phone: `+1951${5_800_000 + turn}`, reason }),
    ({ id }) => send('POST', `/api/support/users/${id}/block`, { reason }),
    ({ id, other }) => send('POST', `/api/support/users/${id}/merge`, { duplicateId: other, reason }),
    ({ id, email }) => send('POST', `/api/support/users/${id}/erase`, { email, reason }),
    async ({ id }) => {
      await send('POST', `/api/support/users/${id}/block`, { reason })
      await send('POST', `/api/support/users/${id}/unblock`, { reason })
    },
  ] satisfies ((on: Person & { turn: number }) => Promise<void>)[]

  return {
    done: () => done,
    /** Does something about a customer. */
    async act(turn: number): Promise<void> {
      const people = await findPeople(db)
      const [person, other] = people
      if (person && other) await actions[turn % actions.length]?.({ ...person, other: other.id, turn })
    },
  }
}

interface Person {
  id: number
  other: number
  first_name: string
  last_name: string
  email: string
}

/** Two customers of the app who have not booked yet. */
async function findPeople(db: Db): Promise<Omit<Person, 'other'>[]> {
  const { rows } = await sql<Omit<Person, 'other'>>`
    select c.id, c.first_name, c.last_name, c.email
    from customers c join external_refs r on r.resource = 'customers' and r.record_id = c.id
    where c.erased_at is null and c.merged_into_id is null and c.credits = 0 and c.blocked_at is null
      and not exists (select from bookings b where b.customer_id = c.id)
    order by c.id limit 2`.execute(db)
  return rows
}
