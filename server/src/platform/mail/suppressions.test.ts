import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runWork } from '../db/work.ts'
import { makeKeyring } from '../security/secrets.ts'
import { type MailServer, openMailServer } from '../testing/testing.mail.ts'
import { eventually, startTestServer, type TestServer } from '../testing/testing.ts'
import { isSuppressed, removeSuppression, suppress, unsubscribeByToken, unsubscribeToken } from './suppressions.ts'

let smtp: MailServer
let server: TestServer
beforeAll(async () => {
  smtp = await openMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await server.stop()
  await smtp.close()
})
afterEach(() => server.db.deleteFrom('suppressions').execute())

const left = { channel: 'mail', reason: 'unsubscribed', source: 'test' } as const
const leave = (address: string) => suppress(server.db, address, left, server.clock.now())

let count = 0
/** Enqueues a bulk email and waits for its final state. */
async function mail(to: string) {
  const key = `bulk-${count++}`
  await runWork(server.running.services, { call: 'test' }, async ({ enqueue }) => {
    enqueue({ channel: 'mail', key, payload: { to, subject: 'News', text: 'Hello', isBulk: true } })
  })
  return eventually(async () => {
    const row = await server.db.selectFrom('outbox').selectAll().where('key', '=', key).executeTakeFirst()
    return row?.state === 'waiting' ? undefined : row?.state
  })
}

describe('a person who opted out', () => {
  it.each([
    'leaver@example.com',
    'LEAVER@Example.COM',
    '<leaver@example.com>',
    'Robin <leaver@example.com>',
    '"Robin" <leaver@example.com>',
    'leaver@example.com>',
    'leaver@example.com,',
    ',leaver@example.com',
    'leaver@example.com;',
    'team:leaver@example.com;',
    '(Robin)leaver@example.com',
    'leaver(Robin)@example.com',
    '"leaver"@example.com',
    ' leaver@example.com',
    'leaver@example.com\n',
    'leaver@ｅxample.com',
    'leaver@example。com',
    'leaver@exam\u00adple.com',
    'leaver@example.com,leaver@example.com',
  ])('gets no bulk email at %j', async (to) => {
    await leave('leaver@example.com')
    expect(await mail(to)).toBe('dead')
    expect(smtp.letters).toEqual([])
  })
  it.each([
    ['ana@müller.example', 'ana@xn--mller-kva.example'],
    ['ana@xn--mller-kva.example', 'ana@MÜLLER.example'],
    ['ana@EXAMPLE.РФ', 'ana@example.рф'],
  ])('as %s is also suppressed as %s, by the list and by an unsubscribe link', async (address, other) => {
    await leave(address)
    expect(await isSuppressed(server.db, 'mail', other)).toBe(true)
    expect(await removeSuppression(server.db, 'mail', address, 'unsubscribed')).not.toEqual([])
    expect(await isSuppressed(server.db, 'mail', other)).toBe(false)
    const keyring = makeKeyring('x'.repeat(40))
    await unsubscribeByToken(server.db, keyring, unsubscribeToken(keyring, 'mail', address), server.clock.now())
    expect(await isSuppressed(server.db, 'mail', other)).toBe(true)
  })
  it('does not affect other addresses', async () => {
    await leave('leaver@example.com')
    expect(await mail('leaver+news@example.com')).toBe('sent')
    expect(smtp.letters.map(({ to }) => to)).toEqual(['leaver+news@example.com'])
  })
})
