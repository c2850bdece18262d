import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeAuditRow } from '../db/work.ts'
import { startTestServer, TEST_NOW, type TestServer } from '../testing/testing.ts'
import { chainRows } from './audit-chain.testing.ts'
import { verifyAgainstWitness } from './audit-witness.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'limber-witness-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const write = (action: string) => writeAuditRow(server.running.services, { call: 'test' }, { action })
const verify = (file?: string) => verifyAgainstWitness(server.db, file, new Date(TEST_NOW))

it('a witness notices an audit log that was cut off at its end', async () => {
  const file = join(folder, 'witness')
  for (const action of ['a', 'b', 'c']) await write(action)
  await chainRows(server.db, 3)
  expect(await verify(file)).toBe('The audit log is whole: 3 rows. It still has the earlier ends of the witness: 0.')
  expect(await readFile(file, 'utf8')).toMatch(/^3 [0-9a-f]{64} \S+\n$/)
  await write('d')
  await chainRows(server.db, 4)
  expect(await verify(file)).toBe('The audit log is whole: 4 rows. It still has the earlier ends of the witness: 1.')
  await server.running.services.pool.query(
    `alter table audit_log disable trigger all; alter table audit_chain disable trigger all;
      delete from audit_chain where seq = 4; delete from audit_log where action = 'd'`,
  )
  expect(await verify()).toBe('The audit log is whole: 3 rows.')
  await expect(verify(file)).rejects.toThrow('it no longer has the end at row 4')
})

it('refuses a file that is no witness, and leaves it alone', async () => {
  const file = join(folder, 'letter')
  await writeFile(file, 'Dear Sam\n')
  await expect(verify(file)).rejects.toThrow('line 1, is not a line of a witness')
  expect(await readFile(file, 'utf8')).toBe('Dear Sam\n')
})
