import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { isSuppressedSql } from '#platform/mail/suppressions.ts'

/** The addresses that can get email, in the given order. */
export async function findReachable(db: Db, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select a.email from unnest(${addresses}::text[]) with ordinality a (email, place)
    where not ${isSuppressedSql('mail', sql`a.email`)} order by a.place`.execute(db)
  return rows.map(({ email }) => email)
}

export interface OutreachDraft extends Omit<Row<'partner_outreach'>, 'id' | 'worker_id'> {
  worker_id: number
}

export const insertOutreach = async (db: Db, draft: OutreachDraft): Promise<number> =>
  (await db.insertInto('partner_outreach').values(draft).returning('id').executeTakeFirstOrThrow()).id
