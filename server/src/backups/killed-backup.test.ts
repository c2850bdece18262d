// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { listBackups, startBackup } from '@limber/contract/backups/backup.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeJobRunner } from '#platform/jobs/jobs.ts'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { backupJobs } from './backups.jobs.ts'
import { BACKUP_KEY, filesIn } from './backups.testing.ts'

const program = new URL('./killed-backup.testing.ts', import.meta.url)
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ now: systemClock.now().toISOString(), env: { BACKUP_KEY } })
})
afterAll(() => server.stop())

it('resumes a backup whose process was killed, removes partial files, and lists no partial backup', async () => {
  const { config, storage } = server.running.services
  const operator = server.asSteppedUp('backups.initiate')
  const { body: wanted } = await operator.send(startBackup, { body: {} })
  const child = spawn(process.execPath, [await bundledProgram(program)], {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      PORT: '0',
      SECRET_KEY: config.secretKey,
      BACKUP_KEY,
      BACKUP_ID: String(wanted.id),
      LIMBER_STORAGE: config.storagePath,
      LIMBER_EMBEDDED: '1',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect((await operator.send(listBackups)).body.underWay).toMatchObject({ id: wanted.id, state: 'copying' })
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await filesIn(config.storagePath)).toEqual([expect.stringMatching(/\.part$/)])
  const complete = []
  for await (const { key } of storage.list('')) complete.push(key)
  expect(complete).toEqual([])
  expect((await operator.send(listBackups)).body.backups).toMatchObject([{ state: 'copying', file: null }])

  const services = { ...server.running.services, clock: systemClock }
  const runner = makeJobRunner(services, backupJobs, [])
  await runner.start()
  const made = await eventually(async () => {
    const [first] = (await operator.send(listBackups)).body.backups
    return first?.state === 'verified' && first
  }, 240_000)
  expect(made.id).toBe(wanted.id)
  expect(await filesIn(config.storagePath)).toEqual([made.file])
  await runner.close()
}, 360_000)
