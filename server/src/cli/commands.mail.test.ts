import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runWork } from '#platform/db/work.ts'
import { isSuppressed, suppress } from '#platform/mail/suppressions.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { mailCommands } from './commands.mail.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { LIMBER_EMBEDDED: '0' } })
  vi.stubEnv('DATABASE_URL', server.running.services.config.databaseUrl)
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('SECRET_KEY', server.running.services.config.secretKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

async function run(name: string, options: Record<string, string>) {
  let printed = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    await mailCommands[name]?.run(options, [])
    return printed
  } finally {
    stdout.mockRestore()
  }
}
const unsuppress = (options: Record<string, string>) => run('mail unsuppress', options)
const entries = () => server.db.selectFrom('audit_log').selectAll().where('action', '=', 'suppression_lifted').execute()

it('mail unsuppress removes an address from the list and audits the reason without the address', async () => {
  const left = { channel: 'mail', reason: 'unsubscribed', source: 'link' } as const
  await suppress(server.db, 'robin@example.com', left, new Date('2026-05-04T12:00:00Z'))
  const options = { email: ' Robin@Example.com', reason: 'Asked by phone on 16 November' }
  expect(await unsuppress(options)).toBe(
    'robin@example.com receives bulk emails again. It had been suppressed since May 4, 2026: unsubscribed.\n',
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
  [{ email: 'stranger@example.com', reason: 'Asked' }, 'is not on the suppression list'],
  [{ email: 'nobody', reason: 'Asked' }, '--email must be'],
  [{ email: 'robin@example.com' }, '--reason is required'],
  [{ email: 'robin@example.com', reason: ' ' }, '--reason is required'],
])('mail unsuppress rejects %j and writes nothing', async (options, problem) => {
  const before = (await entries()).length
  await expect(unsuppress(options as Record<string, string>)).rejects.toThrow(problem)
  expect(await entries()).toHaveLength(before)
})

it('mail shows emails that wait for a mail server, such as sign-in codes', async () => {
  const write = (to: string, text: string) =>
    runWork(server.running.services, { call: 'test' }, async ({ enqueue }) =>
      enqueue({ channel: 'mail', key: `test:${to}`, about: 'test', payload: { to, subject: 'Your code', text } }),
    )
  await write('olga@example.com', 'Your code is 123456.')
  await write('dana@example.com', 'Your code is 654321.')
  expect(await run('mail', {})).toMatch(/olga@example\.com\nYour code\n\nYour code is 123456\.[\s\S]*654321/)
  expect(await run('mail', { to: 'Dana@Example.com' })).not.toContain('123456')
  expect(await run('mail', { to: 'nobody@example.com' })).toBe('The mailbox is empty.\n')
})
