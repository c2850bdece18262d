import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isUnsubscribeToken, unsubscribeToken } from '#platform/mail/suppressions.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { copyTemplate } from '#platform/testing/testing.ts'
import { keyCommands } from './commands.keys.ts'

const before = 'earlier-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'
const today = 'newest-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'

let database: Awaited<ReturnType<typeof copyTemplate>>
beforeAll(async () => {
  database = await copyTemplate()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database.drop()
})

it('keys rotate warns that unsubscribe links still need the earlier key', async () => {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('SECRET_KEY', today)
  vi.stubEnv('SECRET_KEYS_OLD', before)
  let printed = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  await keyCommands['keys rotate']?.run({}, [])
  stdout.mockRestore()
  expect(printed).toContain('Unsubscribe links in sent emails still do: empty SECRET_KEYS_OLD in 60 days.')
  const mailed = unsubscribeToken(makeKeyring(before), 'mail', 'robin@example.com')
  expect(isUnsubscribeToken(makeKeyring(today, [before]), mailed)).toBe(true)
  expect(isUnsubscribeToken(makeKeyring(today), mailed)).toBe(false)
})
