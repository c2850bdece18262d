import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../db/db.ts'

/** Integrity constraints: a foreign key, a unique key, an exclusion or a check. */
const isConstraint = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^23/.test(error.code ?? '')

/** What uses a record, by the table that refers to it. */
const uses: Readonly<Record<string, string>> = {
  bookings: 'a booking',
  certifications: 'a certification',
  credit_entries: 'credits',
  customer_notes: 'a note',
  customer_transactions: 'a payment',
  customers: 'another customer',
  earners: 'payroll',
  email_logs: 'an email',
  leads: 'a lead',
  onsite_participants: 'an on-site session',
  onsite_sessions: 'an on-site session',
  payroll_entries: 'payroll',
  prepaid_blocks: 'a prepaid block',
  stretchers: 'a stretcher',
  ticket_messages: 'a message',
  ticket_notes: 'a note',
  ticket_tasks: 'a task',
  tickets: 'a ticket',
}

/**
 * Takes back records as a set. If one cannot be, the set is split until it stands alone: it stays, and the reason is
 * returned by its id.
 */
export async function takeBack<Item extends { id: number }>(
  db: Db,
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<unknown>,
): Promise<Map<number, string>> {
  if (items.length === 0) return new Map()
  await sql`savepoint taking_back`.execute(db)
  try {
    await run(items)
    // Constraints that wait for the commit must fail here.
    await sql`set constraints all immediate`.execute(db)
    await sql`release savepoint taking_back`.execute(db)
    return new Map()
  } catch (error) {
    if (!isConstraint(error)) throw error
    await sql`rollback to savepoint taking_back`.execute(db)
    await sql`release savepoint taking_back`.execute(db)
    const [only] = items
    if (only && items.length === 1) return new Map([[only.id, reasonOf(error)]])
    const half = Math.ceil(items.length / 2)
    return new Map([
      ...(await takeBack(db, items.slice(0, half), run)),
      ...(await takeBack(db, items.slice(half), run)),
    ])
  }
}

function reasonOf({ code, table = '' }: pg.DatabaseError): string {
  if (code === '23503') return `It is used by ${uses[table] ?? 'other records'}.`
  return 'Its old values are no longer possible.'
}
