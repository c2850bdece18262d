// @module-tag slow
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '../db/db.ts'
import { openPool } from '../db/pool.ts'
import { runWork, writeAuditRow } from '../db/work.ts'
import { startTestServer, type TestServer } from '../testing/testing.ts'
import { chainRows } from './audit-chain.testing.ts'
import { extendAuditChain, verifyAuditChain } from './audit-chain.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.stop())

const write = (action: string) =>
  writeAuditRow(
    server.running.services,
    { call: 'test' },
    { action, subject: 'health', after: { n: 1.5, text: 'ä "quoted"' } },
  )
const seal = (total: number) => chainRows(server.db, total)
const ids = async () =>
  (await server.db.selectFrom('audit_log').select('id').orderBy('id').execute()).map((row) => row.id)

/** Bypasses the triggers, as only the database owner can. */
const tamper = (statements: string) =>
  server.running.services.pool.query(
    `alter table audit_log disable trigger all; alter table audit_chain disable trigger all; ${statements}`,
  )

describe('the audit chain', { timeout: 120_000 }, () => {
  it('is intact after several extensions', async () => {
    for (let i = 0; i < 5; i++) await write(`a${i}`)
    await seal(5)
    await write('later')
    expect(await verifyAuditChain(server.db)).toEqual({ isWhole: true, checked: 5, waiting: 1 })
    await seal(6)
    expect(await verifyAuditChain(server.db)).toEqual({ isWhole: true, checked: 6, waiting: 0 })
  })
  it('skips rows of running transactions and adds them in order later', async () => {
    const pool = openPool(server.running.services.config.databaseUrl)
    const slow = openDb(pool)
    let finish = () => {}
    const waiting = new Promise<void>((done) => {
      finish = done
    })
    let started = () => {}
    const begun = new Promise<void>((done) => {
      started = done
    })
    const long = runWork({ ...server.running.services, db: slow }, { call: 'test' }, async ({ audit, db }) => {
      await sql`select pg_current_xact_id()`.execute(db)
      audit({ action: 'long' })
      started()
      await waiting
    })
    await begun
    await write('quick')
    expect(await extendAuditChain(server.db)).toBe(0)
    finish()
    await long
    await seal(2)
    expect(await verifyAuditChain(server.db)).toMatchObject({ isWhole: true, checked: 2 })
    await slow.destroy()
  })
  it.each([
    [
      'a changed row',
      'The row was changed.',
      (id: number) => `update audit_log set reason = 'nothing happened' where id = ${id}`,
    ],
    ['a removed row', 'The row was removed.', (id: number) => `delete from audit_log where id = ${id}`],
    [
      'a removed row with its link',
      'A row before this one was removed.',
      (id: number) => `delete from audit_chain where audit_id = ${id} - 1; delete from audit_log where id = ${id} - 1`,
    ],
    [
      'an inserted row',
      'The row was inserted later.',
      (id: number) =>
        `insert into audit_log (id, tx, at, call, action, outcome) overriding system value select 900, tx, now(), 'x', 'forged', 'done' from audit_log where id = ${id}`,
    ],
  ])('names the first bad row after %s', async (_, problem, change) => {
    for (let i = 0; i < 4; i++) await write(`a${i}`)
    await seal(4)
    const target = (await ids())[2] ?? 0
    await tamper(change(target))
    expect(await verifyAuditChain(server.db)).toMatchObject({
      isWhole: false,
      problem,
      badId: problem.includes('inserted') ? 900 : target,
    })
  })
  it('does not detect that its end was cut off, because nothing outside records it', async () => {
    for (let i = 0; i < 4; i++) await write(`a${i}`)
    await seal(4)
    const [, , third = 0] = await ids()
    await tamper(`delete from audit_chain where audit_id >= ${third}; delete from audit_log where id >= ${third}`)
    expect(await verifyAuditChain(server.db)).toEqual({ isWhole: true, checked: 2, waiting: 0 })
  })
  it('cannot be changed by the product itself', async () => {
    await write('a')
    await seal(1)
    for (const statement of [
      'update audit_log set action = $$x$$',
      'delete from audit_log',
      'truncate audit_log cascade',
      'delete from audit_chain',
    ]) {
      await expect(sql.raw(statement).execute(server.db)).rejects.toThrow('append-only')
    }
  })
  it('never blocks writers', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, i) => write(`parallel ${i}`)))
    await Promise.all([extendAuditChain(server.db), extendAuditChain(server.db), write('concurrent')])
    await seal(31)
    expect(await verifyAuditChain(server.db)).toMatchObject({ isWhole: true, checked: 31 })
  })
})
