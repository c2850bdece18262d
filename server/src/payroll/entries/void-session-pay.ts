import type { Work } from '#platform/db/work.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { findOnsiteEntry, insertVoid } from '../runs/settlement.queries.ts'
import { cancelPending } from './entry.queries.ts'

interface Voiding {
  onsiteSessionId: number
  reason: string
  workerId: number
}

/**
 * Voids the pay of an on-site session: a pending entry is canceled, a paid one is settled in the next pay runs. Call
 * `lockPayroll` before locking the session, because the booking job takes the locks in that order.
 */
export async function voidSessionPay(
  { db, now, audit, publish }: Pick<Work, 'db' | 'now' | 'audit' | 'publish'>,
  { onsiteSessionId, reason, workerId }: Voiding,
) {
  const entry = await findOnsiteEntry(db, onsiteSessionId)
  if (!entry || entry.status === 'cancelled') return
  const isPaid = entry.status === 'paid'
  if (isPaid) await insertVoid(db, entry.id, { reason, workerId, now })
  else await cancelPending(db, entry.id)
  audit({
    action: isPaid ? 'payroll.entry_voided' : 'payroll.entry_cancelled',
    subject: 'payroll_entry',
    subjectId: entry.id,
    before: { status: entry.status },
    reason,
  })
  publish('payroll', { earnerId: entry.earner_id })
}

/** Blocks other payroll changes until the transaction ends. */
export const lockPayroll = lockLedger
