import type { BatchReply } from '@limber/contract/kit/batch.ts'
import type { CallDefinition, ReplyOf } from '@limber/contract/kit/call.ts'
import type { batchCall } from '@limber/contract/kit/resource.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Db } from '../db/db.ts'
import { eventually, type TestCaller } from './testing.ts'

/** Removes the rows of these tables in this order, and all that is known of records of other systems. */
export async function clearRecords(db: Db, ...tables: string[]) {
  await db.transaction().execute(async (tx) => {
    // Many rows with many foreign keys take long on a busy machine.
    await sql`set local statement_timeout = '100s'`.execute(tx)
    for (const table of [...tables, 'external_refs', 'record_changes'])
      await sql`delete from ${sql.table(table)}`.execute(tx)
  })
}

type Calls<Read extends CallDefinition> = { batch: ReturnType<typeof batchCall<string, z.ZodType>>; read: Read }

/** Sends and reads one kind of record as a program does. */
export function batchTesting<Read extends CallDefinition>(
  program: () => Pick<TestCaller, 'send'>,
  { batch, read }: Calls<Read>,
) {
  const send = async (...items: unknown[]): Promise<BatchReply> => {
    const reply = await program().send(batch, { body: { items } })
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  return {
    send,
    /** Our id of the record of an item. */
    idOf: (reply: BatchReply, place = 0) => reply.results[place]?.id as number,
    readOne: async (id: number): Promise<ReplyOf<Read>> => {
      const input = { params: { id: String(id) } } as unknown as Parameters<TestCaller['send']>[1]
      return (await program().send(read as CallDefinition, input)).body as ReplyOf<Read>
    },
    statusesOf: async (...items: unknown[]) => (await send(...items)).results.map(({ status }) => status),
    /** The errors of all items, as `path code`. */
    errorsOf: async (...items: unknown[]) =>
      (await send(...items)).results.flatMap(({ errors = [] }) => errors.map(({ path, code }) => `${path} ${code}`)),
  }
}

/** Waits until a transaction of this database waits for a lock. */
export const untilLocked = (db: Db) =>
  eventually(async () => {
    const { rows } = await sql<{ is_waiting: boolean }>`
      select exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database())
        as is_waiting`.execute(db)
    return rows[0]?.is_waiting
  })
