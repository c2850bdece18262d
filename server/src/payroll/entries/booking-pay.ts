import type { Db } from '#platform/db/db.ts'
import type { OutboxMessage, Work } from '#platform/db/work.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { findBookingEntries, insertVoid } from '../runs/settlement.queries.ts'
import { cancelPending } from './entry.queries.ts'

export const PAY_BOOKINGS = 'pay-bookings'

async function voidBookingPay({ db, now, audit, publish }: Work, bookings: readonly number[], reason: string) {
  for (const entry of await findBookingEntries(db, bookings)) {
    if (entry.is_void) continue
    const isPaid = entry.status === 'paid'
    if (isPaid) await insertVoid(db, entry.id, { reason, workerId: null, now })
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
}

/** The pay of bookings that another system completes, or takes back. */
export const bookingPay = {
  /** Creates the entries of completed bookings once the transaction has committed. */
  message: (bookings: readonly number[], now: Date): OutboxMessage => ({
    channel: 'job',
    key: `${PAY_BOOKINGS}:${bookings[0]}:${now.getTime()}`,
    about: `payroll of ${bookings.length} completed bookings`,
    payload: { name: PAY_BOOKINGS, data: { bookings } },
  }),
  /** Blocks other payroll changes, then tells which bookings have an entry, and whether it is canceled or voided. */
  async lock(db: Db, bookings: readonly number[]): Promise<Map<number, 'valid' | 'void'>> {
    await lockLedger(db)
    const entries = await findBookingEntries(db, bookings)
    return new Map(entries.map(({ booking_id, is_void }) => [booking_id, is_void ? 'void' : 'valid']))
  },
  /** Cancels pending entries; paid ones are settled in the next pay runs. Call `lock` first. */
  void: voidBookingPay,
}
