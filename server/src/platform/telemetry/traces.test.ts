import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { inviteWorker } from '@limber/contract/access/workers/worker.ts'
import { checkAlive } from '@limber/contract/kit/meta.ts'
import { listSavedReplies } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startTestServer, type TestServer } from '../testing/testing.ts'
import { readTraceparent } from './traces.ts'

interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
}

const TRACE = 'a'.repeat(32)
const CALLER = 'b'.repeat(16)
const spans: ReceivedSpan[] = []
let headers: NodeJS.Dict<string | string[]> = {}
let status = 200
const collector = createServer((request, response) => {
  headers = request.headers
  void readText(request).then((text) => {
    if (status === 200) spans.push(...JSON.parse(text).resourceSpans[0].scopeSpans[0].spans)
    response.writeHead(request.url === '/v1/traces' ? status : 404).end('{}')
  })
})
const port = await new Promise<number>((done) =>
  collector.listen(0, '127.0.0.1', () => done((collector.address() as { port: number }).port)),
)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20secret',
      OTEL_TRACES_SAMPLER_ARG: '0.000001',
    },
  })
})
afterAll(async () => {
  await server.stop()
  collector.close()
})

const traceparent = (flags: string) => ({ headers: { traceparent: `00-${TRACE}-${CALLER}-${flags}` } })
const named = (name: string) => spans.filter((span) => span.name === name && span.traceId === TRACE)

describe('traces', () => {
  it('record a request, its checks, its handler, its statements and the delivery it causes', async () => {
    const owner = server.asOwner({ isSteppedUp: true })
    const body = { email: 'robin@example.com', name: 'Robin', role: null, permissions: ['1'] }
    expect((await owner.send(inviteWorker, { body }, traceparent('01'))).status).toBe(200)
    const request = await eventually(async () => named('POST /api/access/workers/invite')[0])
    expect(request.parentSpanId).toBe(CALLER)
    expect(request.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } })
    const handler = named('handle')[0]
    expect(handler?.parentSpanId).toBe(request.spanId)
    expect(named('admit')[0]?.parentSpanId).toBe(request.spanId)
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === handler?.spanId)
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['insert', 'commit']))
    const delivery = await eventually(async () => named('delivery mail')[0])
    expect(delivery.parentSpanId).toBe(handler?.spanId)
    expect(headers['x-token']).toBe('a secret')
    // Values are not sent.
    expect(JSON.stringify(spans)).not.toMatch(/robin@example/i)
    for (const span of spans)
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  })
  it('follow the caller, who decides whether they are recorded', async () => {
    spans.length = 0
    expect((await server.asOwner().send(listSavedReplies, {}, traceparent('00'))).status).toBe(200)
    expect((await server.asOwner().send(listSavedReplies)).status).toBe(200)
    expect((await server.anonymous().send(checkAlive, {}, traceparent('01'))).status).toBe(200)
    await eventually(async () => named('GET /healthz').length > 0)
    expect(spans.filter(({ name }) => name.includes('saved-replies'))).toEqual([])
  })
  it('do not hold up calls when the collector fails', async () => {
    status = 500
    expect((await server.asOwner().send(listSavedReplies, {}, traceparent('01'))).status).toBe(200)
    status = 200
  })
  it.each(['', 'x', `00-${'0'.repeat(32)}-${CALLER}-01`, `01-${TRACE}-${CALLER}-01`, `00-${TRACE}-${CALLER}-01-x`])(
    'ignore the traceparent %j',
    (header) => {
      expect(readTraceparent(header)).toBeUndefined()
    },
  )
})
