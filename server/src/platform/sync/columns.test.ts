import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { customerColumns } from '#support/sync/customer-sync.queries.ts'
import { batchTesting } from '../testing/testing.sync.ts'
import { startTestServer, type TestServer } from '../testing/testing.ts'
import { isSameValue } from './columns.queries.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
  app = await asProgram(server)
  // Every column that an update names, whether its value differs or not.
  await sql`create table written (name text)`.execute(server.db)
  await sql`create function note_written() returns trigger language plpgsql as $$
    begin insert into written values (tg_argv[0]); return null; end $$`.execute(server.db)
  for (const name of [...customerColumns.names, 'version'])
    await sql`create trigger ${sql.id(`written_${name}`)} after update of ${sql.id(name)} on customers
      for each statement execute function note_written(${sql.lit(name)})`.execute(server.db)
})
afterAll(() => server.stop())

const { send } = batchTesting(() => app, customerCalls)
const customer = (n: number, more: object = {}) => ({
  external_id: `c-${n}`,
  first_name: 'Ada',
  last_name: 'Okafor',
  email: `ada${n}@example.com`,
  ...more,
})

async function written() {
  const { rows } = await sql<{ name: string }>`delete from written returning name`.execute(server.db)
  return rows.map(({ name }) => name).sort()
}

describe('a batch', () => {
  it('writes only the columns that differ in any of its records', async () => {
    await send(customer(1, { phone: '+19515550142', points: 5 }), customer(2))
    expect(await written()).toEqual([])
    expect(await send(customer(1, { points: 6 }), customer(2))).toMatchObject({ updated: 1, unchanged: 1 })
    expect(await written()).toEqual(['points', 'total_points_earned', 'version'])
    const reply = await send(customer(1, { phone: null }), customer(2, { rank: 'Gold' }))
    expect(reply).toMatchObject({ updated: 2 })
    expect(await written()).toEqual(['phone', 'rank', 'version'])
    const rows = await server.db.selectFrom('customers').select(['phone', 'rank', 'points']).orderBy('id').execute()
    expect(rows).toEqual([
      { phone: null, rank: 'Bronze', points: 6 },
      { phone: null, rank: 'Gold', points: 0 },
    ])
  })
})

describe('the columns of records that other systems send', () => {
  it('are null unless something else is given', async () => {
    const { rows } = await sql`
      select table_name, column_name from information_schema.columns
      where table_name in ('customers', 'bookings', 'customer_transactions', 'credit_entries', 'rewards', 'stretchers',
        'onsite_participants', 'leads', 'tickets', 'payroll_history')
        and is_nullable = 'YES' and column_default is not null`.execute(server.db)
    expect(rows).toEqual([])
  })
})

describe('isSameValue', () => {
  const at = '2026-11-18T10:00:00Z'
  it.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, '1', false],
    [null, undefined, false],
    [new Date(at), new Date(at), true],
    [new Date(at), new Date(0), false],
    [['a', 'b'], ['a', 'b'], true],
    [['a', 'b'], ['b', 'a'], false],
    [{}, {}, true],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{}, null, false],
    [{}, new Date(at), false],
    [{}, [], false],
  ])('of %o and %o is %s', (a, b, isSame) => {
    expect(isSameValue(a, b)).toBe(isSame)
    expect(isSameValue(b, a)).toBe(isSame)
  })
})
