import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schedules } from '#app.ts'
import { HOUR } from '../clock.ts'
import { writeAuditRow } from '../db/work.ts'
import { makeKeyring } from '../security/secrets.ts'
import { startBucketService } from '../testing/testing.bucket.ts'
import { startTestServer, TEST_NOW, type TestServer } from '../testing/testing.ts'
import { chainRows } from './audit-chain.testing.ts'
import { verifyAgainstWitness, writeWitness } from './audit-witness.ts'
import { openWitness } from './witness-place.ts'

const NOWHERE = { endpoint: undefined, region: 'us-east-1', accessKeyId: undefined, secretAccessKey: undefined }
const SECRETS = ['a secret of the installation', 'the secret before it'] as const
const keyring = makeKeyring(SECRETS[0])

let server: TestServer
let folder: string
let service: Awaited<ReturnType<typeof startBucketService>>
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'limber-witness-'))
  service = await startBucketService()
})
afterAll(async () => {
  await service.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const write = (action: string) => writeAuditRow(server.running.services, { call: 'test' }, { action })
const fileAt = (name: string) => join(folder, name)
const inFile = (name: string) => openWitness(fileAt(name), { s3Access: NOWHERE })
const verify = (place?: ReturnType<typeof openWitness>, keys = keyring) =>
  verifyAgainstWitness({ db: server.db, keyring: keys }, place, new Date(TEST_NOW))
const bucket = () =>
  openWitness('s3://files', {
    s3Access: {
      ...NOWHERE,
      endpoint: `http://127.0.0.1:${service.port}`,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
  })

it('is verified with lines that this installation signed, also before its secret changed', async () => {
  for (const action of ['a', 'b', 'c']) await write(action)
  await chainRows(server.db, 3)
  const before = makeKeyring(SECRETS[1])
  expect(await verify(inFile('keys'), before)).toBe(
    'The audit log is whole: 3 rows. It still has the earlier ends of the witness: 0.',
  )
  expect(await readFile(fileAt('keys'), 'utf8')).toMatch(/^3 [0-9a-f]{64} \S+ [\w-]{43}\n$/)
  await expect(verify(inFile('keys'))).rejects.toThrow('line 1, was not signed with SECRET_KEY')
  expect(await verify(inFile('keys'), makeKeyring(SECRETS[0], [SECRETS[1]]))).toMatch(/earlier ends of the witness: 1/)
})

it('does not believe a line that was made up or altered', async () => {
  const end = await writeWitness({ db: server.db, keyring }, inFile('forged'), new Date(TEST_NOW))
  const line = await readFile(fileAt('forged'), 'utf8')
  await writeFile(fileAt('forged'), line.replace(/^\d+/, String((end?.seq ?? 0) - 1)))
  await expect(verify(inFile('forged'))).rejects.toThrow('was not signed')
})

it('refuses a file that is no witness, and leaves it alone', async () => {
  await writeFile(fileAt('letter'), 'Dear Sam\n')
  await expect(verify(inFile('letter'))).rejects.toThrow('line 1, is not a line of a witness')
  expect(await readFile(fileAt('letter'), 'utf8')).toBe('Dear Sam\n')
})

it('gets the end from the schedule, or the schedule says why not', async () => {
  const { services } = server.running
  const run = (auditWitness: string | undefined) =>
    schedules
      .find(({ name }) => name === 'audit-witness')
      ?.run({ ...services, config: { ...services.config, auditWitness } })
  expect(await run(undefined)).toEqual({ skipped: 'AUDIT_WITNESS is not set.' })
  expect(await run(fileAt('hourly'))).toEqual({ row: 3 })
  expect(await verify(inFile('hourly'), services.keyring)).toMatch(/earlier ends of the witness: 1\.$/)
  await expect(run(join(folder, 'missing', 'file'))).rejects.toThrow('ENOENT')
})

it('can be a program, whose lines are verified as a file', async () => {
  const lines: string[] = []
  let status = 204
  const program = createServer((request, response) => {
    void text(request).then((line) => {
      if (status < 300) lines.push(line)
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(program, 'listening')
  const place = openWitness(`http://127.0.0.1:${(program.address() as AddressInfo).port}/`, { s3Access: NOWHERE })
  await writeWitness({ db: server.db, keyring }, place, new Date(TEST_NOW))
  status = 503
  await expect(writeWitness({ db: server.db, keyring }, place, new Date(TEST_NOW))).rejects.toThrow('answered 503')
  program.close()
  await expect(verify(place)).rejects.toThrow('--witness FILE')
  await writeFile(fileAt('program'), lines.join(''))
  expect(await verify(inFile('program'))).toMatch(/earlier ends of the witness: 1\.$/)
})

it('notices an audit log that was cut off at its end, from a file and from a bucket', async () => {
  const seen = await verify(bucket())
  expect(seen).toBe('The audit log is whole: 3 rows. It still has the earlier ends of the witness: 0.')
  await write('d')
  await chainRows(server.db, 4)
  for (const place of [inFile('cut'), bucket()])
    await writeWitness({ db: server.db, keyring }, place, new Date(Date.parse(TEST_NOW) + HOUR))
  expect(await verify(bucket())).toBe(
    'The audit log is whole: 4 rows. It still has the earlier ends of the witness: 2.',
  )
  await server.running.services.pool.query(
    `alter table audit_log disable trigger all; alter table audit_chain disable trigger all;
      delete from audit_chain where seq = 4; delete from audit_log where action = 'd'`,
  )
  expect(await verify()).toBe('The audit log is whole: 3 rows.')
  for (const place of [inFile('cut'), bucket()])
    await expect(verify(place)).rejects.toThrow('it no longer has the end at row 4')
})
