import { defineCall } from '@limber/contract/kit/call.ts'
import { IdText, Text } from '@limber/contract/kit/values.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Log, silentLog } from '../telemetry/log.ts'
import { eventually, startTestServer, TEST_ORIGIN, type TestServer } from '../testing/testing.ts'
import { hashRequest } from './idempotency.ts'
import { refuse } from './refusal.ts'
import { serve } from './routes.ts'

const putNote = defineCall({
  method: 'POST',
  path: '/api/test/notes/:id',
  summary: 'Writes a note',
  permission: 'tickets.handle',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({
    note: Text(1000),
    fail: z.enum(['late', 'kept', 'broken', 'unique', 'expected', 'twin']).optional(),
    deep: z.unknown().optional(),
  }),
  reply: z.object({ count: z.int() }),
  refusals: { late: [409, 'Too late for {what}.'], taken: [409, 'Another note has it.'] },
})
const readNotes = defineCall({
  method: 'GET',
  path: '/api/test/notes',
  summary: 'Counts notes',
  permission: ['tickets.handle', 'users.overview'],
  query: z.strictObject({ limit: z.string().regex(/^\d+$/).default('10') }),
  reply: z.object({ count: z.int(), limit: z.string() }),
})
const listByPost = defineCall({
  method: 'POST',
  path: '/api/test/list',
  summary: 'Reads by POST',
  permission: 'signed-in',
  reads: true,
  body: z.strictObject({ q: z.string() }),
  reply: z.object({ q: z.string() }),
})
const drop = defineCall({
  method: 'DELETE',
  path: '/api/test/notes',
  summary: 'Deletes all',
  permission: 'tickets.handle',
  stepUp: true,
  reply: z.object({ success: z.literal(true) }),
})
const open = defineCall({
  method: 'POST',
  path: '/api/test/open',
  summary: 'Open to all',
  permission: 'public',
  limit: { by: 'address', times: 5, seconds: 60 },
  body: z.strictObject({}),
  reply: z.object({ ok: z.literal(true) }),
})
const lies = defineCall({
  method: 'GET',
  path: '/api/test/lies',
  summary: 'Breaks its contract',
  permission: 'signed-in',
  reply: z.object({ n: z.int() }),
})

const count = async (db: TestServer['db']) =>
  (await sql<{ n: number }>`select count(*) as n from notes`.execute(db)).rows[0]?.n ?? 0

const routes = [
  serve(putNote, async ({ params, body, db, audit, worker, request, now }) => {
    await sql`insert into notes (id, note) values (${params.id}, ${body.note}) on conflict (id) do update set note = excluded.note, times = notes.times + 1`.execute(
      db,
    )
    audit({ action: 'note_written', subject: 'customer', subjectId: params.id, after: { note: body.note } })
    if (body.fail === 'late') throw refuse(putNote, 'late', { values: { what: 'tea' } })
    if (body.fail === 'kept') throw refuse(putNote, 'late', { keepsWrites: true })
    if (body.fail === 'broken') throw new Error('secret detail')
    if (body.fail === 'unique') await sql`insert into notes (id, note) values (${params.id}, 'again')`.execute(db)
    if (body.fail === 'expected') await sql`update notes set times = 0 where id = ${params.id}`.execute(db)
    // A duplicate request stores its reply and commits after this one checked for it.
    if (body.fail === 'twin')
      await sql`insert into idempotency_keys (worker_id, key, call, request_hash, status, body, created_at)
        values (${worker.workerId}, ${request.raw.headers['idempotency-key']}, 'POST /api/test/notes/:id',
          ${hashRequest('POST /api/test/notes/:id', request.raw.url ?? '', request.bytes)}, 200, '{"count":7}', ${now})`.execute(
        server.db,
      )
    return { count: await count(db) }
  }).expecting({ notes_times_positive: 'taken' }),
  serve(readNotes, async ({ db, query }) => ({ count: await count(db), limit: query.limit })),
  serve(listByPost, ({ body }) => ({ q: body.q })),
  serve(drop, async ({ db }) => {
    await sql`delete from notes`.execute(db)
    return { success: true as const }
  }),
  serve(open, () => ({ ok: true as const })),
  serve(lies, () => ({ n: 'one' }) as never),
]

