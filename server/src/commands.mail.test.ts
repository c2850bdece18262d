import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isSuppressed, suppress } from '#platform/suppressions.ts'
import { startTestServer, type TestServer } from '#platform/testing.ts'
import { mailCommands } from './commands.mail.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  vi.stubEnv('DATABASE_URL', server.running.services.config.databaseUrl)
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('SECRET_KEY', server.running.services.config.secretKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

async function unsuppress(options: Record<string, string>) {
  let printed = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    await mailCommands['mail unsuppress']?.run(options, [])
    return printed
  } finally {
    stdout.mockRestore()
  }
}
const entries = () => server.db.selectFrom('audit_log').selectAll().where('action', '=', 'suppression_lifted').execute()

it('mail unsuppress takes an address off the list, and the audit log says why without naming it', async () => {
  const left = { channel: 'mail', reason: 'unsubscribed', source: 'link' } as const
  await suppress(server.db, 'robin@example.com', left, new Date('2026-05-04T12:00:00Z'))
  const options = { email: ' Robin@Example.com', reason: 'Asked by phone on 16 November' }
  expect(await unsuppress(options)).toBe(
    'robin@example.com gets mails to many again. It was left out since 2026-05-04: unsubscribed.\n',
  )
  expect(await isSuppressed(server.db, 'mail', 'robin@example.com')).toBe(false)
  const [entry, ...others] = await entries()
  expect(entry).toMatchObject({
    call: 'limber mail unsuppress',
    outcome: 'done',
    before: { reason: 'unsubscribed', source: 'link' },
    reason: 'Asked by phone on 16 November',
  })
  expect(others).toEqual([])
  expect(JSON.stringify(entry)).not.toContain('robin')
})

it.each([
  [{ email: 'stranger@example.com', reason: 'Asked' }, 'is not on the list'],
  [{ email: 'nobody', reason: 'Asked' }, '--email must be'],
  [{ email: 'robin@example.com' }, '--reason is needed'],
  [{ email: 'robin@example.com', reason: ' ' }, '--reason is needed'],
])('mail unsuppress refuses %j, and writes nothing', async (options, words) => {
  const before = (await entries()).length
  await expect(unsuppress(options as Record<string, string>)).rejects.toThrow(words)
  expect(await entries()).toHaveLength(before)
})
