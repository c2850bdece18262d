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

const publish = (topic: string, data?: Record<string, unknown>) =>
  runWork(server.running.services, { call: 'test' }, async (work) => work.publish(topic as LiveTopic, data))

/** Reads the stream of `/api/live` like a browser. */
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
  it('delivers a change from one process to a browser on another', async () => {
    const other = await startServer(
      { ...server.running.services.config, port: 0 },
      { clock: server.clock, log: silentLog, withJobs: false },
    )
    const { token, id } = await server.signIn([])
    const browser = await listen(other.url, token)
    await publish('session', { workerId: id })
    await eventually(async () => browser.heard.length > 0)
    expect(browser.heard).toEqual([{ topic: 'session', workerId: id }])
    browser.stop()
    await other.close()
  })
  it('sends a worker no messages for another worker', async () => {
    const mine = await listen(server.url, (await server.signIn([])).token)
    const { id, token } = await server.signIn([])
    const theirs = await listen(server.url, token)
    await publish('session', { workerId: id })
    await eventually(async () => theirs.heard.length > 0)
    expect(mine.heard).toEqual([])
    mine.stop()
    theirs.stop()
  })
  it('ends the stream cleanly when several messages arrive at once', async () => {
    const { id, token } = await server.signIn([])
    const browser = await listen(server.url, token)
    await runWork(server.running.services, { call: 'test' }, async ({ publish }) => {
      for (const reason of ['permissions', 'role', 'name']) publish('session', { workerId: id, reason })
    })
    await eventually(async () => browser.isOver())
    expect(browser.heard).toMatchObject([{ topic: 'session', reason: 'permissions' }])
  })
  it('keeps twenty streams per worker and ends the oldest beyond that', async () => {
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
  it('ends the stream of a worker whose permissions changed', async () => {
    const { id, token } = await server.signIn([])
    const browser = await listen(server.url, token)
    await publish('session', { workerId: id })
    await eventually(async () => browser.isOver())
  })
  it('ends the stream within a minute after its session ended silently', async () => {
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
  it('requires a session', async () => {
    expect((await fetch(`${server.url}/api/live`)).status).toBe(401)
  })
})

describe('the live hub', () => {
  const hub = (topics: Parameters<typeof makeLiveHub>[1]) =>
    makeLiveHub(server.running.services.config.databaseUrl, topics, silentLog)
  it('delivers a topic only to holders of its permission, and an unknown topic to no one', async () => {
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
    for (const topic of ['tickets', 'secrets', 'done']) await publish(topic)
    await eventually(async () => heard.other?.includes('done'))
    expect(heard).toEqual({ holder: ['tickets', 'done'], other: ['done'] })
    await live.close()
  })
  it('reconnects after a lost connection and tells everyone to refetch', async () => {
    const live = hub({ '*': 'signed-in' })
    await live.start()
    const heard: string[] = []
    live.listen({ workerId: 1, permissions: new Set(), send: (message) => heard.push(message.topic), end() {} })
    await server.running.services.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database() and pid <> pg_backend_pid()`,
    )
    await eventually(async () => heard.includes('*'))
    await live.close()
  })
})
