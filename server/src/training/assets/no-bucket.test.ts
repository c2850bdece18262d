import { uploadAsset } from '@limber/contract/training/assets/asset.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Log, silentLog } from '#platform/telemetry/log.ts'
import { startBucketService } from '#platform/testing/testing.bucket.ts'
import { sendForm } from '#platform/testing/testing.form.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'

let service: Awaited<ReturnType<typeof startBucketService>>
let server: TestServer
const logged: { level: string; text: string; reason: unknown }[] = []
const write =
  (level: string): Log['info'] =>
  (text, fields) =>
    void logged.push({ level, text, reason: fields?.reason })
beforeAll(async () => {
  service = await startBucketService()
  server = await startTestServer({
    env: {
      S3_BUCKET: 'no-such-bucket',
      S3_ENDPOINT: `http://127.0.0.1:${service.port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    log: { ...silentLog, error: write('error'), warn: write('warn') },
  })
})
afterAll(async () => {
  await server.stop()
  await service.close()
})

const MISSING = expect.stringMatching(/^There is no bucket no-such-bucket at /)

it('says at the start that files cannot be stored', async () => {
  await eventually(async () => logged.length > 0)
  expect(logged).toEqual([{ level: 'error', text: 'files cannot be stored', reason: MISSING }])
})

it('refuses an upload with a text, and logs the reason', async () => {
  logged.length = 0
  const reply = await sendForm(server.as('training.manage'), uploadAsset, [
    { name: 'course_key', content: 'media' },
    { name: 'file', filename: 'notes.md', content: 'Breathe.' },
  ])
  expect(reply).toMatchObject({ status: 503, failure: { code: 'files_unavailable' } })
  expect(reply.headers.get('retry-after')).toBe('5')
  expect(logged).toEqual([{ level: 'warn', text: 'call failed', reason: MISSING }])
})
