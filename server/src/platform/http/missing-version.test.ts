import { archiveBusiness } from '@limber/contract/businesses/business/business.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeBusiness } from '#businesses/business/business.factory.ts'
import { type LogFields, silentLog } from '../telemetry/log.ts'
import { startTestServer, type TestServer } from '../testing/testing.ts'

let server: TestServer
const logged: (LogFields & { message: string })[] = []
beforeAll(async () => {
  const info = (message: string, fields?: LogFields) => {
    if (message !== 'request') logged.push({ message, ...fields })
  }
  server = await startTestServer({ log: { ...silentLog, info } })
})
afterAll(() => server.stop())

it('O1 accepts and logs a change without a version; one with a version is not logged', async () => {
  const caller = server.asSteppedUp('businesses.manage')
  const [first, second] = [await makeBusiness(server.db), await makeBusiness(server.db)]
  const archive = (body: object) => caller.send(archiveBusiness, { body: body as never })
  expect((await archive({ id: first.id, version: first.version })).status).toBe(200)
  expect(logged).toEqual([])
  const reply = await archive({ id: second.id })
  expect(reply.status).toBe(200)
  const { id: workerId } = await caller.worker()
  expect(logged).toEqual([
    {
      message: 'changed without a version',
      call: `POST ${archiveBusiness.path}`,
      requestId: reply.headers.get('x-request-id'),
      workerId,
    },
  ])
})
