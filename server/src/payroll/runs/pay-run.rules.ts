import type { TenThousandths } from '@limber/contract/kit/money.ts'

/** The open amount of a correction. Positive: to be paid. Negative: to be withheld or deducted. */
export interface Due {
  id: number
  /** Null for tax deposits. */
  earner_id: number | null
  remaining: TenThousandths
}

/** Entries of one earner, pay period and kind in a pay run. */
export interface PaidGroup {
  earner_id: number
  pay_period_id: number
  pay_date: string
  kind: 'net_pay' | 'reimbursement'
  net: TenThousandths
  taxes: TenThousandths
}

interface Line {
  due_id: number
  amount: TenThousandths
}

export interface Payment {
  transaction_type: 'net_pay' | 'reimbursement' | 'tax_deposit'
  earner_id: number | null
  pay_period_id: number
  amount: TenThousandths
  /** Settlements included in the amount. */
  lines: Line[]
}

interface Period {
  pay_period_id: number
  pay_date: string
}

const latestFirst = (a: Period, b: Period) =>
  a.pay_date === b.pay_date ? b.pay_period_id - a.pay_period_id : a.pay_date < b.pay_date ? 1 : -1

function addLine(payment: Payment, due_id: number, amount: TenThousandths) {
  payment.amount += amount
  payment.lines.push({ due_id, amount })
}

/**
 * Settles dues with payments, latest period first. Positive dues are paid in full. Negative dues are deducted, oldest
 * first, and no payment falls below zero. The rest stays open for the next pay run.
 */
function settle(payments: readonly Payment[], dues: readonly Due[]) {
  const [first] = payments
  if (!first) return
  for (const { id, remaining } of dues) if (remaining > 0n) addLine(first, id, remaining)
  for (const { id, remaining } of dues) {
    let rest = remaining < 0n ? -remaining : 0n
    for (const payment of payments) {
      const part = rest < payment.amount ? rest : payment.amount
      if (part <= 0n) continue
      addLine(payment, id, -part)
      rest -= part
    }
  }
}

const isOwed = (dues: readonly Due[]) => dues.some(({ remaining }) => remaining > 0n)

/**
 * The payments of a pay run: net pay and reimbursements by earner and one tax deposit per period, with open corrections
 * included. Nothing is withheld from reimbursements, because they are not wages.
 */
export function planRun(groups: readonly PaidGroup[], dues: readonly Due[]): Payment[] {
  const periods = [...new Map(groups.map((group) => [group.pay_period_id, group])).values()].sort(latestFirst)
  const [latest] = periods
  if (!latest) return []
  const pays = groups.toSorted(latestFirst).map(
    ({ kind, earner_id, pay_period_id, net }): Payment => ({
      transaction_type: kind,
      earner_id,
      pay_period_id,
      amount: net,
      lines: [],
    }),
  )
  const deposits = periods.map(
    ({ pay_period_id }): Payment => ({
      transaction_type: 'tax_deposit',
      earner_id: null,
      pay_period_id,
      amount: groups.reduce((sum, one) => (one.pay_period_id === pay_period_id ? sum + one.taxes : sum), 0n),
      lines: [],
    }),
  )
  for (const [earner_id, own] of Map.groupBy(dues, (due) => due.earner_id)) {
    if (earner_id === null) {
      settle(deposits, own)
      continue
    }
    const theirs = pays.filter((pay) => pay.earner_id === earner_id && pay.transaction_type === 'net_pay')
    // Earners with a positive due are paid even without other pay in this run.
    if (theirs.length === 0 && isOwed(own)) {
      const { pay_period_id } = latest
      theirs.push({ transaction_type: 'net_pay', earner_id, pay_period_id, amount: 0n, lines: [] })
      pays.push(...theirs)
    }
    settle(theirs, own)
  }
  return [...pays, ...deposits.filter(({ amount, lines }) => amount > 0n || lines.length > 0)]
}
