import { mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkReady } from '@limber/contract/kit/meta.ts'
import { checkHealth } from '@limber/contract/tech/health/health.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, startTestServer, type TestServer } from '../testing/testing.ts'
import { makeLog } from './log.ts'
import { logToFile } from './log-sink.ts'

let server: TestServer
let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limber-log-'))
  path = join(folder, 'server.log')
  // Every write to /dev/full fails with ENOSPC.
  await symlink('/dev/full', path)
  server = await startTestServer({ log: makeLog('info', logToFile(path)) })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Frees disk space: the same path now points to a writable disk. */
async function freeSpace() {
  const writable = join(folder, 'writable')
  await symlink(join(folder, 'written.log'), writable)
  await rename(writable, path)
}

it('reports a full log disk as degraded and recovers when there is space again', async () => {
  const { log } = server.running.services
  const viewer = server.as('health.view')
  const ready = () => server.anonymous().send(checkReady)
  const lookAtProcess = async () =>
    (await viewer.send(checkHealth, { body: {} })).body.checks.find(({ name }) => name === 'app')
  expect((await ready()).body).toEqual({ status: 'ready' })

  log.info('listening')
  const degraded = await eventually(async () => {
    const reply = await ready()
    return reply.body.status === 'degraded' && reply
  })
  expect(degraded).toMatchObject({
    status: 200,
    body: { problems: [expect.stringMatching(/^The log cannot be written: ENOSPC/)] },
  })
  for (let n = 0; n < 3; n++) log.warn('lost')
  expect(await lookAtProcess()).toMatchObject({
    status: 'warning',
    summary: expect.stringMatching(/^The log cannot be written\. \d+ lines lost: ENOSPC/),
  })

  await freeSpace()
  await eventually(async () => (await ready()).body.status === 'ready')
  expect(await lookAtProcess()).not.toMatchObject({ summary: expect.stringContaining('log') })
  log.info('after')
  const lines = await eventually(async () => {
    const text = await readFile(join(folder, 'written.log'), 'utf8')
    return text.includes('"after"') && text.trim().split('\n')
  })
  // Lost: the line 'listening', three warnings, and the request for the checks.
  expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request')).toMatchObject([
    { level: 'warn', msg: 'log lines were lost', count: 5 },
    { level: 'info', msg: 'after' },
  ])
})
