import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { HOUR, shift } from '#platform/clock.ts'
import { brokenConstraint, type Db, openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { copyTemplate } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from './customers/booking.factory.ts'
import { makeCreditEntry } from './customers/credit-entry.factory.ts'
import { makeCustomer } from './customers/customer.factory.ts'
import { makeTransaction } from './customers/transaction.factory.ts'

let pool: pg.Pool
let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await copyTemplate()
  drop = database.drop
  pool = openPool(database.url)
  db = openDb(pool)
})
afterAll(async () => {
  await pool.end()
  await drop()
})

const creditsOf = async (id: number) =>
  (await db.selectFrom('customers').select('credits').where('id', '=', id).executeTakeFirstOrThrow()).credits

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('factories', () => {
  it('create each shared record with defaults', async () => {
    expect(await makeZone(db)).toMatchObject({ west: -117.43, south: 33.93, east: -117.33, north: 34.02, version: 1 })
    expect(await makeCustomer(db)).toMatchObject({ credits: 0, version: 1 })
    expect(await makeStretcher(db)).toMatchObject({ status: 'active', version: 1 })
    expect(await makeBooking(db)).toMatchObject({ status: 'confirmed', version: 1 })
    expect(await makeTransaction(db, { customer_id: (await makeCustomer(db)).id })).toMatchObject({
      amount: '445.0000',
    })
  })

  it('create other states of a record', async () => {
    await makeStretcher(db, { status: 'inactive' })
    await makeStretcher(db, { status: 'in_training', zone_id: null })
    await makeBooking(db, { status: 'cancelled' })
    await makeBooking(db, { status: 'completed', rating: 5, feedback: 'Lovely.' })
  })
})

describe('credits', () => {
  it('follow the ledger', async () => {
    const { id } = await makeCustomer(db, { credits: 3 })
    await makeCreditEntry(db, { customer_id: id, delta: -2 })
    expect(await creditsOf(id)).toBe(1)
  })

  it('are never overdrawn', async () => {
    const { id } = await makeCustomer(db, { credits: 1 })
    const error = await failure(makeCreditEntry(db, { customer_id: id, delta: -2 }))
    expect(brokenConstraint(error)).toBe('customers_credits_not_negative')
    expect(await creditsOf(id)).toBe(1)
  })

  it('cannot be set without the ledger, and the ledger cannot be changed', async () => {
    const { id } = await makeCustomer(db, { credits: 1 })
    await expect(pool.query('update customers set credits = 9 where id = $1', [id])).rejects.toThrow(
      /follows credit_entries/,
    )
    await expect(
      pool.query(
        `insert into customers (first_name, last_name, email, joined_at, credits) values ('A', 'B', 'a@b', now(), 1)`,
      ),
    ).rejects.toThrow(/follows credit_entries/)
    await expect(pool.query('delete from credit_entries where customer_id = $1', [id])).rejects.toThrow(/append-only/)
    expect(await creditsOf(id)).toBe(1)
  })

  it('are correct after concurrent entries', async () => {
    const { id } = await makeCustomer(db)
    await Promise.all(Array.from({ length: 20 }, () => makeCreditEntry(db, { customer_id: id })))
    expect(await creditsOf(id)).toBe(20)
  })
})

describe('bookings', () => {
  it('never overlap for one stretcher, but can be back to back', async () => {
    const { id: stretcher_id } = await makeStretcher(db)
    const { starts_at, ends_at } = await makeBooking(db, { stretcher_id })
    await makeBooking(db, { stretcher_id, starts_at: ends_at })
    const clash = await failure(makeBooking(db, { stretcher_id, starts_at: shift(starts_at, HOUR / 2) }))
    expect(brokenConstraint(clash)).toBe('bookings_stretcher_in_one_place')
    await makeBooking(db, { stretcher_id, starts_at: shift(starts_at, HOUR / 2), status: 'cancelled' })
  })

  it('are rated only when completed', async () => {
    expect(await failure(makeBooking(db, { rating: 5 }))).toBeInstanceOf(pg.DatabaseError)
  })
})

describe('customers', () => {
  it('are found by any part of name, email and phone, with or without accents', async () => {
    const { id } = await makeCustomer(db, { first_name: 'Zoë', last_name: 'Quintanilla', phone: '+17605550177' })
    for (const part of ['zoë quint', 'zoe quint', 'example.com', '5550177']) {
      const found = await db.selectFrom('customers').select('id').where('search_text', 'like', `%${part}%`).execute()
      expect(found.map((row) => row.id)).toContain(id)
    }
  })

  it('have one account per address', async () => {
    const { email } = await makeCustomer(db)
    expect(brokenConstraint(await failure(makeCustomer(db, { email })))).toBe('customers_email_key')
    expect(await failure(makeCustomer(db, { email: 'Big@example.com' }))).toBeInstanceOf(pg.DatabaseError)
  })
})
