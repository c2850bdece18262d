import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { defineCall } from '@limber/contract/kit/call.ts'
import { IdText, Text } from '@limber/contract/kit/values.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { watchAttendance } from '../live/attendance.ts'
import { FakeServer, Refusal } from '../testing/testing.server.ts'
import { onSessionProblem, provideStepUp, send } from './api.ts'
import { CallFailure } from './call-failure.ts'

const rename = defineCall({
  method: 'PUT',
  path: '/api/things/:id',
  summary: 'Rename a thing',
  permission: 'businesses.manage',
  params: z.object({ id: IdText }),
  query: z.object({ notify: z.string().optional() }),
  body: z.strictObject({ name: Text(20) }),
  reply: z.object({ name: z.string() }),
})
const preview = defineCall({
  method: 'POST',
  path: '/api/things/preview',
  summary: 'Only reads',
  permission: 'businesses.manage',
  reads: true,
  body: z.object({}),
  reply: z.object({}),
})
const attach = defineCall({
  method: 'POST',
  path: '/api/things/files',
  summary: 'Attach files',
  permission: 'businesses.manage',
  bodyType: 'multipart',
  body: z.any(),
  reply: z.object({ count: z.int() }),
})

const input = (name = 'Perris') => ({ params: { id: '7' }, query: {}, body: { name } })
let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.install()
  // biome-ignore lint/suspicious/noDocumentCookie: the browser's own way
  document.cookie = '__Host-limber_csrf=t0k3n; path=/; Secure'
  // biome-ignore lint/suspicious/noDocumentCookie: the browser's own way
  document.cookie = 'limber_csrf=t0k3n; path=/'
})

const header = (name: string, place = -1) => server.requests.at(place)?.headers.get(name)

