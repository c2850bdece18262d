import { readOwnApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { apiKeyCommands } from './commands.api-keys.ts'

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

async function run(name: string, values: Record<string, string> = {}, ...positionals: string[]): Promise<string[]> {
  let printed = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    await apiKeyCommands[`api-key ${name}`]?.run(values, positionals)
  } finally {
    stdout.mockRestore()
  }
  return printed.trimEnd().split('\n')
}
const status = async (token: string) =>
  (await server.anonymous().send(readOwnApiKey, {}, { headers: { authorization: `Bearer ${token}` } })).status
const draft = { name: 'Nightly import', source: 'warehouse', scopes: 'customers:read, leads:write' }

it('api-key create prints a working key on its last line, list shows it, and revoke disables it', async () => {
  const printed = await run('create', { ...draft, expires: '2099-06-30' })
  const token = printed.at(-1) ?? ''
  expect(token).toMatch(/^lmb_\w{8}_\w{40}$/)
  expect(printed[0]).toBe(
    'Created the API key Nightly import for warehouse. It works through 2099-06-30. It is shown once:',
  )
  expect(await status(token)).toBe(200)
  const [, publicId = '', secret = ''] = token.split('_')
  const listed = (await run('list')).join('\n')
  expect(listed).toMatch(new RegExp(`^${publicId}  active +warehouse +Nightly import .* customers:read,leads:write$`))
  expect(listed).not.toContain(secret)
  expect(await run('revoke', {}, publicId)).toEqual(['Revoked the API key Nightly import.'])
  expect(await status(token)).toBe(401)
  expect((await run('list')).join('\n')).toContain('revoked')
  const rows = await server.db.selectFrom('audit_log').select(['call', 'action']).orderBy('id').execute()
  expect(rows).toEqual([
    { call: 'limber api-key create', action: 'api_key_created' },
    { call: 'limber api-key revoke', action: 'api_key_revoked' },
  ])
})

it('reports invalid options', async () => {
  await run('create', draft)
  const tries: [Record<string, string>, string][] = [
    [draft, 'An API key with the name Nightly import exists already.'],
    [{ ...draft, scopes: 'customers:read,workers:write' }, 'Unknown scope: workers:write.'],
    [{ ...draft, scopes: '' }, '--scopes: Select at least one scope.'],
    [{ ...draft, source: 'My App' }, '--source: '],
    [{ source: 'app', scopes: 'zones:read' }, '--name: '],
    [{ ...draft, expires: 'tomorrow' }, '--expires: must be a date'],
    [{ ...draft, expires: '2020-01-01' }, '--expires is in the past.'],
  ]
  for (const [values, problem] of tries) await expect(run('create', values)).rejects.toThrow(problem)
  await expect(run('revoke')).rejects.toThrow('Enter the public ID of a key.')
  await expect(run('revoke', {}, 'nobody')).rejects.toThrow('There is no API key nobody.')
})
