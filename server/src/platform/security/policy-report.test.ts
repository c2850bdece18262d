import { reportPolicy } from '@limber/contract/kit/meta.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLog } from '../telemetry/log.ts'
import { startTestServer, type TestServer } from '../testing/testing.ts'

let server: TestServer
let lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({
    env: { TRUST_PROXY: '1' },
    log: makeLog('info', { write: (line) => void lines.push(line) }),
  })
})
afterAll(() => server.stop())

const violation = (more: object = {}) => ({
  type: 'csp-violation',
  age: 12,
  url: 'http://localhost:3000/onboarding?token=canary-url',
  user_agent: 'Mozilla/5.0',
  body: {
    documentURL: 'http://localhost:3000/onboarding?token=canary-token#canary-hash',
    blockedURL: 'https://evil.example/steal?what=canary-loot',
    effectiveDirective: 'img-src',
    originalPolicy: 'canary-policy',
    sample: 'canary-sample',
    ...more,
  },
})

/** Sends a report like a browser, without cookies or a token; returns the status and the log lines. */
async function report(body: unknown, { type = 'application/reports+json', from = '10.0.0.1' } = {}) {
  lines = []
  const rawBody = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': type, 'x-forwarded-for': from }
  const { status } = await server.anonymous().send(reportPolicy, {}, { rawBody, headers })
  return { status, logged: lines.filter((line) => line.includes('policy violated')).map((line) => JSON.parse(line)) }
}

describe('POST /api/policy-reports', () => {
  it('is the reporting endpoint of our pages', async () => {
    const { headers } = await fetch(`${server.url}/api/docs`, {
      headers: { cookie: `sid=${(await server.signIn([])).token}`, accept: 'application/json' },
    })
    expect(headers.get('reporting-endpoints')).toBe(`csp="${reportPolicy.path}"`)
    expect(headers.get('content-security-policy')).toMatch(/; report-to csp$/)
  })
  it('logs the directive, the page and the blocked origin without secrets', async () => {
    const { status, logged } = await report([violation(), violation({ blockedURL: 'inline' })])
    expect(status).toBe(200)
    expect(logged).toMatchObject([{ code: 'img-src', reason: 'https://evil.example', url: '/onboarding', count: 2 }])
    expect(lines.join()).not.toContain('canary')
    const inline = await report([violation({ blockedURL: 'inline', effectiveDirective: 'script-src-elem' })])
    expect(inline.logged).toMatchObject([{ code: 'script-src-elem', reason: 'inline', count: 1 }])
  })
  it.each([[[]], [[{ type: 'deprecation', body: { id: 'x' } }]], [[{ type: 'csp-violation', body: null }]]])(
    'logs nothing of %j',
    async (body) => {
      expect(await report(body)).toEqual({ status: 200, logged: [] })
    },
  )
  it('does not log forged values', async () => {
    const odd = { documentURL: 'x\ny', blockedURL: 7, effectiveDirective: 'img-src\n{"level":"error"}' }
    const { logged } = await report([violation(odd)])
    expect(logged).toMatchObject([{ code: 'unknown', reason: 'unknown', url: 'unknown' }])
  })
  it.each(['', '{', '{}', '"x"', '[1]', '[{"type":7}]', JSON.stringify(Array(101).fill(violation()))])(
    'refuses %.20s',
    async (body) => {
      expect(await report(body)).toEqual({ status: body.length > 20_000 ? 413 : 400, logged: [] })
    },
  )
  it('limits the media type, the size, and the rate per address', async () => {
    expect((await report([], { type: 'application/json' })).status).toBe(415)
    expect((await report(`[${' '.repeat(33_000)}]`)).status).toBe(413)
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push((await report([], { from: '10.9.9.9' })).status)
    expect(statuses).toEqual([...Array(30).fill(200), 429])
  })
})
