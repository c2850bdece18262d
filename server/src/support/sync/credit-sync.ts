import type { ItemError } from '@limber/contract/kit/batch.ts'
import { CreditFileItem, CreditItem, creditCalls } from '@limber/contract/support/sync/credit-sync.ts'
import type { Db } from '#platform/db/db.ts'
import type { BatchItem, BatchWriter, ItemOutcome } from '#platform/sync/batch-writer.ts'
import { isPlanOnly } from '#platform/sync/columns.queries.ts'
import { invalid, itemError, reject } from '#platform/sync/item-errors.ts'
import { type ReadAll, readRecords } from '#platform/sync/read-records.ts'
import { batchRoute, type MakeBatch, readRoutes } from '#platform/sync/resource-routes.ts'
import { takeBack } from '#platform/sync/take-back.ts'
import { creditColumns, reverseCredits, type SyncedCredit } from './credit-sync.queries.ts'
import { lockReferredCustomers } from './referred.queries.ts'
import { checkCustomer, referencesTo } from './referred.ts'

type Item = BatchItem<CreditFileItem>

const MAX_BALANCE = 1_000_000_000

/** What the table refuses, in words. */
function errorsOf({ fields, references }: Item): ItemError[] {
  const errors: ItemError[] = []
  const { kind, delta } = fields
  const isTaken = kind === 'use' || kind === 'removal'
  if (isTaken && delta > 0) errors.push(invalid('delta', `must be negative for a ${kind}`))
  if (!isTaken && delta < 0) errors.push(invalid('delta', `must be positive for a ${kind}`))
  if (kind === 'use' && references.booking === undefined) errors.push(invalid('booking', 'is required for a use'))
  if (kind === 'purchase' && references.transaction === undefined)
    errors.push(invalid('transaction', 'is required for a purchase'))
  if ((kind === 'grant' || kind === 'removal') && !fields.grant_reason)
    errors.push(invalid('grant_reason', `is required for a ${kind}`))
  return errors
}

function balanceError(balance: number): ItemError | undefined {
  if (balance < 0) return itemError('delta', 'too_few_credits', 'The customer has too few credits.')
  return balance > MAX_BALANCE ? invalid('delta', 'makes too many credits') : undefined
}

/**
 * Credits from other systems. Each entry moves the balance by the order of the batch; none may make it negative. The check
 * of a file writes nothing: what its earlier batches would move is kept in `planned`.
 */
const creditWriter = (planned = new Map<number, number>()): BatchWriter<typeof CreditFileItem> => ({
  resource: 'credits',
  item: CreditFileItem,
  isAppendOnly: true,
  isPlannable: true,
  references: ({ customer, booking, transaction }) => referencesTo({ customer, booking, transaction }),
  undo: {
    find: async () => [],
    /** Entries stay; the opposite of each is added. */
    remove: ({ db, now }, ids) =>
      takeBack(
        db,
        ids.map((id) => ({ id })),
        (some) =>
          reverseCredits(
            db,
            some.map(({ id }) => id),
            now,
          ),
      ),
  },
  expected: {
    customers_credits_not_negative: itemError('delta', 'too_few_credits', 'The customer has too few credits.'),
  },
  async write(items, { db, now, emit }) {
    const ids = items.flatMap(({ references }) => references.customer ?? [])
    const customers = await lockReferredCustomers(db, ids, { isBalanceMoved: true })
    const isPlan = isPlanOnly(db)
    const moved = (id: number) => (isPlan ? (planned.get(id) ?? 0) : 0)
    const balances = new Map([...customers.values()].map(({ id, credits }) => [id, credits + moved(id)]))
    const outcomes: ItemOutcome[] = []
    const added: { at: number; row: SyncedCredit; balance: number }[] = []
    for (const [at, item] of items.entries()) {
      const { fields, references } = item
      const customer = checkCustomer(customers, references.customer ?? 0)
      if ('code' in customer) {
        outcomes[at] = reject(customer)
        continue
      }
      const errors = errorsOf(item)
      const balance = (balances.get(customer.id) ?? 0) + fields.delta
      const wrong = errors.length === 0 ? balanceError(balance) : undefined
      if (wrong) errors.push(wrong)
      if (errors.length > 0) {
        outcomes[at] = reject(...errors)
        continue
      }
      balances.set(customer.id, balance)
      if (isPlan) planned.set(customer.id, moved(customer.id) + fields.delta)
      const { delta, kind, grant_reason: reason = null, created_at } = fields
      added.push({
        at,
        balance,
        row: {
          customer_id: customer.id,
          delta,
          kind,
          booking_id: references.booking ?? null,
          transaction_id: references.transaction ?? null,
          reason,
          created_at: created_at === undefined ? now : new Date(created_at),
        },
      })
    }
    const made = await creditColumns.insert(
      db,
      added.map(({ row }) => row),
    )
    for (const [place, { at, balance, row }] of added.entries()) {
      outcomes[at] = { status: 'created', id: made[place] as number }
      const facts = { delta: row.delta, balance }
      emit({ type: 'credits.changed', of: 'customer', ids: { customer: row.customer_id }, facts })
    }
    return outcomes
  },
})

async function loadWithReasons(db: Db, ids: readonly number[]) {
  const rows = await creditColumns.find(db, ids)
  return rows.map((row) => ({
    id: row.id,
    grant_reason: row.reason,
    customer: row.customer_id,
    delta: row.delta,
    kind: row.kind,
    booking: row.booking_id,
    transaction: row.transaction_id,
    created_at: row.created_at.toISOString(),
  }))
}

/** Entries as programs see them: without the reasons that staff give. */
const loadCredits = async (db: Db, ids: readonly number[]) =>
  (await loadWithReasons(db, ids)).map(({ grant_reason: _, ...entry }) => entry)

export const creditFileBatch: MakeBatch = () => ({ writer: creditWriter(), topics: ['customers'] })
export const readCreditsForFile: ReadAll = (db) => readRecords(db, 'credits', loadWithReasons)

export const creditSyncRoutes = [
  // Only staff grant and remove credits.
  batchRoute(creditCalls.batch, { ...creditWriter(), item: CreditItem }, ['customers']),
  ...readRoutes(creditCalls, 'credits', loadCredits),
]