let server: TestServer
const logged: Parameters<Log['error']>[] = []
beforeAll(async () => {
  const log = { ...silentLog, error: (...line: Parameters<Log['error']>) => void logged.push(line) }
  server = await startTestServer({ routes, log })
  await sql`create table notes (id bigint primary key, note text not null, times int not null default 1
    constraint notes_times_positive check (times > 0))`.execute(server.db)
})
afterAll(() => server.stop())

let serial = 100
const fresh = () => ({ params: { id: String(++serial) }, body: { note: 'hello' } })

describe('access checks', () => {
  it('refuse an anonymous caller with 401', async () => {
    const reply = await server.anonymous().send(putNote, fresh())
    expect(reply).toMatchObject({
      status: 401,
      failure: { code: 'no_session', error: 'Sign in to continue.', message: 'Sign in to continue.' },
    })
  })
  it('refuse a worker without the permission before reading the body', async () => {
    const reply = await server.as('analytics.view').send(putNote, { params: { id: '1' } }, { rawBody: '{broken' })
    expect(reply).toMatchObject({ status: 403, failure: { code: 'forbidden' } })
  })
  it('audit that refusal without the body', async () => {
    const caller = server.as('analytics.view')
    await caller.send(putNote, { params: { id: '1' }, body: { note: 'canary-7261' } })
    const { id } = await caller.worker()
    const rows = await server.db.selectFrom('audit_log').selectAll().where('worker_id', '=', id).execute()
    expect(rows).toMatchObject([{ action: 'forbidden', outcome: 'refused', call: 'POST /api/test/notes/:id' }])
    expect(JSON.stringify(rows)).not.toContain('canary')
  })
  it('accept either of two permissions', async () => {
    for (const permission of ['tickets.handle', 'users.overview'] as const) {
      expect((await server.as(permission).send(readNotes)).status).toBe(200)
    }
  })
  it.each([
    ['absent', undefined],
    ['foreign', 'https://evil.example'],
    ['null', 'null'],
    ['a look-alike', 'http://localhost:3000.evil.example'],
  ])('refuse an Origin that is %s', async (_, origin) => {
    const reply = await server.as('tickets.handle').send(putNote, fresh(), { headers: { origin } })
    expect(reply).toMatchObject({ status: 403, failure: { code: 'bad_origin' } })
  })
  it('refuse a cross-site request', async () => {
    const reply = await server
      .as('tickets.handle')
      .send(putNote, fresh(), { headers: { origin: TEST_ORIGIN, 'sec-fetch-site': 'cross-site' } })
    expect(reply.status).toBe(403)
  })
  it('refuse a missing, empty, wrong or foreign CSRF token', async () => {
    const other = await server.signIn(['tickets.handle'])
    for (const token of [undefined, '', 'x', 'a.b', other.csrf]) {
      const reply = await server.as('tickets.handle').send(putNote, fresh(), { headers: { 'x-csrf-token': token } })
      expect(reply).toMatchObject({ status: 403, failure: { code: 'bad_csrf' } })
    }
  })
  it('require a passkey confirmation, and another one after ten minutes', async () => {
    expect(await server.as('tickets.handle').send(drop)).toMatchObject({
      status: 403,
      failure: { code: 'step_up_required' },
    })
    const caller = server.asSteppedUp('tickets.handle')
    expect((await caller.send(drop)).status).toBe(200)
    server.clock.advance(10 * 60_000 + 1)
    expect(await caller.send(drop)).toMatchObject({ status: 403, failure: { code: 'step_up_required' } })
  })
  it('end an idle session after 30 minutes and any session after 12 hours', async () => {
    const idle = server.as('tickets.handle')
    expect((await idle.send(readNotes)).status).toBe(200)
    server.clock.advance(30 * 60_000 + 1000)
    expect((await idle.send(readNotes)).status).toBe(401)
    const busy = server.as('tickets.handle')
    for (let minutes = 0; minutes <= 12 * 60; minutes += 29) {
      expect((await busy.send(readNotes)).status).toBe(200)
      server.clock.advance(29 * 60_000)
    }
    expect((await busy.send(readNotes)).status).toBe(401)
  })
  it('apply a removed permission to the next request', async () => {
    const caller = server.as('tickets.handle')
    expect((await caller.send(readNotes)).status).toBe(200)
    await server.db
      .updateTable('workers')
      .set({ permissions: [] })
      .where('id', '=', (await caller.worker()).id)
      .execute()
    expect((await caller.send(readNotes)).status).toBe(403)
  })
  it('limit an address and reply 429 with the time to wait', async () => {
    for (let i = 0; i < 5; i++) expect((await server.anonymous().send(open, { body: {} })).status).toBe(200)
    const reply = await server.anonymous().send(open, { body: {} })
    expect(reply).toMatchObject({ status: 429, failure: { code: 'too_many' } })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('bad input', () => {
  const caller = () => server.as('tickets.handle')
  it.each([
    ['malformed JSON', '{"note":', 400],
    ['no body', '', 400],
    ['an array', '[]', 400],
    ['a string', '"x"', 400],
    ['null', 'null', 400],
    ['a wrong type', '{"note":5}', 400],
    ['an extra key', '{"note":"a","isAdmin":true}', 400],
    ['a repeated key', '{"note":"a","note":"b"}', 400],
    ['a key repeated by an escape', '{"note":"a","n\\u006fte":"b"}', 400],
    ['__proto__', '{"note":"a","deep":{"__proto__":{"isAdmin":true}}}', 400],
    ['constructor', '{"note":"a","deep":{"constructor":{"prototype":{}}}}', 400],
    ['depth 1,000', `{"note":"a","deep":${'['.repeat(1000)}${']'.repeat(1000)}}`, 400],
    ['1e400', '{"note":"a","deep":1e400}', 400],
    ['2^53+1', '{"note":"a","deep":9007199254740993}', 400],
    ['NUL', '{"note":"a\\u0000b"}', 400],
    ['a lone surrogate', '{"note":"\\ud800"}', 400],
    ['a blank text', '{"note":"   "}', 400],
    ['10 MB', `{"note":"${'x'.repeat(10_000_000)}"}`, 413],
  ])('rejects %s', async (_, rawBody, status) => {
    const before = await count(server.db)
    const reply = await caller().send(
      putNote,
      { params: { id: '1' } },
      { rawBody, headers: { 'content-type': 'application/json' } },
    )
    expect(reply.status).toBe(status)
    expect(reply.failure.error).toBe(reply.failure.message)
    expect(reply.failure.error.length).toBeGreaterThan(5)
    expect(await count(server.db)).toBe(before)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
  it('rejects a URL that is too long', async () => {
    const reply = await caller().send(putNote, { params: { id: '1' }, query: { x: 'x'.repeat(20_000) } })
    expect(reply).toMatchObject({ status: 431, failure: { code: 'headers_too_long' } })
    expect(reply.failure.error).toBe(reply.failure.message)
  })
  it('rejects bytes that are not UTF-8', async () => {
    const reply = await caller().send(
      putNote,
      { params: { id: '1' } },
      { rawBody: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) },
    )
    expect(reply).toMatchObject({ status: 400, failure: { error: 'The body is not UTF-8 text.' } })
  })
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json garbage',
    'application/json\ta',
    'multipart/form-data; boundary=x',
    '',
  ])('rejects the media type "%s"', async (type) => {
    const reply = await caller().send(
      putNote,
      { params: { id: '1' } },
      { rawBody: '{"note":"a"}', headers: { 'content-type': type } },
    )
    expect(reply.status).toBe(415)
  })
  it('rejects a compressed body', async () => {
    const reply = await caller().send(putNote, fresh(), { headers: { 'content-encoding': 'gzip' } })
    expect(reply.status).toBe(415)
  })
  it('names the invalid field', async () => {
    const reply = await caller().send(putNote, { params: { id: 'x' }, body: { note: 'a' } })
    expect(reply).toMatchObject({
      status: 400,
      failure: { fields: [{ path: 'id', text: 'must be a whole number' }], error: 'id: must be a whole number' },
    })
  })
  it('rejects unknown query parameters', async () => {
    expect((await caller().send(readNotes, { query: { nope: 1 } as never })).status).toBe(400)
    expect((await caller().send(putNote, { ...fresh(), query: { a: 1 } })).status).toBe(400)
  })
  it('replies 404 to an unknown path and a wrong method', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['GET', '/api/test/open'],
      ['HEAD', '/api/test/notes'],
      ['PUT', '/api/test/list'],
    ] as const) {
      const reply = await fetch(server.url + path, { method, headers: { origin: TEST_ORIGIN } })
      expect(reply.status).toBe(404)
    }
  })
  it('rejects a path that cannot be decoded', async () => {
    const reply = await fetch(`${server.url}/api/test/notes/%E0%A4%A`, { headers: { accept: 'application/json' } })
    expect(reply.status).toBe(400)
  })
})

