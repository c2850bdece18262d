import type { Db } from '../db/db.ts'
import { eventually } from '../testing/testing.ts'
import { extendAuditChain } from './audit-chain.ts'

/**
 * Chains the rows of the audit log until the chain has so many links. Rows are chained once every transaction before them
 * has ended, in other databases of the same PostgreSQL too, which may hold the chain back for a while.
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
