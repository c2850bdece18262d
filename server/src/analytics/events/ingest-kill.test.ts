// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#embedded/port.ts'
import { systemClock } from '#platform/clock.ts'
import { type Db, openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { bundledProgram, MAIN } from '#platform/testing/testing.programs.ts'
import { copyTemplate, eventually } from '#platform/testing/testing.ts'
import { ALL_ACTIONS, HOUR_TIER } from '../rollups/cell.rules.ts'
import { makeRoller } from '../rollups/roll-events.ts'
import { draftInput } from './event.factory.ts'

const KEY = 'ingest-key-0123456789-abcdefgh'
let database: Awaited<ReturnType<typeof copyTemplate>>
let db: Db
const children: ChildProcess[] = []

beforeAll(async () => {
  database = await copyTemplate()
  db = openDb(openPool(database.url))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
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
      EVENT_INGEST_KEY: KEY,
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok, 120_000)
  return { child, url }
}

describe('kill -9 during ingest', () => {
  it('loses no acknowledged event and counts none twice', async () => {
    const acknowledged = new Set<string>()
    const sent = new Set<string>()
    for (let round = 0; round < 2; round++) {
      const { child, url } = await launch()
      const senders = Array.from({ length: 4 }, async () => {
        for (;;) {
          const batch = Array.from({ length: 200 }, () => draftInput({ createdAt: systemClock.now().toISOString() }))
          for (const { id } of batch) sent.add(String(id))
          const reply = await fetch(`${url}/api/analytics/events`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-ingest-key': KEY },
            body: JSON.stringify({ events: batch }),
          }).catch(() => undefined)
          if (!reply) return
          if (reply.ok) for (const { id } of batch) acknowledged.add(String(id))
        }
      })
      const wanted = acknowledged.size + 3000
      await eventually(async () => acknowledged.size >= wanted, 120_000)
      child.kill('SIGKILL')
      await Promise.all(senders)
    }
    const { rows } = await sql<{ id: string }>`select id from events where source = 'customer'`.execute(db)
    const kept = new Set(rows.map((row) => row.id))
    expect(kept.size).toBe(rows.length)
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([])
    expect([...kept].filter((id) => !sent.has(id))).toEqual([])
    await makeRoller({ db, clock: systemClock }).roll()
    const all = await db
      .selectFrom('events')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    const rolled = await db
      .selectFrom('event_rollups')
      .select((row) => row.fn.sum<number>('events').as('n'))
      .where('tier', '=', HOUR_TIER)
      .where('action_id', '=', ALL_ACTIONS)
      .executeTakeFirstOrThrow()
    expect(Number(rolled.n)).toBe(all.n)
  }, 480_000)
})
