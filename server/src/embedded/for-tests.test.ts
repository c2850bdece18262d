// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withClient } from './database.ts'
import { startTestPostgres } from './for-tests.ts'

let temporary: string

beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'limber-sweep-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true, force: true })
})

describe('startTestPostgres', () => {
  it('stops the server of a killed run, keeps those of live runs, and leaves nothing behind', async () => {
    const script = `import { startTestPostgres } from ${JSON.stringify(new URL('./for-tests.ts', import.meta.url).href)}
      const { adminUrl } = await startTestPostgres()
      console.log(adminUrl)
      setInterval(() => {}, 1000)`
    const killed = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(killed.stdout, 'data')) as [Buffer]
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const left = line.toString().trim()
    await withClient(left, (client) => client.query('select 1'))

    const first = await startTestPostgres()
    await expect(withClient(left, (client) => client.query('select 1'))).rejects.toThrow(/ECONNREFUSED|ENOENT/)
    const second = await startTestPostgres()
    await withClient(first.adminUrl, (client) => client.query('select 1'))
    await first.stop()
    await second.stop()
    expect(await readdir(temporary)).toEqual([])
  })
})