describe('the transaction of a call', () => {
  it('commits the change and its audit row together', async () => {
    const input = fresh()
    const caller = server.as('tickets.handle')
    expect((await caller.send(putNote, input)).status).toBe(200)
    const rows = await server.db
      .selectFrom('audit_log')
      .select(['action', 'worker_id', 'subject_id', 'after'])
      .where('subject_id', '=', input.params.id)
      .execute()
    expect(rows).toEqual([
      {
        action: 'note_written',
        worker_id: (await caller.worker()).id,
        subject_id: input.params.id,
        after: { note: 'hello' },
      },
    ])
  })
  it('names the changed record to a worker, for the Undo of earlier changes', async () => {
    const input = fresh()
    const { headers } = await server.as('tickets.handle').send(putNote, input)
    expect(headers.get('x-changed')).toBe(`customer/${input.params.id}`)
  })
  it('rolls back on a refusal and fills in the values of its text', async () => {
    const input = fresh()
    const reply = await server.as('tickets.handle').send(putNote, { ...input, body: { note: 'x', fail: 'late' } })
    expect(reply).toMatchObject({ status: 409, failure: { code: 'late', error: 'Too late for tea.' } })
    expect((await sql`select 1 from notes where id = ${input.params.id}`.execute(server.db)).rows).toEqual([])
  })
  it('commits when a refusal keeps its writes', async () => {
    const input = fresh()
    expect(
      (await server.as('tickets.handle').send(putNote, { ...input, body: { note: 'x', fail: 'kept' } })).status,
    ).toBe(409)
    expect((await sql`select 1 from notes where id = ${input.params.id}`.execute(server.db)).rows).toHaveLength(1)
  })
  it('reveals no details of an internal error', async () => {
    const reply = await server.as('tickets.handle').send(putNote, { ...fresh(), body: { note: 'x', fail: 'broken' } })
    expect(reply.status).toBe(500)
    expect(reply.text).not.toContain('secret detail')
  })
  it('turns an expected constraint violation into its refusal', async () => {
    const input = fresh()
    const reply = await server.as('tickets.handle').send(putNote, { ...input, body: { note: 'x', fail: 'expected' } })
    expect(reply).toMatchObject({ status: 409, failure: { code: 'taken', error: 'Another note has it.' } })
    expect((await sql`select 1 from notes where id = ${input.params.id}`.execute(server.db)).rows).toEqual([])
  })
  it('replies 500 to any other constraint violation and logs it', async () => {
    logged.length = 0
    const reply = await server.as('tickets.handle').send(putNote, { ...fresh(), body: { note: 'x', fail: 'unique' } })
    expect([reply.status, reply.failure.code]).toEqual([500, 'broken'])
    expect(reply.text).not.toContain('notes_pkey')
    expect(logged).toEqual([
      [
        'call failed',
        expect.objectContaining({ status: 500, code: '23505', reason: expect.stringContaining('notes_pkey') }),
      ],
    ])
    // The Error log shows it too.
    const failure = await eventually(async () => {
      await server.running.services.events.flush()
      const { rows } = await sql<{ status: number; cause: string }>`
        select status, cause from event_failures where request_id = ${reply.headers.get('x-request-id')}`.execute(
        server.db,
      )
      return rows[0]
    })
    expect(failure).toMatchObject({ status: 500, cause: expect.stringContaining('23505') })
  })
  it('replies 500 when the reply does not match the contract', async () => {
    expect((await server.as('tickets.handle').send(lies)).status).toBe(500)
  })
  it('marks every reply as no-store', async () => {
    expect((await server.as('tickets.handle').send(readNotes)).headers.get('cache-control')).toBe('no-store')
  })
})

