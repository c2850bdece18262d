import { parseMoney, type TenThousandths } from '@limber/contract/kit/money.ts'
import type { PeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import { EntryType, writeDollars } from '@limber/contract/payroll/values.ts'

export interface EarnerSum {
  period_id: number
  earner_id: number
  type: string
  entries: number
  amount: string
  withheld: string
  employer_tax: string
  pending: number
  pending_amount: string
}

export interface AdjustedSum {
  period_id: number
  side: string
  difference: string
}

type Texts = 'amount' | 'withheld' | 'employer_tax' | 'pending_amount'

const sum = (rows: readonly EarnerSum[], field: Texts): TenThousandths =>
  rows.reduce((all, row) => all + parseMoney(row[field]), 0n)

const count = (rows: readonly EarnerSum[], field: 'entries' | 'pending') =>
  rows.reduce((all, row) => all + row[field], 0)

export function totalsOf(rows: readonly EarnerSum[], adjustments: readonly AdjustedSum[]): PeriodStory['totals'] {
  const adjusted = (side: string) =>
    adjustments.filter((one) => one.side === side).reduce((all, one) => all + parseMoney(one.difference), 0n)
  const amount = sum(rows, 'amount')
  const withheld = sum(rows, 'withheld') + adjusted('employee')
  return {
    entries: count(rows, 'entries'),
    earners: new Set(rows.map(({ earner_id }) => earner_id)).size,
    amount: writeDollars(amount),
    withheld_tax: writeDollars(withheld),
    employer_tax: writeDollars(sum(rows, 'employer_tax') + adjusted('employer')),
    net_pay: writeDollars(amount - withheld),
  }
}

export const pendingOf = (rows: readonly EarnerSum[]) => ({
  entries: count(rows, 'pending'),
  amount: writeDollars(sum(rows, 'pending_amount')),
})

/** By type, the largest amount first; also types that only the period before has. */
export function typesOf(now: readonly EarnerSum[], before: readonly EarnerSum[]): PeriodStory['types'] {
  return EntryType.options
    .map((type) => {
      const [rows, past] = [now, before].map((all) => all.filter((row) => row.type === type)) as [
        EarnerSum[],
        EarnerSum[],
      ]
      return { type, entries: count(rows, 'entries'), amount: sum(rows, 'amount'), past: sum(past, 'amount') }
    })
    .filter(({ entries, past }) => entries > 0 || past !== 0n)
    .sort((one, other) => Number(other.amount - one.amount))
    .map(({ type, entries, amount, past }) => ({
      type,
      entries,
      amount: writeDollars(amount),
      amount_before: writeDollars(past),
    }))
}

/** The earners whose pay changed most, the largest difference first. */
export function changesOf(now: readonly EarnerSum[], before: readonly EarnerSum[], limit: number) {
  const ids = new Set([...now, ...before].map(({ earner_id }) => earner_id))
  const byEarner = (rows: readonly EarnerSum[]) => Map.groupBy(rows, ({ earner_id }) => earner_id)
  const [paid, past] = [byEarner(now), byEarner(before)]
  const size = (value: bigint) => (value < 0n ? -value : value)
  return [...ids]
    .map((earner_id) => ({
      earner_id,
      amount: sum(paid.get(earner_id) ?? [], 'amount'),
      amount_before: sum(past.get(earner_id) ?? [], 'amount'),
    }))
    .filter(({ amount, amount_before }) => amount !== amount_before)
    .sort(
      (one, other) =>
        Number(size(other.amount - other.amount_before) - size(one.amount - one.amount_before)) ||
        one.earner_id - other.earner_id,
    )
    .slice(0, limit)
    .map(({ earner_id, amount, amount_before }) => ({
      earner_id,
      amount: writeDollars(amount),
      amount_before: writeDollars(amount_before),
    }))
}
