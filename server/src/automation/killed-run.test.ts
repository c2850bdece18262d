// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readSchedule, runSchedule } from '@limber/contract/automation/schedule.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeJobRunner } from '#platform/jobs/jobs.ts'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'

const program = new URL('./killed-run.testing.ts', import.meta.url)
const params = { name: 'long' }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ now: systemClock.now().toISOString() })
})
afterAll(() => server.stop())

it('resumes a run whose process was killed, and finishes it once', async () => {
  const { config } = server.running.services
  const child = spawn(process.execPath, [await bundledProgram(program)], {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      PORT: '0',
      SECRET_KEY: config.secretKey,
      LIMBER_EMBEDDED: '1',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const who = server.as('automation.manage')
  const { body: before } = await who.send(readSchedule, { params })
  expect(before).toMatchObject({ isUnderWay: true, lastRun: { state: 'running', tries: 1 } })
  expect((await who.send(runSchedule, { params, body: {} })).status).toBe(409)
  child.kill('SIGKILL')
  await once(child, 'exit')

  let times = 0
  const run = async () => ({ times: ++times })
  const services = { ...server.running.services, clock: systemClock }
  const runner = makeJobRunner(services, [], [{ ...before, run }])
  await runner.start()
  const { runs } = await eventually(async () => {
    const { body } = await who.send(readSchedule, { params })
    return body.lastRun?.state === 'done' && body
  })
  expect(runs).toMatchObject([{ id: before.lastRun?.id, tries: 2, result: { times: 1 } }])
  await runner.close()
}, 120_000)
