import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'
import { removeSuppressions, suppressMany } from '#platform/mail/suppressions.ts'
import type { UndoWriter } from '#platform/sync/batch-writer.ts'
import { takeBack } from '#platform/sync/take-back.ts'
import { followEmail } from './contact-sync.ts'
import {
  customerColumns,
  findCustomerRecords,
  removeCustomers,
  type SyncedCustomer,
  updateCustomers,
} from './customer-sync.queries.ts'

const suppression = { channel: 'mail', reason: 'unsubscribed', source: 'api' } as const

/** Accounts with their choice about bulk mail, which is kept apart. */
async function find(db: Db, ids: readonly number[]) {
  const choices = new Map((await findCustomerRecords(db, ids)).map((row) => [row.id, row.is_opted_out]))
  return (await customerColumns.find(db, ids)).map((row) => ({ ...row, is_opted_out: choices.get(row.id) ?? false }))
}

/** How an import of customers is taken back. */
export const customerUndo = (hooks: () => readonly CustomerHooks[]): UndoWriter => ({
  find,
  async remove({ db }, ids) {
    const rows = await customerColumns.find(db, ids)
    return takeBack(db, rows, async (some) => {
      await removeSuppressions(
        db,
        some.map(({ email }) => email),
        suppression,
      )
      await removeCustomers(
        db,
        some.map(({ id }) => id),
      )
    })
  },
  async restore(work, befores) {
    const { db, now } = work
    const current = new Map(
      (
        await find(
          db,
          befores.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    )
    const changes = befores.flatMap((row) => {
      const now = current.get(row.id)
      const after = customerColumns.revive(row)
      return now ? [{ id: row.id, before: now, after: after as SyncedCustomer, isOut: row.is_opted_out === true }] : []
    })
    return takeBack(db, changes, async (some) => {
      await updateCustomers(db, some)
      for (const { before, after, isOut } of some) {
        if (before.email !== after.email) await followEmail(work, before, after, hooks())
        if (before.is_opted_out && !isOut) await removeSuppressions(db, [after.email], suppression)
        if (!before.is_opted_out && isOut) await suppressMany(db, [after.email], suppression, now)
      }
    })
  },
})
