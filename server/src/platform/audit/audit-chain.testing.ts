import type { Db } from '../db/db.ts'
import { eventually } from '../testing/testing.ts'
import { extendAuditChain } from './audit-chain.ts'

/**
 * Extends the chain until it has this many links. A row can be chained once all transactions before it have ended, also
 * in other databases of the same PostgreSQL server, so this may take a while.
 */
export async function chainRows(db: Db, links: number): Promise<void> {
  await eventually(async () => {
    await extendAuditChain(db)
    const { n } = await db
      .selectFrom('audit_chain')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return n === links
  }, 100_000)
}
