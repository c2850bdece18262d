import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { UndoWriter } from '#platform/sync/batch-writer.ts'
import { takeBack } from '#platform/sync/take-back.ts'
import { deleteUnusedCustomer, lockAccounts, saveContacts } from '#support/public.ts'
import {
  findOwnAccounts,
  findWithPhone,
  removeStretchers,
  stretcherColumns,
  updateStretchers,
} from './stretcher-sync.queries.ts'

/** How an import of stretchers is taken back, with their accounts. An account that is used stays a customer. */
export const stretcherUndo = (hooks: () => readonly CustomerHooks[]): UndoWriter => ({
  find: findWithPhone,
  async remove({ db }, ids) {
    const rows = await stretcherColumns.find(db, ids)
    const opened = new Set(await findOwnAccounts(db, rows))
    const kept = await takeBack(db, rows, (some) =>
      removeStretchers(
        db,
        some.map(({ id }) => id),
      ),
    )
    for (const { id, customer_id } of rows)
      if (!kept.has(id) && opened.has(customer_id)) await deleteUnusedCustomer(db, customer_id, async () => {})
    return kept
  },
  async restore(work, befores) {
    const { db } = work
    const current = await findWithPhone(
      db,
      befores.map(({ id }) => id),
    )
    const wanted = new Map(befores.map((row) => [row.id, row]))
    const changes = current.map((before) => {
      const row = wanted.get(before.id) ?? {}
      const phone = (row as { phone?: string | null }).phone ?? null
      return { id: before.id, before, after: stretcherColumns.revive(row), phone }
    })
    return takeBack(db, changes, async (some) => {
      await updateStretchers(db, some)
      const accounts = await lockAccounts(
        db,
        some.map(({ before }) => before.customer_id),
        [],
      )
      const contacts = accounts.flatMap((account) => {
        const change = some.find(({ before }) => before.customer_id === account.id)
        if (!change) return []
        const { first_name, last_name, email } = change.after
        const after = { first_name, last_name, email, phone: change.phone, corrected_at: account.corrected_at }
        return [{ before: account, after }]
      })
      await saveContacts(work, contacts, hooks())
    })
  },
})
