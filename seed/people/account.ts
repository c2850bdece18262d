import { DAY, HOUR, SECOND, shift } from '@limber/server/platform/clock.ts'
import { type CreditEntryDraft, draftCreditEntry } from '@limber/server/support/customers/credit-entry.factory.ts'
import { draftTransaction, type TransactionDraft } from '@limber/server/support/customers/transaction.factory.ts'
import type { Random } from '../random.ts'
import { type Customer, laterBy } from './customers.ts'
import type { Session } from './sessions.ts'

/** The last ids used, across all parts of the company. */
export interface Counters {
  booking: number
  transaction: number
  entry: number
}

export interface Account {
  transactions: (TransactionDraft & { id: number })[]
  entries: (CreditEntryDraft & { id: number })[]
  balance: number
  /** Dollars paid, minus refunds. */
  spent: number
}

interface AccountEvent {
  at: Date
  apply(): void
}

const packs = [
  { credits: 5, amount: 445 },
  { credits: 10, amount: 850 },
  { credits: 20, amount: 1600 },
] as const

const apologies = [
  'Apology for a late start',
  'Session cut short',
  'Stretcher arrived late',
  'Double charge, compensated with a credit',
  'Goodwill after a complaint about pressure',
]

interface Ledger {
  random: Random
  now: Date
  counters: Counters
  supportIds: readonly number[]
  /** When referred friends had their first session. */
  referrals: readonly Date[]
}

/** What a customer paid and used, in the order of time, so that the balance is never negative. */
export function buildAccount(customer: Customer, sessions: readonly Session[], ledger: Ledger): Account {
  const account: Account = { transactions: [], entries: [], balance: 0, spent: 0 }
  const writer = makeAccountWriter(customer, account, ledger)
  const events: AccountEvent[] = ledger.referrals.map((at) => ({
    at,
    apply: () =>
      writer.addEntry({ delta: 1, kind: 'referral', reason: 'A referred friend had a first session', created_at: at }),
  }))
  for (const session of sessions) {
    events.push({ at: session.createdAt, apply: () => writer.pay(session) })
    const { cancelledAt } = session
    if (cancelledAt && isRefunded(session))
      events.push({ at: cancelledAt, apply: () => writer.refund(session, cancelledAt) })
    const apology = apologyCredit(session, ledger)
    if (apology) events.push({ at: apology.created_at, apply: () => writer.addEntry(apology) })
  }
  events.sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const { apply } of events) apply()
  return account
}

type Entry = Omit<CreditEntryDraft, 'customer_id'> & { delta: number; created_at: Date }
type Payment = Omit<TransactionDraft, 'customer_id' | 'amount'> & { amount: number }

function makeAccountWriter(customer: Customer, account: Account, { random, counters }: Ledger) {
  const addEntry = (entry: Entry) => {
    account.balance += entry.delta
    account.entries.push({
      id: ++counters.entry,
      ...draftCreditEntry({ reason: null, ...entry, customer_id: customer.id }),
    })
  }
  const charge = ({ amount, ...payment }: Payment) => {
    const id = ++counters.transaction
    if ((payment.status ?? 'completed') === 'completed') account.spent += amount
    account.transactions.push({
      id,
      ...draftTransaction({ ...payment, amount: String(amount), customer_id: customer.id }),
    })
    return id
  }
  const buyPack = (at: Date) => {
    const pack = packs[random.weighted((customer.habit?.gap ?? 30) < 10 ? [25, 50, 25] : [62, 32, 6])] ?? packs[0]
    if (random.chance(0.025)) charge({ ...pack, status: 'failed', created_at: shift(at, -240 * SECOND) })
    const created_at = shift(at, -45 * SECOND)
    const transaction_id = charge({ ...pack, created_at })
    addEntry({ delta: pack.credits, kind: 'purchase', transaction_id, created_at })
  }
  return {
    addEntry,
    pay(session: Session) {
      const { creditPrice, createdAt, id } = session
      if (customer.paysWithPacks && account.balance < creditPrice) buyPack(createdAt)
      if (account.balance >= creditPrice) {
        session.creditsUsed = creditPrice
        addEntry({ delta: -creditPrice, kind: 'use', booking_id: id, created_at: createdAt })
      } else {
        const status = session.status === 'requested' ? 'pending' : 'completed'
        charge({
          transaction_type: 'session_payment',
          amount: session.price,
          credits: 0,
          booking_id: id,
          status,
          created_at: createdAt,
        })
      }
    },
    refund(session: Session, at: Date) {
      if (session.creditsUsed > 0) {
        addEntry({
          delta: session.creditsUsed,
          kind: 'refund',
          booking_id: session.id,
          reason: 'Canceled in time',
          created_at: at,
        })
        session.creditsUsed = 0
      } else {
        charge({
          transaction_type: 'refund',
          amount: -session.price,
          credits: 0,
          booking_id: session.id,
          created_at: at,
        })
      }
    },
  }
}

/** Canceled a day ahead, or by us. */
const isRefunded = ({ startsAt, cancelledAt, cancelReason }: Session) =>
  cancelledAt !== undefined &&
  (cancelledAt < shift(startsAt, -24 * HOUR) || cancelReason === 'Stretcher called in sick')

/** Support gives a credit to many customers who left a bad rating. */
function apologyCredit({ rating, ratedAt }: Session, { random, now, supportIds }: Ledger): Entry | undefined {
  if (!ratedAt || !rating || rating > 2 || !random.chance(0.45)) return undefined
  const created_at = laterBy(random, ratedAt, 90, (3 * DAY) / 60_000)
  if (created_at > now) return undefined
  return { delta: 1, kind: 'grant', worker_id: random.pick(supportIds), reason: random.pick(apologies), created_at }
}
