import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer } from '#serve.ts'
import { runWork } from '../db/work.ts'
import { silentLog } from '../telemetry/log.ts'
import { eventually, startTestServer, type TestServer } from '../testing/testing.ts'
import { type LiveMessage, MAX_STREAMS, makeLiveHub } from './live.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const say = (topic: string, data?: Record<string, unknown>) =>
  runWork(server.running.services, { call: 'test' }, async ({ publish }) => publish(topic as LiveTopic, data))

/** Reads the stream of `/api/live` as a browser would. */
async function listen(url: string, token: string) {
  const stop = new AbortController()
  const reply = await fetch(`${url}/api/live`, { headers: { cookie: `sid=${token}` }, signal: stop.signal })
  const heard: LiveMessage[] = []
  let isOver = false
  void (async () => {
    for await (const chunk of reply.body ?? []) {
      for (const line of Buffer.from(chunk).toString().split('\n'))
        if (line.startsWith('data: ')) heard.push(JSON.parse(line.slice(6)))
    }
    isOver = true
  })().catch(() => {})
  return { reply, heard, isOver: () => isOver, stop: () => stop.abort() }
}

describe('GET /api/live', () => {
  it('brings a change made through one process to a browser on another', async () => {
    const other = await startServer(
      { ...server.running.services.config, port: 0 },
      { clock: server.clock, log: silentLog, withJobs: false },
    )
    const { token, id } = await server.signIn([])
    const browser = await listen(other.url, token)
    await say('session', { workerId: id })
    await eventually(async () => browser.heard.length > 0)
    expect(browser.heard).toEqual([{ topic: 'session', workerId: id }])
    browser.stop()
    await other.close()
  })
  it('tells a worker nothing that is meant for another', async () => {
    const mine = await listen(server.url, (await server.signIn([])).token)
    const { id, token } = await server.signIn([])
    const theirs = await listen(server.url, token)
    await say('session', { workerId: id })
    await eventually(async () => theirs.heard.length > 0)
    expect(mine.heard).toEqual([])
    mine.stop()
    theirs.stop()
  })
  it('ends the stream cleanly when more is said in the same breath', async () => {
    const { id, token } = await server.signIn([])
    const browser = await listen(server.url, token)
    await runWork(server.running.services, { call: 'test' }, async ({ publish }) => {
      for (const reason of ['permissions', 'role', 'name']) publish('session', { workerId: id, reason })
    })
    await eventually(async () => browser.isOver())
    expect(browser.heard).toMatchObject([{ topic: 'session', reason: 'permissions' }])
  })
  it('keeps twenty streams of a worker, and ends the oldest of more', async () => {
    const { token } = await server.signIn([])
    const other = await listen(server.url, (await server.signIn([])).token)
    const streams: Awaited<ReturnType<typeof listen>>[] = []
    for (let n = 0; n < MAX_STREAMS + 2; n++) streams.push(await listen(server.url, token))
    await eventually(async () => streams[0]?.isOver() === true && streams[1]?.isOver() === true)
    expect(streams[0]?.heard).toEqual([{ topic: 'displaced' }])
    expect(streams.map(({ isOver }) => isOver()).lastIndexOf(true)).toBe(1)
    expect(other.isOver()).toBe(false)
    for (const stream of [other, ...streams]) stream.stop()
  })
  it('ends the stream of a worker whose rights changed', async () => {
    const { id, token } = await server.signIn([])
    const browser = await listen(server.url, token)
    await say('session', { workerId: id })
    await eventually(async () => browser.isOver())
  })
  it('ends the stream within a minute of a session that ended without a word', async () => {
    const { id, token } = await server.signIn([])
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const browser = await listen(server.url, token)
      await server.db
        .updateTable('sessions')
        .set({ ended_at: server.clock.now() })
        .where('worker_id', '=', id)
        .execute()
      expect(browser.isOver()).toBe(false)
      vi.advanceTimersByTime(60_000)
      await eventually(async () => browser.isOver())
    } finally {
      vi.useRealTimers()
    }
  })
  it('is closed to nobody in particular', async () => {
    expect((await fetch(`${server.url}/api/live`)).status).toBe(401)
  })
})

describe('the hub', () => {
  const hub = (topics: Parameters<typeof makeLiveHub>[1]) =>
    makeLiveHub(server.running.services.config.databaseUrl, topics, silentLog)
  it('delivers a topic only to holders of its permission, and an unknown topic to nobody', async () => {
    const live = hub({ tickets: 'tickets.handle', done: 'signed-in' })
    await live.start()
    const heard: Record<string, string[]> = { holder: [], other: [] }
    live.listen({
      workerId: 1,
      permissions: new Set(['21']),
      send: (message) => heard.holder?.push(message.topic),
      end() {},
    })
    live.listen({
      workerId: 2,
      permissions: new Set(['1']),
      send: (message) => heard.other?.push(message.topic),
      end() {},
    })
    for (const topic of ['tickets', 'secrets', 'done']) await say(topic)
    await eventually(async () => heard.other?.includes('done'))
    expect(heard).toEqual({ holder: ['tickets', 'done'], other: ['done'] })
    await live.close()
  })
  it('connects again after its connection was cut and makes everybody look again', async () => {
    const live = hub({ '*': 'signed-in' })
    await live.start()
    const heard: string[] = []
    live.listen({ workerId: 1, permissions: new Set(), send: (message) => heard.push(message.topic), end() {} })
    await server.running.services.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database() and pid <> pg_backend_pid()`,
    )
    await eventually(async () => heard.includes('*'), 10_000)
    await live.close()
  })
})
