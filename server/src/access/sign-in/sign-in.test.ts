import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '#platform/testing/testing.ts'
import { makeAccount, signInUntil, startAccessServer } from './sign-in.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

describe('sign-in', () => {
  it('signs a worker in from a new browser with device code, passkey and two-factor code', async () => {
    const account = await makeAccount(server)
    const { browser } = await signInUntil(server, account, 'signed_in')
    const check = await browser.send(checkSession)
    expect(check.body).toMatchObject({ workerId: account.id })
    expect([...browser.cookies.keys()].toSorted()).toEqual(['csrf', 'dev', 'sid'])
  })

  it("is recorded in the audit log under the worker's name", async () => {
    const account = await makeAccount(server)
    await signInUntil(server, account, 'signed_in')
    const rows = await server.db
      .selectFrom('audit_log')
      .select('worker_name')
      .where('worker_id', '=', account.id)
      .execute()
    expect(rows.length).toBeGreaterThan(2)
    const { name } = await server.db
      .selectFrom('workers')
      .select('name')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow()
    expect(new Set(rows.map((row) => row.worker_name))).toEqual(new Set([name]))
  })
})
