import type { Readable } from 'node:stream'
import { defineCall } from '@limber/contract/kit/call.ts'
import { exportCall } from '@limber/contract/kit/export.ts'
import { pageQuery } from '@limber/contract/kit/page.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Context, serve } from '../http/routes.ts'
import { startTestServer, type TestServer } from '../testing/testing.ts'
import { exporting, withExports } from './export.ts'

const listThings = defineCall({
  method: 'GET',
  path: '/api/things',
  summary: 'List things',
  permission: 'analytics.view',
  query: z.strictObject({ ...pageQuery({ limit: 10 }), kind: z.string().optional() }),
  reply: z.object({ things: z.array(z.object({ id: z.int(), name: z.string() })) }),
})
const exportThings = exportCall(listThings, 'things')

const TOTAL = 1_000_000
let pages = 0
/** A list of a million rows that costs nothing to read. */
const list = serve(listThings, ({ query: { page, limit } }) => {
  pages = page
  const from = (page - 1) * limit
  const rows = Math.max(0, Math.min(limit, TOTAL - from))
  return { things: Array.from({ length: rows }, (_, n) => ({ id: from + n + 1, name: `=thing ${from + n + 1}` })) }
})
const [, route] = withExports(
  [list],
  [exporting(exportThings, { rows: ({ things }) => things, columns: { id: 'ID', name: 'Name' } })],
)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const headers: Record<string, string> = {}
const open = async () => {
  if (!route) throw new Error('There is no export route.')
  const { services } = server.running
  const context = {
    query: {},
    services,
    db: services.db,
    now: services.clock.now(),
    worker: null,
    request: { id: 'r', address: '127.0.0.1' },
    reply: {
      header(name: string, value: string) {
        headers[name] = value
      },
    },
  } as unknown as Context
  return (await route.handle(context)) as Readable
}

const lastRow = () =>
  server.db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'exported')
    .orderBy('id', 'desc')
    .executeTakeFirst()

describe('an export', () => {
  it('reads no further than its reader', async () => {
    const stream = await open()
    const first = await new Promise<Buffer>((done) => {
      stream.once('data', (part: Buffer) => {
        stream.pause()
        done(part)
      })
    })
    expect(first.toString().startsWith('\uFEFFID,Name\r\n')).toBe(true)
    await new Promise((done) => setTimeout(done, 300))
    // The first batch, and at most those that the stream holds ready.
    expect(pages).toBeLessThan(10)
    stream.destroy()
    // What was handed out before the reader left is recorded.
    await vi.waitFor(async () => expect((await lastRow())?.after).toMatchObject({ isComplete: false }), {
      timeout: 60_000,
    })
  })

  it('of a million rows needs no more memory than one of a few', { timeout: 300_000 }, async () => {
    const stream = await open()
    let lines = 0
    let highest = 0
    let parts = 0
    const before = process.memoryUsage().rss
    for await (const part of stream as AsyncIterable<Buffer>) {
      for (const byte of part) if (byte === 10) lines++
      if (++parts % 100 === 0) highest = Math.max(highest, process.memoryUsage().rss)
    }
    expect(lines).toBe(TOTAL + 1)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="things-\d{4}-\d\d-\d\d\.csv"$/)
    // The file has about 28 MB. Garbage between two collections counts too.
    expect((highest - before) / 1024 ** 2).toBeLessThan(150)
    expect(await lastRow()).toMatchObject({ after: { rows: TOTAL, isComplete: true } })
  })
})
