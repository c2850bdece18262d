import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '#platform/clock.ts'
import type { TestReply, TestServer } from '#platform/testing/testing.ts'
import { makeWorker } from '../workers/worker.factory.ts'
import { makeAccount, openBrowser, readCode, startAccessServer } from './sign-in.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const begin = (email: string, browser = openBrowser(server)) => browser.send(verifyCredentials, { body: { email } })
const codeMails = async () =>
  (await server.db.selectFrom('outbox').select('id').where('key', 'like', 'device-code:%').execute()).length
const shape = (reply: TestReply) =>
  Object.entries(reply.body as Record<string, unknown>).map(([key, value]) => [
    key,
    typeof value,
    typeof value === 'string' ? value.length : value,
  ])
let serial = 0
const unknownEmail = () => `nobody-${++serial}@example.com`

describe('POST /api/auth/verify-credentials', () => {
  it('A1 gives the same reply for an unknown email and sends nothing', async () => {
    const account = await makeAccount(server)
    const known = await begin(account.email)
    const mails = await codeMails()
    const unknown = await begin(unknownEmail())
    expect(unknown.status).toBe(known.status)
    expect(shape(unknown)).toEqual(shape(known))
    expect(unknown.body).toMatchObject({ requiresDeviceAuth: true, requiresPasskeySetup: false, options: null })
    expect(unknown.text.length).toBe(known.text.length)
    const cookies = (reply: TestReply) => reply.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '').length)
    expect(cookies(unknown)).toEqual(cookies(known))
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
    expect(await codeMails()).toBe(mails)
  })

  it('A1 returns the same IDs for an email each time, known or not', async () => {
    const account = await makeAccount(server)
    for (const email of [account.email, unknownEmail()])
      expect((await begin(email)).body.userId).toBe((await begin(email)).body.userId)
  })

  it.each(['invited', 'disabled'] as const)('A4 treats a worker who is %s like an unknown email', async (status) => {
    const { email } = await makeWorker(server.db, { status })
    const mails = await codeMails()
    const reply = await begin(email)
    expect(shape(reply)).toEqual(shape(await begin(unknownEmail())))
    expect(await codeMails()).toBe(mails)
  })

  it('A3 gives the same reply when email delivery is down, and keeps the email in the outbox', async () => {
    const down = await startAccessServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const account = await makeAccount(down)
    const known = await openBrowser(down).send(verifyCredentials, { body: { email: account.email } })
    const unknown = await openBrowser(down).send(verifyCredentials, { body: { email: unknownEmail() } })
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(shape(unknown)).toEqual(shape(known))
    expect(await down.db.selectFrom('outbox').select('state').execute()).toHaveLength(1)
    await down.stop()
  })

  it.each([
    ['nothing', undefined],
    ['[]', '[]'],
    ['"x"', '"x"'],
    ['7', '7'],
    ['null', 'null'],
    ['{', '{'],
  ])('A5 refuses the body %s', async (_title, rawBody) => {
    const reply = await openBrowser(server).send(verifyCredentials, {}, rawBody === undefined ? {} : { rawBody })
    const typed = await openBrowser(server).send(
      verifyCredentials,
      {},
      rawBody === undefined ? {} : { rawBody, headers: { 'content-type': 'application/json' } },
    )
    expect([400, 415]).toContain(reply.status)
    expect(typed.status).toBe(400)
  })

  it.each([
    ['255 characters', `${'a'.repeat(243)}@example.com`],
    ['three thousand dots', `a@${'.'.repeat(3000)}`],
    ['hostile repetition', `${'a@'.repeat(1500)}`],
  ])('A6 refuses an email of %s without delay', async (_title, email) => {
    const before = process.cpuUsage()
    expect((await begin(email)).status).toBe(400)
    // A vulnerable pattern would take seconds.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500)
  })

  it('A6 refuses sixty kilobytes without reading them', async () => {
    expect((await begin('.'.repeat(60_000))).status).toBe(413)
  })

  it.each([[['a@b.co']], [{ $ne: '' }], [7], [null], [true]])('A9 refuses the email %j', async (email) => {
    expect((await begin(email as never)).status).toBe(400)
  })

  it.each([
    ['requiresDeviceAuth', 'false'],
    ['userId', '"1"'],
    ['__proto__', '{"admin":true}'],
    ['constructor', '{}'],
  ])('A12 refuses the extra key %s', async (key, value) => {
    const rawBody = `{"email":"a@example.com","${key}":${value}}`
    const headers = { 'content-type': 'application/json' }
    const reply = await openBrowser(server).send(verifyCredentials, {}, { rawBody, headers })
    expect(reply.status).toBe(400)
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  it('A11 limits one IP address to 40 requests a minute, and no other', async () => {
    const browser = openBrowser(server)
    const replies = await Promise.all(Array.from({ length: 50 }, () => begin(unknownEmail(), browser)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(40)
    const slowed = replies.find((reply) => reply.status === 429)
    expect(Number(slowed?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await begin(unknownEmail())).status).toBe(200)
  })

  it('A11 limits code emails to ten in 15 minutes, for known and unknown emails', async () => {
    const account = await makeAccount(server)
    for (const email of [account.email, unknownEmail()]) {
      const replies: number[] = []
      for (let i = 0; i < 11; i++) replies.push((await begin(email)).status)
      expect(replies).toEqual([...Array(10).fill(200), 429])
    }
    server.clock.advance(15 * MINUTE)
  })

  it('A13 keeps look-alike emails apart', async () => {
    const account = await makeAccount(server)
    const mails = await codeMails()
    await begin(account.email.replace('robin', 'ro\u0131n'))
    await begin(account.email.replace('example', 'e\u212Aample'))
    expect(await codeMails()).toBe(mails)
    await begin(account.email.toUpperCase())
    expect(await codeMails()).toBe(mails + 1)
  })

  it('A14 sends the code only to the email on file', async () => {
    const account = await makeAccount(server)
    const reply = await begin(` ${account.email.toUpperCase()} `)
    const code = await readCode(server, account.email)
    expect(reply.text).not.toContain(code)
    const rows = await server.db
      .selectFrom('sign_in_attempts')
      .selectAll()
      .where('worker_id', '=', account.id)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`)
  })

  it('D28 gives a stranger no options and no credential IDs', async () => {
    const account = await makeAccount(server)
    const reply = await begin(account.email)
    expect(reply.body.options).toBeNull()
    expect(reply.text).not.toContain(account.passkey.credentialId.toString('base64url'))
  })
})
