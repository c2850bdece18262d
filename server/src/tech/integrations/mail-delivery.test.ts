import { listIntegrations, readDelivery, retryDelivery } from '@limber/contract/tech/integrations/integration.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'

let smtp: MailServer
let server: TestServer
let operator: TestCaller
const received = () => smtp.letters.map(({ to }) => to)

beforeAll(async () => {
  smtp = await openMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
  operator = server.as('integrations.events')
})
afterAll(async () => {
  await server.stop()
  await smtp.close()
})

/** Enqueues an email and returns its delivery. */
async function enqueue(name: string): Promise<number> {
  await runWork(server.running.services, { call: 'test' }, async (work) =>
    work.enqueue({
      channel: 'mail',
      key: `mail-${name}`,
      about: `an email for ${name}`,
      payload: { to: `${name}@example.com`, subject: 'Hello', text: 'Hello' },
    }),
  )
  const { body } = await operator.send(listIntegrations, { query: { search: `an email for ${name}` } })
  return body.events[0]?.id ?? 0
}
const read = async (id: number) => (await operator.send(readDelivery, { params: { id: String(id) } })).body
const until = (id: number, status: string) =>
  eventually(async () => {
    const delivery = await read(id)
    return delivery.status === status && delivery
  })
const retry = (id: number) => operator.send(retryDelivery, { params: { id: String(id) }, body: {} })

describe('email delivery', () => {
  it('is sent on the first attempt', async () => {
    smtp.behave('well')
    const delivery = await until(await enqueue('anna'), 'sent')
    expect(delivery).toMatchObject({ tries: 1, lastError: null, isConnected: true, sentAt: expect.any(String) })
    expect(received()).toEqual(['anna@example.com'])
  })

  it('waits for its next attempt after a temporary error, and Retry sends it earlier', async () => {
    smtp.behave('later')
    const id = await enqueue('ben')
    const waiting = await until(id, 'retrying')
    expect(waiting.lastError).toContain('451')
    expect(waiting.lastError).toContain('<b•••@example.com>')
    expect(Date.parse(waiting.nextTryAt ?? '')).toBeGreaterThan(server.clock.now().getTime())
    smtp.behave('well')
    expect((await retry(id)).status).toBe(200)
    expect(await until(id, 'sent')).toMatchObject({ tries: 2, lastError: null })
    expect(received()).toContain('ben@example.com')
  })

  it('fails at once after a permanent error, and Retry sends it when the address exists', async () => {
    smtp.behave('unknown')
    const id = await enqueue('cleo')
    expect(await until(id, 'dead')).toMatchObject({ tries: 1, nextTryAt: null })
    expect((await read(id)).lastError).toContain('550')
    await retry(id)
    expect(await eventually(async () => (await read(id)).tries === 2 && (await until(id, 'dead')))).toBeTruthy()
    smtp.behave('well')
    await retry(id)
    expect(await until(id, 'sent')).toMatchObject({ tries: 3, retried: { by: expect.any(String) } })
  })

  it('cannot be retried while it is being sent', async () => {
    smtp.behave('slow')
    const id = await enqueue('dora')
    await until(id, 'sending')
    expect(await retry(id)).toMatchObject({ status: 409, failure: { code: 'under_way' } })
    await eventually(async () => smtp.held() > 0)
    smtp.release()
    await until(id, 'sent')
    expect(received().filter((to) => to === 'dora@example.com')).toHaveLength(1)
  })

  it('fails after ten attempts without a server, and gets ten more after Retry', async () => {
    smtp.behave('well')
    const { port } = smtp
    await smtp.close()
    const id = await enqueue('emil')
    expect((await until(id, 'retrying')).lastError).toContain('ECONNREFUSED')
    for (let i = 0; i < 11; i++) {
      server.clock.advance(2 * HOUR)
      await server.running.courier.run()
    }
    // All sessions have expired by now.
    operator = server.as('integrations.events')
    expect(await read(id)).toMatchObject({ status: 'dead', tries: 10 })
    await retry(id)
    expect(await until(id, 'retrying')).toMatchObject({ tries: 11 })
    smtp = await openMailServer(port)
    server.clock.advance(MINUTE)
    await server.running.courier.run()
    expect(await until(id, 'sent')).toMatchObject({ tries: 12 })
  })
})
