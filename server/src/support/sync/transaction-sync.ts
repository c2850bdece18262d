import type { ItemError } from '@limber/contract/kit/batch.ts'
import { parseMoney, stringifyMoney } from '@limber/contract/kit/money.ts'
import { TransactionItem, transactionCalls } from '@limber/contract/support/sync/transaction-sync.ts'
import type { Db } from '#platform/db/db.ts'
import type { BatchItem } from '#platform/sync/batch-writer.ts'
import { invalid, required } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { undoColumns } from '#platform/sync/undo-columns.ts'
import { customerRecordWriter } from './customer-record.ts'
import { referencesTo } from './referred.ts'
import { removeTransactions, type SyncedTransaction, transactionColumns } from './transaction-sync.queries.ts'

type Item = BatchItem<TransactionItem>

/** What the table refuses, in words. */
function errorsOf(after: SyncedTransaction): ItemError[] {
  const errors: ItemError[] = []
  const isRefund = after.transaction_type === 'refund'
  const isNegative = parseMoney(after.amount) < 0n
  if (isRefund && !isNegative) errors.push(invalid('amount', 'must be negative for a refund'))
  if (!isRefund && isNegative) errors.push(invalid('amount', 'must not be negative, except for a refund'))
  const isPurchase = after.transaction_type === 'credit_purchase'
  if (isPurchase && after.credits <= 0) errors.push(invalid('credits', 'must be positive for a purchase of credits'))
  if (!isPurchase && after.booking_id === null)
    errors.push(invalid('booking', 'is required, except for a purchase of credits'))
  return errors
}

/** The row of a new transaction before its fields are applied, or what it lacks. */
function newTransaction({ fields, references }: Item, now: Date): SyncedTransaction | ItemError[] {
  const { type, amount } = fields
  const customer_id = references.customer
  if (customer_id === undefined || type === undefined || amount === undefined)
    return (['customer', 'type', 'amount'] as const).filter((name) => fields[name] === undefined).map(required)
  return {
    customer_id,
    booking_id: null,
    transaction_type: type,
    amount,
    credits: 0,
    status: 'completed',
    created_at: now,
  }
}

/** The row that an item makes of the one before. */
function applyFields({ fields, references }: Item, before: SyncedTransaction): SyncedTransaction {
  const { booking, type, amount, credits, status, created_at } = fields
  return {
    customer_id: references.customer ?? before.customer_id,
    booking_id: booking === undefined ? before.booking_id : (references.booking ?? null),
    transaction_type: type ?? before.transaction_type,
    amount: amount === undefined ? before.amount : stringifyMoney(parseMoney(amount)),
    credits: credits ?? before.credits,
    status: status ?? before.status,
    created_at: created_at === undefined ? before.created_at : new Date(created_at),
  }
}

/** Payments from other systems: facts for display and figures, which move no credits. */
const transactionWriter = customerRecordWriter<typeof TransactionItem, SyncedTransaction>({
  resource: 'transactions',
  item: TransactionItem,
  references: ({ customer, booking }) => referencesTo({ customer, booking }),
  columns: transactionColumns,
  undo: undoColumns(transactionColumns, removeTransactions),
  start: newTransaction,
  apply: applyFields,
  errorsOf,
})

async function loadTransactions(db: Db, ids: readonly number[]) {
  const rows = await transactionColumns.find(db, ids)
  return rows.map((row) => ({
    id: row.id,
    customer: row.customer_id,
    booking: row.booking_id,
    type: row.transaction_type,
    amount: row.amount,
    credits: row.credits,
    status: row.status,
    created_at: row.created_at.toISOString(),
  }))
}

export const transactionSyncRoutes = [
  batchRoute(transactionCalls.batch, transactionWriter, ['customers']),
  attachRoute(transactionCalls.attach, 'transactions'),
  ...readRoutes(transactionCalls, 'transactions', loadTransactions),
]
