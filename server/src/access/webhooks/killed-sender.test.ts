// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#embedded/port.ts'
import { type Db, openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { bundledProgram, MAIN } from '#platform/testing/testing.programs.ts'
import { copyTemplate, eventually } from '#platform/testing/testing.ts'
import { makeApiKey } from '../api-keys/api-key.factory.ts'
import { startReceiver } from './receiver.testing.ts'

let database: Awaited<ReturnType<typeof copyTemplate>>
let db: Db
let receiver: Awaited<ReturnType<typeof startReceiver>>
const children: ChildProcess[] = []

beforeAll(async () => {
  database = await copyTemplate()
  db = openDb(openPool(database.url))
  receiver = await startReceiver()
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await receiver.stop()
  await db.destroy()
  await database.drop()
})

/** The product in a separate process, started as in production. */
async function launch() {
  const port = await freePort()
  const child = spawn(process.execPath, [await bundledProgram(MAIN)], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      SECRET_KEY: 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz',
      WEBHOOK_ALLOW_PRIVATE: '1',
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok, 120_000)
  return { child, url }
}

const post = (url: string, token: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

describe('kill -9 while webhooks are sent', () => {
  it('loses no event of a committed change, and sends what it repeats under the same id', async () => {
    const [app, crm] = [await makeApiKey(db, { requestsPerMinute: 60_000 }), await makeApiKey(db, { source: 'crm' })]
    let secret = ''
    const answer = (isReplying: boolean) =>
      receiver.answerWith((event, reply) => {
        receiver.verify(secret, event)
        if (isReplying) reply.writeHead(204).end()
      })
    let serial = 0
    const committed = new Set<string>()
    for (let round = 0; round < 2; round++) {
      answer(true)
      const { child, url } = await launch()
      if (!secret) {
        const made = await post(`${url}/api/v1/webhooks`, crm.token, {
          url: receiver.url,
          events: ['customer.updated'],
          description: 'Every customer',
        })
        secret = ((await made.json()) as { secret: string }).secret
      }
      const [changes, events] = [committed.size + 200, receiver.received.length + 50]
      const senders = Array.from({ length: 2 }, async () => {
        for (;;) {
          // What is committed must be delivered later, so do not hurry once there is enough.
          if (committed.size > changes) await sleep(100)
          const items = Array.from({ length: 10 }, () => {
            const external_id = `c-${++serial}`
            return { external_id, first_name: 'Ana', last_name: 'Reyes', email: `${external_id}@example.com` }
          })
          const reply = await post(`${url}/api/v1/customers/batch`, app.token, { items }).catch(() => undefined)
          if (!reply) return
          if (reply.ok) for (const { external_id } of items) committed.add(external_id)
        }
      })
      await eventually(async () => committed.size >= changes && receiver.received.length >= events, 120_000)
      // Some events are on their way when the process is killed.
      answer(false)
      const before = receiver.received.length
      await eventually(async () => receiver.received.length > before, 120_000)
      child.kill('SIGKILL')
      await Promise.all(senders)
    }
    answer(true)
    await launch()
    const rows = await eventually(async () => {
      const all = await db.selectFrom('webhook_deliveries').select(['event_id', 'body', 'state']).execute()
      return all.every(({ state }) => state === 'delivered') && all
    }, 240_000)

    const told = new Map(rows.map(({ event_id, body }) => [event_id, body]))
    expect(told.size).toBe(rows.length)
    // Nothing arrived that was not committed, and everything that was repeated came as it was.
    for (const { id, body } of receiver.received) expect(told.get(id)).toBe(body)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(rows.length)
    const heard = receiver.received.map(
      ({ data }) => (data.customer as { external_ids: { app: string } }).external_ids.app,
    )
    expect([...committed].filter((id) => !heard.includes(id))).toEqual([])
    expect(receiver.received.length).toBeGreaterThan(rows.length)
  }, 1_200_000)
})
