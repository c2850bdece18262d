import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface ReferredCustomer {
  id: number
  zone_id: number | null
  credits: number
  erased_at: Date | null
}

/**
 * The accounts that items name, by the id named: of a merged one, the account that was kept. They are neither merged,
 * erased nor deleted until the transaction ends; those whose balance will move are locked for that.
 */
export async function lockReferredCustomers(
  db: Db,
  ids: readonly number[],
  { isBalanceMoved = false } = {},
): Promise<Map<number, ReferredCustomer>> {
  const rows = new Map<number, ReferredCustomer & { merged_into_id: number | null }>()
  let wanted = [...new Set(ids)]
  // A second round is needed only when an account was merged since its reference was found.
  while (wanted.length > 0) {
    const { rows: locked } = await sql<ReferredCustomer & { merged_into_id: number | null }>`
      select id, zone_id, credits, erased_at, merged_into_id from customers where id = any(${wanted}::bigint[])
      order by id ${isBalanceMoved ? sql`for no key update` : sql`for share`}`.execute(db)
    for (const row of locked) rows.set(row.id, row)
    wanted = locked.flatMap(({ merged_into_id: next }) => (next !== null && !rows.has(next) ? next : []))
  }
  const found = new Map<number, ReferredCustomer>()
  for (const id of ids) {
    let row = rows.get(id)
    while (row?.merged_into_id) row = rows.get(row.merged_into_id)
    if (row) found.set(id, row)
  }
  return found
}
