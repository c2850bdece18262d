import type { Db } from '#platform/db/db.ts'
import { findPaidAfter } from './history-file.queries.ts'

const BATCH = 1000

/** All pay that counts, by Limber and elsewhere. In another Limber all of it is from elsewhere. */
export async function* readPaid(db: Db): AsyncGenerator<readonly object[]> {
  for (const from of ['history', 'entries'] as const)
    for (let last = 0; ; ) {
      const rows = await findPaidAfter(db, from, last, BATCH)
      yield rows.map(({ id, stretcher_id, email, ...line }) => ({
        ...line,
        external_id: from === 'history' ? `history-${id}` : `entry-${id}`,
        stretcher: stretcher_id,
        worker_email: email,
      }))
      if (rows.length < BATCH) break
      last = rows.at(-1)?.id ?? last
    }
}