describe('Idempotency-Key', () => {
  const key = 'key-0123456789'
  it('replays the reply of the same request', async () => {
    const caller = server.as('tickets.handle')
    const input = fresh()
    const first = await caller.send(putNote, input, { headers: { 'idempotency-key': key } })
    const second = await caller.send(putNote, input, { headers: { 'idempotency-key': key } })
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replay')).toBe('true')
    expect(
      (await sql<{ times: number }>`select times from notes where id = ${input.params.id}`.execute(server.db)).rows,
    ).toEqual([{ times: 1 }])
  })
  it('refuses the same key for another body', async () => {
    const caller = server.as('tickets.handle')
    const input = fresh()
    await caller.send(putNote, input, { headers: { 'idempotency-key': key } })
    const reply = await caller.send(
      putNote,
      { ...input, body: { note: 'other' } },
      { headers: { 'idempotency-key': key } },
    )
    expect(reply).toMatchObject({ status: 422, failure: { code: 'key_reused' } })
  })
  it('belongs to one worker', async () => {
    const input = fresh()
    await server.as('tickets.handle').send(putNote, input, { headers: { 'idempotency-key': key } })
    const other = await server.as('tickets.handle').send(putNote, input, { headers: { 'idempotency-key': key } })
    expect(other.headers.get('idempotent-replay')).toBeNull()
  })
  it('runs one of twenty concurrent requests and replays its reply to all', async () => {
    const caller = server.as('tickets.handle')
    const input = fresh()
    await caller.worker()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        caller.send(putNote, input, { headers: { 'idempotency-key': 'twenty-at-once' } }),
      ),
    )
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    expect(replies.filter((reply) => reply.headers.get('idempotent-replay') === null)).toHaveLength(1)
    expect(
      (await sql<{ times: number }>`select times from notes where id = ${input.params.id}`.execute(server.db)).rows,
    ).toEqual([{ times: 1 }])
  })
  it('replays the reply of a duplicate that committed in between and rolls back its own work', async () => {
    const input = fresh()
    const reply = await server
      .as('tickets.handle')
      .send(putNote, { ...input, body: { note: 'x', fail: 'twin' } }, { headers: { 'idempotency-key': 'twin-012345' } })
    expect([reply.status, reply.text, reply.headers.get('idempotent-replay')]).toEqual([200, '{"count":7}', 'true'])
    expect((await sql`select from notes where id = ${input.params.id}`.execute(server.db)).rows).toEqual([])
  })
  it('stores no reply of a refused request', async () => {
    const caller = server.as('tickets.handle')
    const input = fresh()
    await caller.send(putNote, { ...input, body: { note: 'x', fail: 'late' } }, { headers: { 'idempotency-key': key } })
    expect((await caller.send(putNote, input, { headers: { 'idempotency-key': key } })).status).toBe(200)
  })
  it('rejects a malformed key', async () => {
    expect(
      (await server.as('tickets.handle').send(putNote, fresh(), { headers: { 'idempotency-key': 'a b' } })).status,
    ).toBe(400)
  })
})

describe('a POST that reads', () => {
  it('runs without a transaction', async () => {
    expect(await server.as().send(listByPost, { body: { q: 'a' } })).toMatchObject({ status: 200, body: { q: 'a' } })
  })
})