describe('send', () => {
  it('fills path, query and body from the contract entry', async () => {
    server.answer(rename, ({ params, query, body }) => ({ name: `${params.id} ${query.notify} ${body.name}` }))
    const reply = await send(rename, { params: { id: '7' }, query: { notify: 'yes & no' }, body: { name: 'Perris' } })
    expect(reply.name).toBe('7 yes & no Perris')
  })

  it('carries the CSRF token and an idempotency key on a mutation', async () => {
    server.answer(rename, { name: 'x' })
    await send(rename, input())
    expect(header('X-CSRF-Token')).toBe('t0k3n')
    expect(header('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('carries the token but no key on a POST that only reads, and neither on a GET', async () => {
    server.answer(preview, {})
    await send(preview, { body: {} })
    expect([header('X-CSRF-Token'), header('Idempotency-Key')]).toEqual(['t0k3n', null])
    server.answer(checkSession, new Refusal(401, 'signed_out', 'Not signed in.'))
    await send(checkSession).catch(() => undefined)
    expect([header('X-CSRF-Token'), header('Idempotency-Key')]).toEqual([null, null])
  })

  const keys = () => server.requests.map((one) => one.headers.get('Idempotency-Key'))

  it('reuses the key after a lost reply, and uses a new one for the next action', async () => {
    server.answer(rename, new Refusal(503, 'busy', 'Busy.'))
    await send(rename, input()).catch(() => undefined)
    server.answer(rename, { name: 'x' })
    await send(rename, input())
    await send(rename, input())
    const [first, second, third] = keys()
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('uses a new key for other input, other records, and after a refusal', async () => {
    server.answer(rename, new Refusal(503, 'busy', 'Busy.'))
    await send(rename, input()).catch(() => undefined)
    await send(rename, input('Norco')).catch(() => undefined)
    await send(rename, { ...input(), params: { id: '8' } }).catch(() => undefined)
    server.answer(rename, new Refusal(409, 'stale', 'Someone else changed this.'))
    await send(rename, input()).catch(() => undefined)
    await send(rename, input()).catch(() => undefined)
    const [first, others, things, again, afresh] = keys()
    expect(again).toBe(first)
    expect(new Set([first, others, things, afresh]).size).toBe(4)
  })

  it('distinguishes files by name, and recognizes a file that is sent again', async () => {
    server.answer(attach, new Refusal(503, 'busy', 'Busy.'))
    const file = (name: string) => new File(['a'], name, { lastModified: 7 })
    for (const name of ['a.txt', 'a.txt', 'b.txt']) {
      await send(attach, { body: { files: [file(name)] } }).catch(() => undefined)
    }
    const [first, second, third] = keys()
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('uses a new key after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    server.answer(rename, new Refusal(503, 'busy', 'Busy.'))
    for (const wait of [0, 9, 11]) {
      vi.advanceTimersByTime(wait * 60_000)
      await send(rename, input()).catch(() => undefined)
    }
    vi.useRealTimers()
    const [first, second, third] = keys()
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('reuses the key after an unreadable reply, because the change may have been made', async () => {
    const sent: (string | null)[] = []
    globalThis.fetch = async (_, init) => {
      sent.push(new Headers(init?.headers).get('Idempotency-Key'))
      return new Response('{"name":')
    }
    for (let time = 0; time < 2; time += 1) await send(rename, input()).catch(() => undefined)
    expect(sent[1]).toBe(sent[0])
  })

  it('turns a refusal into message, code, fields and current record', async () => {
    const fields = [{ path: 'name', text: 'is taken' }]
    server.answer(
      rename,
      new Refusal(409, 'stale', 'Someone else changed this.', { fields, current: { name: 'Norco' } }),
    )
    const failure = await send(rename, input()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CallFailure)
    expect(failure).toMatchObject({
      status: 409,
      code: 'stale',
      message: 'Someone else changed this.',
      fields,
      current: { name: 'Norco' },
    })
  })

  it('distinguishes a network failure from a refusal', async () => {
    server.isDown = true
    await expect(send(rename, input())).rejects.toMatchObject({ status: 0, code: 'network_down', isTransient: true })
  })

  it('reports calls that got 401 or 403', async () => {
    const problems: unknown[] = []
    const stop = onSessionProblem((...problem) => problems.push(problem))
    server.answer(rename, new Refusal(401, 'signed_out', 'Not signed in.'))
    await send(rename, input()).catch(() => undefined)
    server.answer(rename, new Refusal(403, 'forbidden', 'No.'))
    await send(rename, input()).catch(() => undefined)
    stop()
    expect(problems).toEqual([
      [rename, 401],
      [rename, 403],
    ])
  })

  it('asks for the passkey once and retries with the same key', async () => {
    const reasons: string[] = []
    let isProven = false
    const stop = provideStepUp(async (reason) => {
      reasons.push(reason)
      isProven = true
      return true
    })
    server.answer(rename, () =>
      isProven ? { name: 'done' } : new Refusal(403, 'step_up_required', 'Confirm with your passkey.'),
    )
    await expect(send(rename, input())).resolves.toEqual({ name: 'done' })
    stop()
    expect(reasons).toEqual(['Confirm with your passkey.'])
    expect(header('Idempotency-Key', 0)).toBe(header('Idempotency-Key', 1))
  })

  it('rejects with the refusal when the passkey is declined', async () => {
    const stop = provideStepUp(async () => false)
    server.answer(rename, new Refusal(403, 'step_up_required', 'Confirm with your passkey.'))
    await expect(send(rename, input())).rejects.toMatchObject({ code: 'step_up_required' })
    stop()
    expect(server.callCount(rename)).toBe(1)
  })

  it('throws in development when a reply breaks the contract', async () => {
    globalThis.fetch = async () => new Response('{"name": 5}')
    await expect(send(rename, input())).rejects.toThrow('PUT /api/things/:id broke its contract')
  })

  it.each([
    ['', 'Invalid JSON response'],
    ['{"name":', 'Invalid JSON response'],
    ['<html>', 'Invalid response format - received HTML instead of JSON'],
  ])('rejects the reply %j', async (text, message) => {
    globalThis.fetch = async () => new Response(text)
    await expect(send(rename, input())).rejects.toThrow(message)
  })

  it('marks requests as unattended after a minute without input', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const stop = watchAttendance()
    server.answer(rename, { name: 'x' })
    const unattended = async (wait: number) => {
      vi.advanceTimersByTime(wait)
      await send(rename, input())
      return header('X-Unattended')
    }
    expect([await unattended(59_000), await unattended(2_000)]).toEqual([null, '1'])
    window.dispatchEvent(new Event('keydown'))
    expect(await unattended(0)).toBeNull()
    stop()
    vi.useRealTimers()
  })

  it('reports upload progress', async () => {
    const shares: number[] = []
    server.answer(attach, ({ form }) => ({ count: form?.getAll('files').length ?? 0 }))
    const files = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]
    const reply = await send(
      attach,
      { body: { files, note: { kind: 'x' } } },
      { onProgress: (share) => shares.push(share) },
    )
    expect(reply.count).toBe(2)
    expect(shares).toEqual([0.5])
    const sent = server.requests.at(-1)?.body
    expect(sent instanceof FormData && sent.get('note')).toBe('{"kind":"x"}')
  })
})
